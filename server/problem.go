package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/certificate"
	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/chemname"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/space"
	"github.com/greedgraph/greed/store"
)

// Problem describes an error to a client.
type Problem struct {
	Title   string              `json:"title" doc:"What the status means"`
	Status  int                 `json:"status" doc:"The status of the answer"`
	Detail  string              `json:"detail" doc:"What is wrong, and what to do"`
	Errors  []*huma.ErrorDetail `json:"errors,omitempty" doc:"What is wrong with parts of the request"`
	Request string              `json:"request,omitempty" doc:"The id of the request, which its line in the log has"`
}

// problem returns an error that is answered as application/problem+json
// (RFC 9457).
func problem(status int, format string, args ...any) error {
	return &huma.ErrorModel{Status: status, Title: http.StatusText(status),
		Detail: shorten(fmt.Sprintf(format, args...))}
}

// longest is the greatest length of a problem's text in bytes. It may quote what was
// sent.
const longest = 600

// shorten cuts a text that is too long for a problem.
func shorten(text string) string {
	if len(text) <= longest {
		return text
	}
	end := longest
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s… (%d bytes)", text[:end], len(text))
}

// concise shortens what huma's problems quote of the request.
func concise(failure *huma.ErrorModel) {
	failure.Detail = shorten(failure.Detail)
	for _, e := range failure.Errors {
		e.Message, e.Location = shorten(e.Message), shorten(e.Location)
		if text, err := json.Marshal(e.Value); err != nil || len(text) > longest {
			e.Value = nil
		}
	}
}

// retryAfter is how long clients are told to wait when the service is full.
const retryAfter = time.Second

// later adds a Retry-After header to a problem.
func later(err error) error {
	return huma.ErrorWithHeaders(err, http.Header{"Retry-After": {strconv.Itoa(int(retryAfter.Seconds()))}})
}

// accepting adds an Accept-Encoding header to a problem.
func accepting(coding string, err error) error {
	return huma.ErrorWithHeaders(err, http.Header{"Accept-Encoding": {coding}})
}

// explain turns errors of the packages below into problems. An unknown error is a fault
// of the service, which is logged and not shown to the client.
func explain(err error) error {
	var known huma.StatusError
	if err == nil || errors.As(err, &known) {
		return err
	}
	switch status := statusFor(err); status {
	case statusClientGone:
		return problem(status, "the client went away")
	case http.StatusInternalServerError:
		return &fault{problem(status, "the service failed; its log has the reason under the request's id"), err}
	case http.StatusInsufficientStorage:
		if isGone(err) {
			return &fault{problem(status, "what was sent cannot be stored: the folder of the collection is gone; "+
				"the operator "+
				"of the service has to put it back, or to remove the collection"), err}
		}
		return &fault{later(problem(status,
			"what was sent cannot be stored: the disk is full, or cannot be written to")),
			err}
	case http.StatusServiceUnavailable:
		if errors.Is(err, store.ErrLocked) {
			return later(problem(status, "another process is writing to the collection; try again"))
		}
		return later(problem(status, "the time limit of the request was reached; ask for less, or try again later"))
	default:
		return problem(status, "%s", withoutFolder(err.Error()))
	}
}

// withoutFolder leaves of a path at the beginning of a text the last name, and of all in
// its folder: where a collection lies is no concern of clients. Before the path may stand
// the operation that failed, as in an [fs.PathError].
func withoutFolder(text string) string {
	path, _, ok := strings.Cut(text, ": ")
	if _, after, named := strings.Cut(path, " "); named && !filepath.IsAbs(path) {
		path = after
	}
	if ok && filepath.IsAbs(path) {
		return strings.ReplaceAll(text, strings.TrimSuffix(path, filepath.Base(path)), "")
	}
	return text
}

