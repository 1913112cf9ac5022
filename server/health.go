package server

import (
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

// readiness tells load balancers whether to send requests.
type readiness struct {
	ready atomic.Bool
	lost  atomic.Int64 // collections that could not be refreshed
}

func (r *readiness) set(ready bool) { r.ready.Store(ready) }

func (s *Server) registerHealth(mux *http.ServeMux) {
	s.handle(mux, "GET /livez", forProbes, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "alive\n")
	}))
	s.handle(mux, "GET /readyz", forProbes, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !s.ready.ready.Load() {
			http.Error(w, "shutting down", http.StatusServiceUnavailable)
			return
		}
		if lost := s.ready.lost.Load(); lost > 0 {
			http.Error(w, fmt.Sprintf("%d of %d collections cannot be read", lost, len(s.catalog.Load().names)), http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, "ready\n")
	}))
}
