package server

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// responseBudget bounds what answers hold that clients are receiving. When there is no more room,
// the client that has taken longest is cut off. So clients that ask for much and read
// nothing hold no memory for long.
type responseBudget struct {
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
func (b *responseBudget) hold(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&holder{w, b}, r)
	})
}

// begin counts a piece, or what waits to be sent, until end is called. The answers that go on longest are cut off
// until there is room for it.
func (b *responseBudget) begin(to http.ResponseWriter, size int) (end func()) {
	s := &sending{int64(size), http.NewResponseController(to)}
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.sending) > 0 && b.held+s.bytes > b.most {
		first := b.sending[0]
		b.remove(first)
		_ = first.to.SetWriteDeadline(time.Now()) // its handler cannot go on, and frees the answer
	}
	b.held += s.bytes
	b.sending = append(b.sending, s)
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.remove(s)
	}
}

// remove stops counting a piece. The caller holds mu.
func (b *responseBudget) remove(s *sending) {
	if i := slices.Index(b.sending, s); i >= 0 {
		b.sending = slices.Delete(b.sending, i, i+1)
		b.held -= s.bytes
	}
}

// bytes returns what the answers hold.
func (b *responseBudget) bytes() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held
}

// holder counts what is written.
type holder struct {
	http.ResponseWriter
	budget *responseBudget
}

func (h *holder) Write(p []byte) (int, error) {
	if len(p) > smallAnswer {
		defer h.budget.begin(h.ResponseWriter, len(p))()
	}
	return h.ResponseWriter.Write(p)
}

// Unwrap gives http.ResponseController what it needs.
func (h *holder) Unwrap() http.ResponseWriter { return h.ResponseWriter }
