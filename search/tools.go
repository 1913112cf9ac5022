package search

import (
	"context"
	"sync"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/within"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
)

// tools are what one goroutine checks pairs with.
type tools struct {
	unit    edit.Unit
	solver  *ged.Solver
	decider *within.Decider // nil: there is none for the costs
	matcher *mcs.Matcher    // nil: whether the query is part of a graph does not matter
	kind    mcs.Kind        // of parts that cost nothing
	scratch graph.Scratch   // of the graph that is matched
	part    float64         // the least distance to graphs that the query is not part of
}

// newTools returns tools for the task and costs of p, with the memory of a decider that is no
// longer used, if there is one.
func newTools(p *edit.Pricing, deciders *sync.Pool) (*tools, error) {
	s, err := ged.NewSolver(p.Task(), p.Costs())
	old, _ := deciders.Get().(*within.Decider)
	t := &tools{unit: p.Unit(edit.MostElements), solver: s, decider: within.New(p, old)}
	c := p.Costs()
	if matches(p) {
		t.matcher, t.kind.IgnoreEdgeLabels = new(mcs.Matcher), c.EdgeSubstitute == 0
		t.part = min(c.NodeDelete, c.NodeSubstitute, c.EdgeDelete)
		if !t.kind.IgnoreEdgeLabels {
			t.part = min(t.part, c.EdgeSubstitute)
		}
		t.part = t.unit.Sum(t.part)
	}
	return t, err
}

// matches reports whether a matcher decides if a distance is 0.
func matches(p *edit.Pricing) bool {
	c := p.Costs()
	return p.Task() == edit.SED && c.Nodes == nil && c.Edges == nil
}

const (
	// matchingStates is the number of states after which a matcher leaves a pair to the
	// decider. It takes some 100 ns for one.
	matchingStates = 1024
	// mostMatched is the greatest product of the numbers of nodes for a matcher: it looks at
	// all pairs of nodes.
	mostMatched = 1 << 20
)

// matches reports whether match will look at a candidate, if its graph allows that.
func (t *tools) matches(q *graph.Graph, k *candidate) bool {
	return t.matcher != nil && q.Simple() && k.next <= matching && k.Lower == 0
}

// match looks for the query in g, once, unless bounds rule that out.
func (t *tools) match(ctx context.Context, q, g *graph.Graph, k *candidate) {
	if !t.matches(q, k) || !g.Simple() || q.Directed() != g.Directed() || q.N()*g.N() > mostMatched {
		return
	}
	k.next = deciding
	k.seen(matching)
	m, found, err := t.matcher.Find(ctx, q, g, t.kind, matchingStates)
	switch {
	case err != nil: // undecided
	case found:
		k.improve(ged.Result{Map: m})
	default:
		k.improve(ged.Result{Lower: t.part})
	}
}

// decidingStates is the number of states after which a decider gives up and the solver
// takes over, which proves most of these pairs at its root, in the time of some hundred states.
const decidingStates = 128

// decide lets a matcher and a decider find whether the distance of a pair is below upper, if
// that is not 0, or what it is. It leaves the bounds in k, and reports whether they suffice
// and whether time ended before.
func (t *tools) decide(ctx context.Context, q, g *graph.Graph, upper float64, limits within.Limits,
	k *candidate) (enough, late bool) {
	if t.match(ctx, q, g, k); k.Exact || upper > 0 && k.Lower >= upper {
		return true, false
	}
	if t.decider == nil || k.next > deciding || q.Directed() != g.Directed() {
		return false, false
	}
	tau := k.Upper // no distance is above
	if upper > 0 {
		tau = t.unit.Cost(float64(t.unit.Below(upper)))
	}
	r, ok := t.decider.Decide(q, g, tau, limits)
	if !ok {
		return false, false
	}
	k.improve(r)
	k.seen(deciding)
	if k.Exact || upper > 0 && k.Lower >= upper {
		return true, false
	}
	if r.States < decidingStates {
		return false, true
	}
	k.next = solving
	return false, false
}

// stopAfter returns a function that reports whether time is up or the search is over.
func stopAfter(each time.Duration, over func() bool) func() bool {
	begin := time.Now()
	return func() bool { return time.Since(begin) >= each || over() }
}
