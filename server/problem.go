package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/store"
)

// problem returns an error that is answered as application/problem+json
// (RFC 9457).
func problem(status int, format string, args ...any) error {
	return &huma.ErrorModel{Status: status, Title: http.StatusText(status), Detail: fmt.Sprintf(format, args...)}
}

// retryAfter is what clients are told to wait when the service is full.
const retryAfter = time.Second

// later adds a Retry-After header to a problem.
func later(err error) error {
	return huma.ErrorWithHeaders(err, http.Header{"Retry-After": {strconv.Itoa(int(retryAfter.Seconds()))}})
}

// explain turns errors of the packages below into problems. What is not known is
// a fault of the service: it is logged, and not told to the client.
func explain(err error) error {
	var known huma.StatusError
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, context.Canceled):
		return problem(statusClientGone, "the client went away")
	case errors.Is(err, context.DeadlineExceeded):
		return later(problem(http.StatusServiceUnavailable, "the time for the request was up; ask for less, or again later"))
	case errors.Is(err, greed.ErrCosts):
		return problem(http.StatusUnprocessableEntity, "%v", err)
	case errors.Is(err, store.ErrLocked):
		return later(problem(http.StatusServiceUnavailable, "another process is writing to the collection; try again"))
	case errors.Is(err, store.ErrKind), errors.Is(err, store.ErrVectors):
		return problem(http.StatusConflict, "%v", err)
	case isFull(err):
		return later(problem(http.StatusInsufficientStorage, "the disk is full; nothing of this request was stored"))
	}
	return &fault{problem(http.StatusInternalServerError, "the service failed; its log has the reason under the request's id"), err}
}

// statusClientGone is what nginx logs when the client closed the connection.
const statusClientGone = 499

// fault is a problem with a reason that clients are not told.
type fault struct {
	error
	reason error
}

func (f *fault) Unwrap() []error { return []error{f.error, f.reason} }

// GetStatus makes huma take a fault for a problem.
func (f *fault) GetStatus() int { return http.StatusInternalServerError }

// ContentType is that of the problem.
func (f *fault) ContentType(string) string { return problemType }

const problemType = "application/problem+json"

// writeProblem answers with a problem outside of huma.
func writeProblem(w http.ResponseWriter, err error) {
	err = explain(err)
	status := statusOf(err)
	var headers huma.HeadersError
	if errors.As(err, &headers) {
		for key, values := range headers.GetHeaders() {
			w.Header()[key] = values
		}
	}
	w.Header().Set("Content-Type", problemType)
	w.WriteHeader(status)
	var model *huma.ErrorModel
	if !errors.As(err, &model) {
		model = &huma.ErrorModel{Status: status, Title: http.StatusText(status)}
	}
	json.NewEncoder(w).Encode(model) // a client that is gone is no concern
}

// statusOf returns the status that an error is answered with.
func statusOf(err error) int {
	var known huma.StatusError
	if errors.As(err, &known) {
		return known.GetStatus()
	}
	return http.StatusInternalServerError
}
