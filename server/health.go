package server

import (
	"io"
	"net/http"
	"sync/atomic"
)

// readiness tells load balancers whether to send requests.
type readiness struct{ ready atomic.Bool }

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
		io.WriteString(w, "ready\n")
	}))
}
