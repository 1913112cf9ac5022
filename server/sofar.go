package server

import (
	"cmp"
	"math"
	"slices"
	"sync"

	greed "github.com/greedgraph/greed"
)

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
