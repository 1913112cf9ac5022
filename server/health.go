package server

import (
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

func (s *Server) registerHealth(mux *http.ServeMux) {
	s.handle(mux, "GET /livez", forProbes, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "alive\n")
	}))
	s.handle(mux, "GET /readyz", forProbes, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !s.ready.Load() {
			http.Error(w, "shutting down", http.StatusServiceUnavailable)
			return
		}
		now, lost := s.catalog.Load(), s.opt.Unopened
		for _, sh := range now.by {
			if sh.unreadable.text() != "" {
				lost++
			}
		}
		if lost > 0 {
			http.Error(w, fmt.Sprintf("%d of %d collections cannot be read", lost, len(now.names)+s.opt.Unopened), http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, "ready\n")
	}))
}

// lastError is the text of the last error of something that is tried again and again.
type lastError struct{ last atomic.Value }

// set keeps an error, or that there was none, and reports whether it is another than before.
func (e *lastError) set(err error) bool {
	text := ""
	if err != nil {
		text = err.Error()
	}
	before, _ := e.last.Swap(text).(string)
	return text != before
}

// text returns the text of the error, and "" if there was none.
func (e *lastError) text() string {
	text, _ := e.last.Load().(string)
	return text
}
