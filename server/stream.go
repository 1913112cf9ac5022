package server

import (
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
	Error      string        `json:"error,omitempty" doc:"Why the search ended without an outcome"`
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
// goes the search ends.
func (s *Server) stream(r *http.Request, w http.ResponseWriter, j *job) error {
	w.Header().Set("Content-Type", typeNDJSON)
	w.Header().Set("X-Accel-Buffering", "no")
	control := http.NewResponseController(w)
	var mu sync.Mutex
	lines := json.NewEncoder(w)
	send := func(line StreamLine) error {
		mu.Lock()
		defer mu.Unlock()
		if err := lines.Encode(line); err != nil {
			return err
		}
		return control.Flush()
	}
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
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(streamEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			select {
			case p := <-latest:
				checked := &Checked{ID: p.ID, Lower: p.Lower, Upper: p.Upper}
				if predicted, ok := p.Predicted(); ok {
					checked.Predicted = &predicted
				}
				if send(StreamLine{Candidates: p.Candidates, Verified: p.Solved, Checked: checked}) != nil {
					return
				}
			default:
			}
		}
	}()
	found, err := s.run(r.Context(), j)
	close(done)
	<-ended
	if err != nil {
		if r.Context().Err() == nil {
			send(StreamLine{Error: explain(err).Error()})
		}
		return begun(err)
	}
	return begun(send(StreamLine{Found: found}))
}
