package search

import (
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/within"
	"github.com/greedgraph/greed/graph"
)

// tools are what one goroutine checks pairs with.
type tools struct {
	solver  *ged.Solver
	decider *within.Decider // nil: there is none for the costs
}

func newTools(p *edit.Pricing) (*tools, error) {
	s, err := ged.NewSolver(p.Task(), p.Costs())
	return &tools{s, within.New(p)}, err
}

// decidingStates is the number of states after which a decider gives up and the solver
// takes over. Of the pairs of the AIDS screen that a search within 8 asks about, 128
// decide all but one in ten thousand.
const decidingStates = 1024

// decide asks a decider whether the distance of a pair is below upper, if that is not 0,
// or what it is. It leaves the bounds in a, and reports whether they suffice and whether
// time ended before.
func (t *tools) decide(q, g *graph.Graph, upper float64, limits within.Limits, a *Answer) (enough, late bool) {
	if t.decider == nil || a.gaveUp || q.Directed() != g.Directed() {
		return false, false
	}
	tau := a.Upper // no distance is above
	if upper > 0 {
		// Less than the least difference of distances that a decider tells apart.
		tau = upper - 1e-7*(1+upper)
	}
	r, ok := t.decider.Decide(q, g, tau, limits)
	if !ok {
		return false, false
	}
	a.improve(r)
	a.decided = true
	if a.Exact || upper > 0 && a.Lower >= upper {
		return true, false
	}
	a.gaveUp = r.States >= decidingStates
	return false, !a.gaveUp
}

// stopAfter returns a function that reports whether time is up or the search is over.
func stopAfter(each time.Duration, over func() bool) func() bool {
	begin := time.Now()
	return func() bool { return time.Since(begin) >= each || over() }
}