// statusFor returns the status for an error of the packages below. A test covers every
// exported error of the module.
func statusFor(err error) int {
	is := func(list ...error) bool {
		return slices.ContainsFunc(list, func(target error) bool { return errors.Is(err, target) })
	}
	var bad *dataset.BadRecord
	var field *operation.Error
	switch {
	case errors.As(err, &field):
		return http.StatusUnprocessableEntity
	case errors.Is(err, context.Canceled):
		return statusClientGone
	case is(context.DeadlineExceeded, store.ErrLocked):
		return http.StatusServiceUnavailable
	case isFull(err) || isGone(err) || is(fs.ErrPermission):
		return http.StatusInsufficientStorage
	case is(store.ErrKind, store.ErrVectors, store.ErrExists, model.ErrNotIndexable, greed.ErrNoModel, greed.ErrVectors,
		greed.ErrParts, greed.ErrLacking, greed.ErrRepeated):
		return http.StatusConflict
	case is(store.ErrChanged):
		return http.StatusPreconditionFailed
	case is(store.ErrNotFound):
		return http.StatusNotFound
	// Check this before errors of the query: it is the index that is wrong.
	case is(store.ErrDamaged, store.ErrFormat, store.ErrVersion, space.ErrDamaged, space.ErrFile, space.ErrVersion):
		return http.StatusInternalServerError
	case errors.As(err, &bad), is(
		greed.ErrCosts, greed.ErrAttribute, greed.ErrReadAs, greed.ErrIndex, greed.ErrPairs, greed.ErrWays,
		greed.ErrRules, greed.ErrWildcard, greed.ErrConditions, greed.ErrEdits, greed.ErrNotProven,
		certificate.ErrUnit, certificate.ErrGraphs, certificate.ErrOpen, edit.ErrCosts, model.ErrMismatch,
		ged.ErrDirection, ged.ErrFixed,
		model.ErrCalibration, store.ErrRecord, dataset.ErrMixed, dataset.ErrEmpty, dataset.ErrSeveral,
		dataset.ErrNoNodes,
		dataset.ErrRecordTooLarge, dataset.ErrUnknownFormat, dataset.ErrLabelChoice, chemname.ErrUnknown,
		graph.ErrNodeRange, graph.ErrSelfLoop, graph.ErrDuplicateEdge, mcs.ErrNotSimple,
		chem.ErrNotMolecule, chem.ErrNotWritable, chem.ErrSMARTS, chem.ErrSMARTSLimit):
		return http.StatusUnprocessableEntity
	}
	return http.StatusInternalServerError
}

// isGone reports whether somebody removed the folder of a collection.
func isGone(err error) bool { return errors.Is(err, store.ErrFormat) && errors.Is(err, fs.ErrNotExist) }

// statusClientGone is what nginx logs when the client closed the connection.
const statusClientGone = 499

// fault is a problem whose reason clients do not see.
type fault struct {
	error
	reason error
}

func (f *fault) Unwrap() []error { return []error{f.error, f.reason} }

// GetStatus lets huma treat a fault as a problem.
func (f *fault) GetStatus() int { return statusOf(f.error) }

// ContentType is that of the problem.
func (f *fault) ContentType(string) string { return problemType }

const problemType = "application/problem+json"

// writeProblem answers with a problem outside of huma.
func writeProblem(w http.ResponseWriter, err error) {
	err = explain(err)
	status := statusOf(err)
	if headers, ok := errors.AsType[huma.HeadersError](err); ok {
		maps.Copy(w.Header(), headers.GetHeaders())
	}
	w.Header().Set("Content-Type", problemType)
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(problemOf(err, w.Header().Get(requestIDHeader))) // a client that is gone is no concern
}

// problemOf returns what a client sees of an error.
func problemOf(err error, request string) *Problem {
	var known *huma.ErrorModel
	if !errors.As(err, &known) {
		status := statusOf(err)
		return &Problem{Title: http.StatusText(status), Status: status, Detail: shorten(err.Error()), Request: request}
	}
	whole := *known // which may be that of several requests
	concise(&whole)
	return &Problem{whole.Title, whole.Status, whole.Detail, whole.Errors, request}
}

// statusOf returns the status for an error.
func statusOf(err error) int {
	if known, ok := errors.AsType[huma.StatusError](err); ok {
		return known.GetStatus()
	}
	return http.StatusInternalServerError
}
