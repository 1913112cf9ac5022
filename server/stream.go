package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"slices"
	"sync"
	"time"

	greed "github.com/greedgraph/greed"
)

// StreamLine is a line of a streamed search. While distances are computed, lines say
// how far that is and the best answers so far. The last line has the answers.
type StreamLine struct {
	Candidates int           `json:"candidates,omitempty" doc:"${stream_line_candidates}"`
	Verified   int           `json:"verified,omitempty" doc:"Of them, those that the exact solver has worked on"`
	Best       []Checked     `json:"best,omitempty" doc:"${stream_line_best}"`
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

// soFar holds the progress of a search and what it has found. The search updates it after
// every solved pair.
type soFar struct {
	collection *greed.Collection
	most       int
	radius     float64

	mu         sync.Mutex
	candidates int
	solved     int
	best       []Checked // by upper bound, then by lower; ids occur once
	news       bool      // since the last line
	changed    bool      // best, since the last line
}

// mostSoFar is the greatest number of graphs in a line.
const mostSoFar = 100

func newSoFar(j *job) *soFar {
	so := &soFar{collection: j.hosted.Collection, most: mostSoFar, radius: math.Inf(1)}
	switch k := j.opt.K; {
	case j.opt.SMARTS != nil: // what contains its graph is not compared with the rest yet
		so.most = 0
	case k > 0:
		so.most = min(k, mostSoFar)
	}
	if j.opt.Radius != nil {
		so.radius = *j.opt.Radius
	}
	return so
}

// note records a solved pair. The solver waits for it, so it must be quick.
func (so *soFar) note(p greed.Progress) {
	so.mu.Lock()
	defer so.mu.Unlock()
	so.candidates, so.solved, so.news = p.Candidates, p.Solved, true
	so.put(Checked{ID: p.ID, Lower: p.Lower, Upper: p.Upper, Predicted: p.Predicted})
}

func (so *soFar) put(c Checked) {
	if i := slices.IndexFunc(so.best, func(b Checked) bool { return b.ID == c.ID }); i >= 0 {
		so.best = slices.Delete(so.best, i, i+1)
		so.changed = true
	}
	if c.Lower > so.radius || math.IsInf(c.Upper, 1) {
		return
	}
	at, _ := slices.BinarySearchFunc(so.best, c, func(a, b Checked) int {
		return cmp.Or(cmp.Compare(a.Upper, b.Upper), cmp.Compare(a.Lower, b.Lower), -1) // after its equals
	})
	if at == so.most {
		return
	}
	so.best = slices.Insert(so.best, at, c)
	so.best = so.best[:min(len(so.best), so.most)]
	so.changed = true
}

// line returns the next line and whether it has anything new.
func (so *soFar) line() (line StreamLine, news bool) {
	so.mu.Lock()
	news, line = so.news, StreamLine{Candidates: so.candidates, Verified: so.solved}
	if so.changed {
		line.Best = slices.Clone(so.best)
	}
	so.news, so.changed = false, false
	so.mu.Unlock()
	for i := range line.Best {
		if rec, ok := so.collection.Get(line.Best[i].ID); ok {
			line.Best[i].Name, line.Best[i].SMILES = plainName(rec.ID, rec.Name), rec.SMILES
		}
	}
	return line, news
}
