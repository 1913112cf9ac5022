package server

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/danielgtaylor/huma/v2"
)

// arrivals bounds how many requests of the API are being read or wait for the
// vectors. Beyond that, requests are refused before anything is done for them:
// to read a query costs almost as much as to answer it, so that a service that
// refused later would soon do nothing but refuse.
type arrivals struct {
	limit   int64
	open    atomic.Int64
	refused atomic.Int64
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
		if s.arrivals.open.Add(1) > s.arrivals.limit {
			s.arrivals.open.Add(-1)
			s.arrivals.refused.Add(1)
			w.Header().Set("Content-Type", problemType)
			w.Header().Set("Retry-After", wait)
			w.WriteHeader(http.StatusServiceUnavailable)
			w.Write(refusal)
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
