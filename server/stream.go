package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	greed "github.com/greedgraph/greed"
)

// StreamLine is a line of a streamed search. While distances are computed, lines say
// how far that is and the best answers so far. The last line has the answers.
type StreamLine struct {
	Candidates int           `json:"candidates,omitempty" doc:"Graphs that may be answers; in mode proven more may follow"`
	Verified   int           `json:"verified,omitempty" doc:"Of them, those that the exact solver has worked on"`
	Best       []Checked     `json:"best,omitempty" doc:"The nearest of those, in the order of their upper bounds; only where it has changed"`
	Answer     *greed.Answer `json:"answer,omitempty" doc:"An answer of predictions alone"`
	Found      *greed.Found  `json:"found,omitempty" doc:"The outcome, in the last line"`
	Error      string        `json:"error,omitempty" doc:"Why the search ended without an outcome, in the last line"`
	Request    string        `json:"request,omitempty" doc:"The id of the request, beside an error"`
}

// Checked is a graph whose distance was computed, as far as time allowed.
type Checked struct {
	ID        string   `json:"id"`
	Name      string   `json:"name,omitempty"`
	SMILES    string   `json:"smiles,omitempty"`
	Predicted *float64 `json:"predicted,omitempty"`
	Lower     float64  `json:"lower"`
	Upper     float64  `json:"upper"`
}

// streamEvery is the least time between two lines.
const streamEvery = 50 * time.Millisecond

// stream runs a search and writes lines while the solver works. If the client leaves,
// the search ends. If something else ends it, the last line says what.
func (s *Server) stream(r *http.Request, w http.ResponseWriter, j *job) error {
	so := newSoFar(j)
	j.opt.Progress = so.note
	lines := &lineWriter{w: w, control: http.NewResponseController(w)}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	var reporting sync.WaitGroup
	reporting.Go(func() { lines.report(ctx, so) })
	err := s.answer(r.Context(), j, func(res *result) error {
		cancel()
		reporting.Wait()
		defer s.responses.begin(w, res.bytes())()
		return lines.last(res)
	})
	cancel()
	reporting.Wait()
	var late *begunError
	if err == nil || !lines.begun || errors.As(err, &late) {
		return err // a status can tell, or nothing can
	}
	err = explain(err)
	lines.send(StreamLine{Error: err.Error(), Request: traceOf(r.Context()).id})
	s.note(r, err)
	return nil
}

// lineWriter writes the lines of a stream. It belongs to one goroutine at a time.
type lineWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	begun   bool
}

// report writes lines about the progress until the context ends.
func (l *lineWriter) report(ctx context.Context, so *soFar) {
	tick := time.NewTicker(streamEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		line, news := so.line()
		if news && !l.begun {
			l.w.Header().Set("Trailer", statusHeader) // the status is not known yet
		}
		if news && l.send(line) != nil {
			return
		}
	}
}

// send writes a line.
func (l *lineWriter) send(line any) error {
	l.begin(typeNDJSON)
	if err := json.NewEncoder(l.w).Encode(line); err != nil {
		return err
	}
	return l.control.Flush()
}

// last writes the last line of a search. The status that it has is also a header or, if
// lines came before, a trailer.
func (l *lineWriter) last(res *result) error {
	l.w.Header().Set(statusHeader, string(res.Found.Status))
	l.begin(typeNDJSON)
	return res.account.inPieces(l.w, res.writeLast)
}

// begin begins a line or another piece. The client gets new time to receive it.
func (l *lineWriter) begin(format string) {
	if l.begun {
		_ = l.control.SetWriteDeadline(time.Now().Add(writeTime))
		return
	}
	l.begun = true
	h := l.w.Header()
	h.Set("Content-Type", format)
	if format == typeNDJSON {
		h.Set("X-Accel-Buffering", "no")
	}
}
