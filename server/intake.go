package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/sync/semaphore"
)

// intake bounds what requests of the API hold before they are worked on: the
// bodies that are being received and read.
type intake struct {
	held atomic.Int64 // bytes of bodies
	// reading bounds what readers of bodies may allocate together.
	reading *semaphore.Weighted
}

const (
	// leastRate is the least rate, in bytes a second, at which a client must send after
	// the first moments.
	leastRate = 128 << 10
	// readingCost is the most bytes that reading one byte of a request allocates, for the
	// decoded JSON and the graph.
	readingCost = 52
	// readingFree is the size up to which bodies are not counted.
	readingFree = 4 << 10
)

// errTooLong ends the gathering of a body that is too large.
var errTooLong = errors.New("the body is too large")

// gather reads a body of at most limit bytes, with room for size of them at first. before is
// called before each read with how many there are. done releases the bytes.
func (s *Server) gather(from io.Reader, size, limit int64,
	before func(have int) error) (body []byte, done func(), err error) {
	held := int64(0)
	done = func() { s.intake.held.Add(-held) }
	for {
		if len(body) == cap(body) {
			size = min(max(2*int64(len(body)), size), limit+1)
			if s.intake.held.Add(size-held) > s.opt.Limits.Bodies {
				s.intake.held.Add(-size)
				return nil, nil, errFull()
			}
			held, body = size, append(make([]byte, 0, size), body...)
		}
		n := 0
		if err = before(len(body)); err == nil {
			n, err = from.Read(body[len(body):cap(body)])
		}
		body = body[:len(body)+n]
		if int64(len(body)) > limit {
			err = errTooLong
		}
		switch {
		case errors.Is(err, io.EOF):
			return body, done, nil
		case err != nil:
			done()
			return nil, nil, err
		}
	}
}

// receive reads the body of a request. A slow client holds nothing but its connection
// and what it has sent. done releases the bytes.
func (s *Server) receive(w http.ResponseWriter, r *http.Request, limit int64) (body []byte, done func(), err error) {
	control := http.NewResponseController(w)
	// Clear the deadline afterwards: the server keeps reading the connection to notice
	// when the client leaves, and would take the deadline for that. Writers without
	// deadlines, as in tests, have no slow clients.
	defer control.SetReadDeadline(time.Time{})
	if r.Body == nil || r.Body == http.NoBody {
		return nil, func() {}, nil
	}
	if r.ContentLength > limit {
		return nil, nil, tooLarge(limit)
	}
	size := int64(4 << 10)
	if r.ContentLength > 0 {
		size = min(r.ContentLength+1, 64<<10) // one more, to notice the end
	}
	r.Header.Del("Expect") // reading tells the client to go on
	begin, deadline := time.Now(), time.Time{}
	body, done, err = s.gather(r.Body, size, limit, func(have int) error {
		if !deadline.IsZero() && time.Now().After(deadline) {
			return os.ErrDeadlineExceeded
		}
		deadline = begin.Add(s.opt.Limits.Read + time.Duration(have)*time.Second/leastRate)
		_ = control.SetReadDeadline(deadline)
		return nil
	})
	var known huma.StatusError
	switch {
	case err == nil:
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.ContentLength = int64(len(body))
	case errors.As(err, &known):
	case errors.Is(err, errTooLong):
		err = tooLarge(limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = problem(http.StatusRequestTimeout, "the request did not arrive within %v, or was slower than %d bytes "+
			"a second", s.opt.Limits.Read, leastRate)
	default:
		err = problem(http.StatusBadRequest, "the request was cut short")
	}
	return body, done, err
}

func tooLarge(limit int64) error {
	if limit == 0 {
		return problem(http.StatusRequestEntityTooLarge, "a request to this address has no body; send none")
	}
	return problem(http.StatusRequestEntityTooLarge, "the request is larger than %d bytes; send it in parts", limit)
}

// errFull refuses a request for which there is no room.
func errFull() error {
	return later(problem(http.StatusServiceUnavailable, "the service is busy; try again in a moment"))
}

// arrive receives requests and lets them in one after the other. It refuses those that
// find no room to wait.
//
// Reading a query costs almost as much as answering it, so a request waits before it is
// read. Outside the gate the service only receives and refuses. That stays cheap
// however many requests come, and has threads of its own.
func (s *Server) arrive(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := traceOf(r.Context()).route
		if to.work != nil && to.work.crowded() {
			// Check before any work; enter decides again for requests that arrive at the same
			// time.
			to.work.refused.Add(1)
			s.refuse(w, r, errFull())
			return
		}
		body, done, err := s.receive(w, r, to.body)
		if err != nil {
			s.cutOff(w, r, err)
			return
		}
		defer done()
		if to.work == nil {
			next.ServeHTTP(w, r)
		} else if err := s.enterGate(w, r, body, to, next); err != nil {
			s.reject(w, r, err)
		}
	})
}

