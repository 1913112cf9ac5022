package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// arrivals bounds how many requests of the API are being understood or wait for
// the vectors. Beyond that, requests are refused before anything is done for them:
// to read a query costs almost as much as to answer it, so that a service that
// refused later would soon do nothing but refuse.
type arrivals struct {
	limit   int64
	open    atomic.Int64
	large   atomic.Int64 // requests with large bodies
	refused atomic.Int64
}

const (
	smallBody   = 64 << 10 // bytes
	largeBodies = 32       // at once
)

// receive reads a small body, so that a client that sends slowly holds nothing
// but its connection. It tells whether the body is larger, or of unknown size,
// and left to be read.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) (large bool, err error) {
	switch {
	case r.ContentLength == 0:
		return false, nil
	case r.ContentLength < 0 || r.ContentLength > smallBody:
		return true, nil
	}
	control := http.NewResponseController(w)
	// A writer without deadlines, as in tests, has no slow clients either.
	_ = control.SetReadDeadline(time.Now().Add(s.opt.Limits.Read))
	body := make([]byte, r.ContentLength)
	if _, err := io.ReadFull(r.Body, body); err != nil {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return false, problem(http.StatusRequestTimeout, "the request did not come within %v", s.opt.Limits.Read)
		}
		return false, problem(http.StatusBadRequest, "the request did not come whole")
	}
	_ = control.SetReadDeadline(time.Time{})
	r.Body = io.NopCloser(bytes.NewReader(body))
	return false, nil
}

type arrivalKey struct{}

// arrive refuses requests beyond the limit.
func (s *Server) arrive(next http.Handler) http.Handler {
	refusal, err := json.Marshal(&huma.ErrorModel{
		Status: http.StatusServiceUnavailable, Title: http.StatusText(http.StatusServiceUnavailable),
		Detail: "the service has as much to do as it can take; try again in a moment",
	})
	if err != nil {
		panic(err) // it is texts and a number
	}
	wait := strconv.Itoa(int(retryAfter.Seconds()))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/v1/") {
			next.ServeHTTP(w, r)
			return
		}
		refuse := func() {
			s.arrivals.refused.Add(1)
			w.Header().Set("Content-Type", problemType)
			w.Header().Set("Retry-After", wait)
			w.WriteHeader(http.StatusServiceUnavailable)
			w.Write(refusal)
		}
		switch large, err := s.receive(w, r); {
		case err != nil:
			writeProblem(w, err)
			return
		case large:
			if s.arrivals.large.Add(1) > largeBodies {
				s.arrivals.large.Add(-1)
				refuse()
				return
			}
			defer s.arrivals.large.Add(-1)
			next.ServeHTTP(w, r)
			return
		}
		if s.arrivals.open.Add(1) > s.arrivals.limit {
			s.arrivals.open.Add(-1)
			refuse()
			return
		}
		leave := sync.OnceFunc(func() { s.arrivals.open.Add(-1) })
		defer leave()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), arrivalKey{}, leave)))
	})
}

// settle takes a request off the count of arrivals: it waits at a gate of its own
// from now on.
func settle(ctx context.Context) {
	if leave, ok := ctx.Value(arrivalKey{}).(func()); ok {
		leave()
	}
}
