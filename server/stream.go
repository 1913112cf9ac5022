package server

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	greed "github.com/greedgraph/greed"
)

// StreamLine is a line of a search that is streamed. While graphs are checked
// it says how far that is and what was found; the last line has the answers.
type StreamLine struct {
	Candidates int           `json:"candidates,omitempty" doc:"Graphs that may be answers"`
	Verified   int           `json:"verified,omitempty" doc:"Those that the solver has worked on"`
	Checked    *Checked      `json:"checked,omitempty"`
	Answer     *greed.Answer `json:"answer,omitempty" doc:"An answer of a search without the solver"`
	Found      *greed.Found  `json:"found,omitempty" doc:"The outcome, in the last line"`
	Error      string        `json:"error,omitempty" doc:"Why the search ended without an outcome, in the last line"`
	Request    string        `json:"request,omitempty" doc:"The id of the request, beside an error"`
}

// Checked is a graph that the solver has worked on.
type Checked struct {
	ID        string   `json:"id"`
	Predicted *float64 `json:"predicted,omitempty"`
	Lower     float64  `json:"lower"`
	Upper     float64  `json:"upper"`
}

// streamEvery is how often a stream tells of progress at most.
const streamEvery = 50 * time.Millisecond

// stream runs a search and writes lines while the solver works. When the client
// goes the search ends. What ends it otherwise is in the last line.
func (s *Server) stream(r *http.Request, w http.ResponseWriter, j *job) error {
	latest := make(chan greed.Progress, 1)
	j.opt.Progress = func(p greed.Progress) {
		select { // the latest counts; the solver never waits
		case <-latest:
		default:
		}
		select {
		case latest <- p:
		default:
		}
	}
	lines := &lineWriter{w: w, control: http.NewResponseController(w)}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	var told sync.WaitGroup
	told.Go(func() { lines.tell(ctx, latest) })
	found, err := inSlot(r.Context(), s, func(ctx context.Context) (*greed.Found, error) { return s.run(ctx, j) })
	cancel()
	told.Wait()
	switch {
	case err != nil && !lines.begun:
		return err // a status can tell
	case err != nil:
		err = explain(err)
		lines.send(StreamLine{Error: err.Error(), Request: traceOf(r.Context()).id})
		return begun(err)
	}
	return begun(lines.send(StreamLine{Found: found}))
}

// lineWriter writes the lines of a stream. It belongs to one goroutine at a time.
type lineWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	begun   bool
}

// tell writes the latest progress now and then until the context ends.
func (l *lineWriter) tell(ctx context.Context, latest <-chan greed.Progress) {
	tick := time.NewTicker(streamEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		select {
		case p := <-latest:
			checked := &Checked{ID: p.ID, Lower: p.Lower, Upper: p.Upper}
			if predicted, ok := p.Predicted(); ok {
				checked.Predicted = &predicted
			}
			if l.send(StreamLine{Candidates: p.Candidates, Verified: p.Solved, Checked: checked}) != nil {
				return
			}
		default:
		}
	}
}

// send writes a line, for which the client is given time anew.
func (l *lineWriter) send(line StreamLine) error {
	if !l.begun {
		l.begun = true
		l.w.Header().Set("Content-Type", typeNDJSON)
		l.w.Header().Set("X-Accel-Buffering", "no")
	} else {
		_ = l.control.SetWriteDeadline(time.Now().Add(writeTime))
	}
	if err := json.NewEncoder(l.w).Encode(line); err != nil {
		return err
	}
	return l.control.Flush()
}