// enterGate waits for a permit at the gate of a received request, and passes it on.
func (s *Server) enterGate(w http.ResponseWriter, r *http.Request, body []byte, to route, next http.Handler) error {
	packed, err := packing(r)
	if err != nil {
		return err
	}
	if packed != "" {
		r.ContentLength = min(mostSaved*r.ContentLength, to.body) // the greatest size when decompressed
	}
	leave, err := s.admit(r, to.work)
	if err != nil {
		return err
	}
	defer leave()
	t := traceOf(r.Context())
	t.understood = leave
	t.account = s.account(s.opt.Limits.Time)
	if to.right == toWrite {
		t.account.limit(0) // a change takes as long as it takes, while its client waits
	}
	if packed != "" {
		unpacked, done, err := s.unpack(r, body, to.body)
		if err != nil {
			return err
		}
		defer done()
		body = unpacked
	}
	t.body = body
	if err := to.plain(r, body); err != nil {
		return err
	}
	next.ServeHTTP(w, r)
	return nil
}

// admit lets a received request in.
func (s *Server) admit(r *http.Request, work *gate) (leave func(), err error) {
	var cost int64
	if r.ContentLength > readingFree {
		// A request that needs more than there is reads alone.
		cost = min(readingCost*r.ContentLength, s.opt.Limits.Reading)
		if err := s.intake.reading.Acquire(r.Context(), cost); err != nil {
			return nil, explain(err)
		}
	}
	begin := time.Now()
	out, err := work.enter(r.Context(), traceOf(r.Context()).client)
	s.metrics.stage("wait", time.Since(begin))
	if err != nil {
		s.intake.reading.Release(cost)
		return nil, err
	}
	return sync.OnceFunc(func() {
		out()
		s.intake.reading.Release(cost)
	}), nil
}

// understood gives back the permit of a request that was read and understood. From now
// on it waits for something else, such as the solver, or for its client to take the
// answer.
func understood(ctx context.Context) { traceOf(ctx).understood() }

const (
	lingerTime  = 5 * time.Second
	lingerBytes = 64 << 20
	lingerFree  = 256 << 10 // what net/http receives of a body that was not read
)

// refuse answers with a problem before the body was read.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if r.ContentLength < 0 || r.ContentLength > lingerFree || waits(r) {
		s.cutOff(w, r, err)
		return
	}
	// net/http receives the body before it sends the answer.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(lingerTime))
	s.reject(w, r, err)
}

// waits reports whether the client sends the body only when it is told to.
func waits(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Expect"), "100-continue")
}

// cutOff answers with a problem while the client may still be sending. It would see a
// reset connection instead of the answer, so the rest of the body is received for a
// while.
func (s *Server) cutOff(w http.ResponseWriter, r *http.Request, err error) {
	control := http.NewResponseController(w)
	_ = control.EnableFullDuplex() // if it cannot be set, the answer follows the body
	w.Header().Set("Connection", "close")
	s.reject(w, r, err)
	if waits(r) {
		// Nothing is on its way, so net/http need not wait for it.
		_ = control.Flush()
		_ = control.SetReadDeadline(time.Now())
		return
	}
	if control.Flush() != nil || control.SetReadDeadline(time.Now().Add(lingerTime)) != nil {
		return
	}
	io.CopyN(io.Discard, r.Body, lingerBytes) // until the client sees the answer
}
