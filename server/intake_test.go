package server

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// deadlines keeps until when the rest of a body is received.
type deadlines struct {
	*httptest.ResponseRecorder
	read time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error {
	d.read = at
	return nil
}

// countedBody is the body of a client that goes on sending.
type countedBody struct{ reads int }

func (b *countedBody) Read(p []byte) (int, error) {
	b.reads++
	return 0, http.ErrBodyReadAfterClose
}

func (b *countedBody) Close() error { return nil }

// TestCutOff: the rest of a body is received so that the client sees the answer, but not
// from a client that sends it only when it is told to.
func TestCutOff(t *testing.T) {
	s := demo(t, nil)
	for _, expect := range []string{"", "100-continue"} {
		w, body := &deadlines{ResponseRecorder: httptest.NewRecorder()}, &countedBody{}
		r := httptest.NewRequest(http.MethodPost, "/v1/parse", body)
		r.Header.Set("Expect", expect)
		to := &trace{}
		r = r.WithContext(context.WithValue(r.Context(), traceKey{}, to))
		begin := time.Now()
		s.cutOff(w, r, tooLarge(1))
		if to.reason == nil {
			t.Error("the log does not get the reason")
		}
		if w.Code != http.StatusRequestEntityTooLarge || w.Header().Get("Connection") != "close" {
			t.Errorf("status %d, headers %v", w.Code, w.Header())
		}
		if waits := expect != ""; waits != (body.reads == 0) || waits == w.read.After(begin.Add(lingerTime-time.Nanosecond)) {
			t.Errorf("Expect %q: the body is read %d times, until %v after the request", expect, body.reads, w.read.Sub(begin))
		}
	}
}
