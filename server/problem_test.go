//go:build unix

package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/store"
)

func TestProblems(t *testing.T) {
	secret := errors.New("open /home/someone/secret: no such file")
	for _, c := range []struct {
		err    error
		status int
	}{
		{fmt.Errorf("put: %w", syscall.ENOSPC), http.StatusInsufficientStorage},
		{fmt.Errorf("put: %w", store.ErrLocked), http.StatusServiceUnavailable},
		{fmt.Errorf("search: %w", greed.ErrCosts), http.StatusUnprocessableEntity},
		{context.DeadlineExceeded, http.StatusServiceUnavailable},
		{context.Canceled, statusClientGone},
		{secret, http.StatusInternalServerError},
		{problem(http.StatusTeapot, "short and stout"), http.StatusTeapot},
	} {
		w := httptest.NewRecorder()
		writeProblem(w, c.err)
		if w.Code != c.status || w.Header().Get("Content-Type") != problemType {
			t.Errorf("%v: status %d as %q, want %d", c.err, w.Code, w.Header().Get("Content-Type"), c.status)
		}
		if strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%v: the client is told %s", c.err, w.Body)
		}
		if later := w.Header().Get("Retry-After"); (later != "") != (c.status == 503 || c.status == 507) {
			t.Errorf("%v: Retry-After %q", c.err, later)
		}
	}
}
