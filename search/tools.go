package search

import (
	"math"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/within"
	"github.com/greedgraph/greed/graph"
)

// tools are what one goroutine checks pairs with.
type tools struct {
	solver  *ged.Solver
	decider *within.Decider // nil: there is none for the costs
	edit    float64         // the cheapest
}

func newTools(p *edit.Pricing) (*tools, error) {
	s, err := ged.NewSolver(p.Task(), p.Costs())
	return &tools{s, within.New(p), cheapest(p.Costs())}, err
}

// decidingStates is the number of states after which a decider gives up and the solver
// does better. The first state decides most pairs, and 32 decide all but 2 % of those
// whose bound is one edit below the limit.
const decidingStates = 32

// decidingEdits is how many edits a lower bound may be below the limit for the first
// state to be worth its while: of the AIDS screen it excludes 97 % of the pairs
// within none, half of those within one and 2 % of those within two.
const decidingEdits = 2

// mostPairsOfEdges is the number of pairs of edges up to which a state takes less than
// about a millisecond. States cannot be interrupted.
const mostPairsOfEdges = 1 << 14

// decide reports whether a decider proves that a pair is no answer, because its distance
// is not below upper. It leaves the bounds in a.
func (t *tools) decide(q, g *graph.Graph, upper float64, a *Answer) (excluded bool, err error) {
	if t.decider == nil || upper == 0 || a.decided || upper-a.Lower > decidingEdits*t.edit || q.Directed() != g.Directed() || q.M()*g.M() > mostPairsOfEdges || math.IsInf(upper, 1) {
		return false, nil
	}
	// Less than the least difference of distances that a decider tells apart.
	r, ok := t.decider.Decide(q, g, upper-1e-7*(1+upper), decidingStates)
	if !ok {
		return false, nil
	}
	a.improve(r)
	a.decided = true
	return a.Exact || a.Lower >= upper, nil
}
