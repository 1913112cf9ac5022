package server

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"sync/atomic"
	"time"
)

// account is what a request may use: time and memory for its work, and for reading,
// explaining and encoding what was found. What it does not afford is left out, and the
// answer says so.
type account struct {
	// begin is when its work began. Everything since then is spent from it: reading graphs,
	// solving, and making the answer.
	begin  time.Time
	end    time.Time // zero: the request asks for nothing that takes long
	memory int64     // bytes at a time
	now    func() time.Time
	// waited is how long answers waited for the client, which is not the request's time.
	// Of many queries one is sent while the next is worked on.
	waited atomic.Int64
}

// late is how long after the requested time a request may still explain what was
// found. The client has its answer within twice that.
const late = 50 * time.Millisecond

// account opens the account of a request whose work begins now; without a time it has no
// end.
func (s *Server) account(work time.Duration) *account {
	a := &account{begin: time.Now(), memory: s.opt.Limits.Memory, now: time.Now}
	a.limit(work)
	return a
}

// accountOf returns the account of a request, whose work began when it was let in.
func (s *Server) accountOf(ctx context.Context) *account {
	t := traceOf(ctx)
	if t.account == nil {
		t.account = s.account(s.opt.Limits.Time)
	}
	return t.account
}

// limit lets the work of the request take so much time from its begin; without a time it has
// no end.
func (a *account) limit(work time.Duration) {
	a.end = time.Time{}
	if work > 0 {
		a.end = a.begin.Add(work + late)
	}
}

// pause does not count the time since from, in which the request waited for its turn.
func (a *account) pause(from time.Time) {
	waited := a.now().Sub(from)
	a.begin = a.begin.Add(waited)
	if !a.end.IsZero() {
		a.end = a.end.Add(waited)
	}
}

const (
	// shortest is the least time that is given to a solver; none would mean no limit.
	shortest = time.Millisecond
	// brief is what reading usually takes at most. Answers name the time that was requested
	// unless reading took longer.
	brief = 10 * time.Millisecond
)

// rest returns what is left of the time that was requested for work; 0, which has no limit,
// remains 0.
func (a *account) rest(work time.Duration) time.Duration {
	spent := a.now().Sub(a.begin)
	if work <= 0 || spent < brief {
		return work
	}
	return max(shortest, (work - spent).Truncate(shortest))
}

// within returns a context for reading, which ends when the time is up. Call cancel at the end.
func (a *account) within(ctx context.Context) (reading context.Context, cancel func()) {
	if a.end.IsZero() {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, a.end)
}

// over reports whether time is up.
func (a *account) over() bool {
	return !a.end.IsZero() && !a.now().Before(a.end.Add(time.Duration(a.waited.Load())))
}

// What an edit, a near pair with its transformations, and a node or an edge of a graph that is shown take in memory,
// with their JSON.
const (
	editBytes    = 512
	pairBytes    = 2 << 10
	elementBytes = 1 << 10
)

// holds reports whether an answer may have so many of what takes so many bytes each.
func (a *account) holds(count int, each int64) bool { return int64(count) <= a.memory/each }

// affords reports whether there is time for, and memory to hold, so many edits.
func (a *account) affords(edits int) bool { return a.holds(edits, editBytes) && !a.over() }

// piece is how much of an answer is held before it is sent, in bytes.
const piece = 64 << 10

// inPieces sends what write writes, piece by piece. An error after the first is a
// [begunError].
func (a *account) inPieces(w io.Writer, write func(io.Writer) error) error {
	to := &sender{account: a, to: w}
	out := bufio.NewWriterSize(to, piece)
	err := write(out)
	if err == nil {
		err = out.Flush()
	}
	if to.begun {
		return begun(err)
	}
	return err
}

// sender sends pieces, and counts how long it waits for the client.
type sender struct {
	account *account
	to      io.Writer
	begun   bool
}

func (s *sender) Write(p []byte) (int, error) {
	s.begun = true
	begin := s.account.now()
	n, err := s.to.Write(p)
	s.account.waited.Add(int64(s.account.now().Sub(begin)))
	return n, err
}

// compact writes the JSON of v without an end of line.
func compact(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}
