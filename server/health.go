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
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "alive\n")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !s.ready.ready.Load() {
			http.Error(w, "shutting down", http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, "ready\n")
	})
}
