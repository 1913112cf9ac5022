package server

import (
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"
)

// stuckClient takes nothing until it is cut off.
type stuckClient struct {
	*httptest.ResponseRecorder
	writes chan struct{} // told of each Write
	cut    chan struct{}
	once   sync.Once
}

func (c *stuckClient) Write([]byte) (int, error) {
	c.writes <- struct{}{}
	<-c.cut
	return 0, os.ErrDeadlineExceeded
}

func (c *stuckClient) SetWriteDeadline(at time.Time) error {
	if !at.IsZero() && !at.After(time.Now()) {
		c.once.Do(func() { close(c.cut) })
	}
	return nil
}

func (c *stuckClient) isCut() bool {
	select {
	case <-c.cut:
		return true
	default:
		return false
	}
}

// TestResponseBudget: of clients that read nothing those that have taken longest are cut off
// when there is no more room, and only they.
func TestResponseBudget(t *testing.T) {
	const size, room = 100_000, 10
	o := &responseBudget{most: room * size}
	handler := o.hold(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write(make([]byte, r.ContentLength))
	}))
	var clients []*stuckClient
	var all sync.WaitGroup
	ask := func(size int64) {
		c := &stuckClient{ResponseRecorder: httptest.NewRecorder(), writes: make(chan struct{}), cut: make(chan struct{})}
		clients = append(clients, c)
		all.Go(func() { handler.ServeHTTP(c, &http.Request{ContentLength: size}) })
		<-c.writes
	}
	for i := range 50 {
		ask(size)
		if held := o.bytes(); held > o.most || held != int64(min(i+1, room))*size {
			t.Fatalf("after %d answers %d bytes are held", i+1, held)
		}
	}
	for range 100 {
		ask(smallAnswer) // not counted
	}
	for i, c := range clients {
		if want := i < 50-room; c.isCut() != want {
			t.Errorf("client %d is cut off: %v", i, !want)
		}
	}
	ask(2 * room * size) // more than there is room: alone
	for i, c := range clients[:50] {
		if !c.isCut() {
			t.Errorf("client %d goes on beside an answer that needs all room", i)
		}
	}
	for _, c := range clients {
		c.once.Do(func() { close(c.cut) })
	}
	all.Wait()
	if o.bytes() != 0 || len(o.sending) != 0 {
		t.Errorf("%d bytes are held at the end", o.bytes())
	}
}
