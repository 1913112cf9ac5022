package server

import (
	"bufio"
	"encoding/json"
	"io"
	"sync/atomic"
	"time"
)

// account is what a request may use: time and memory for its work, and for reading,
// explaining and encoding what was found. What it does not afford is left out, and the
// answer says so.
type account struct {
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
	a := &account{memory: s.opt.Limits.Memory, now: time.Now}
	if work > 0 {
		a.end = a.now().Add(work + late)
	}
	return a
}

// over reports whether time is up.
func (a *account) over() bool {
	return !a.end.IsZero() && !a.now().Before(a.end.Add(time.Duration(a.waited.Load())))
}

// editBytes is what an edit takes in memory, with its JSON.
const editBytes = 512

// affords reports whether there is time for, and memory to hold, so many edits.
func (a *account) affords(edits int) bool {
	return int64(edits) <= a.memory/editBytes && !a.over()
}

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
