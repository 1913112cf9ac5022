package server

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// outbox bounds what answers hold that clients are receiving. When there is no more room,
// the client that has taken longest is cut off. So clients that ask for much and read
// nothing keep no memory for long.
type outbox struct {
	mu   sync.Mutex
	most int64
	held int64
	// sending are the answers, those that began first in front.
	sending []*sending
}

// sending is a piece of an answer that its client is receiving.
type sending struct {
	bytes int64
	to    *http.ResponseController
}

// smallAnswer is the size up to which pieces of answers are not counted: a connection
// holds as much whatever it does.
const smallAnswer = 16 << 10

// hold makes the pieces that next writes count.
func (o *outbox) hold(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&holder{w, o}, r)
	})
}

// begin counts a piece, or what waits to be sent, until end is called. The answers that go on longest are cut off
// until there is room for it.
func (o *outbox) begin(to http.ResponseWriter, size int) (end func()) {
	s := &sending{int64(size), http.NewResponseController(to)}
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.sending) > 0 && o.held+s.bytes > o.most {
		first := o.sending[0]
		o.remove(first)
		_ = first.to.SetWriteDeadline(time.Now()) // its handler cannot go on, and frees the answer
	}
	o.held += s.bytes
	o.sending = append(o.sending, s)
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.remove(s)
	}
}

// remove counts a piece no more. The caller holds mu.
func (o *outbox) remove(s *sending) {
	if i := slices.Index(o.sending, s); i >= 0 {
		o.sending = slices.Delete(o.sending, i, i+1)
		o.held -= s.bytes
	}
}

// bytes returns what the answers hold.
func (o *outbox) bytes() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.held
}

// holder counts what is written.
type holder struct {
	http.ResponseWriter
	outbox *outbox
}

func (h *holder) Write(p []byte) (int, error) {
	if len(p) > smallAnswer {
		defer h.outbox.begin(h.ResponseWriter, len(p))()
	}
	return h.ResponseWriter.Write(p)
}

// Unwrap gives http.ResponseController what it needs.
func (h *holder) Unwrap() http.ResponseWriter { return h.ResponseWriter }
