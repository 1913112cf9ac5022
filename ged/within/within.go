// Package within decides whether two graphs lie within a small distance of each
// other, and how far apart they are if they do: what a search asks of thousands
// of pairs that cheaper bounds leave open, and nearly always with the answer no.
//
// Every node of the smaller graph has a domain: the nodes of the larger one that
// it can still be mapped to. An assignment of branches (a node with half of each
// of its edges) bounds the distance, and its dual solution takes out of the
// domains what would cost more than the limit allows. With smaller domains fewer
// pairs of edges can be substituted for each other, because their far ends are in
// no domain, so that branches get dearer, and so on until nothing changes. What is
// then left is split at one node pair. The smaller the limit, the faster: package
// ged is for distances without one.
package within

import (
	"math"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// MaxNodes is the size of the largest graphs that [Decider.Decide] takes: a
// domain is a machine word.
const MaxNodes = 64

// Decider decides about pairs of graphs. It keeps memory and what it knows of the
// last query, and is not safe for concurrent use.
type Decider struct {
	costs counts
	sed   bool

	query    *graph.Graph
	q, t     side
	classes  classes
	row, col *side // q and t, the smaller first
	rowDrop  drop  // costs of what the column or row is left without
	colDrop  drop

	ways uint8 // directions of edges

	states []*state
	limit  int32 // twice the greatest cost of interest
	best   int32 // twice the least cost found
	image  [MaxNodes]int8
	nodes  int64 // states taken up
	budget int64
	scratch
}

// drop are the costs of one node and of one edge that are not substituted.
type drop struct{ node, edge int32 }

// New returns a decider for the task and costs priced by p, or nil if there is
// none: costs must be weights, not tables, with a small common unit, and no
// substitution may cost more than a deletion and an insertion.
func New(p *edit.Pricing) *Decider {
	c, ok := count(p)
	if !ok {
		return nil
	}
	return &Decider{costs: c, sed: p.Task() == edit.SED, classes: newClasses()}
}

// Decide finds out whether the distance from q to t is at most tau. If it is, the
// result is exact; if not, its Lower is above tau. Neither holds if the search
// would have to take up more than the given number of states; 0 sets no limit. It
// returns false for graphs with more than [MaxNodes] nodes or with more than a
// handful of edge labels, of which it says nothing. The graphs share a vocabulary
// and are both directed or both not.
func (d *Decider) Decide(q, t *graph.Graph, tau float64, states int64) (ged.Result, bool) {
	if max(q.N(), t.N()) > MaxNodes || !d.compile(q, t) {
		return ged.Result{}, false
	}
	tops := 2 * d.costs.atMost(tau)
	d.limit, d.best = tops, math.MaxInt32
	d.nodes, d.budget = 0, states
	s := d.state(0)
	d.root(s)
	d.solve(s, math.MaxInt32)
	d.offer(s)
	lower := roundUp(s.lower)
	complete := d.search(0)
	switch {
	case complete && d.best <= tops:
		lower = d.best
	case complete:
		lower = max(lower, tops+2)
	}
	r := ged.Result{Map: d.nodeMap(), Upper: d.costs.real(d.best), States: d.nodes}
	r.Lower = min(r.Upper, d.costs.real(lower))
	r.Exact = r.Lower == r.Upper
	return r, true
}

// roundUp returns the least even number from x on: distances are whole, and costs
// here doubled.
func roundUp(x int32) int32 { return (x + 1) &^ 1 }

// nodeMap returns the best map found.
func (d *Decider) nodeMap() edit.NodeMap {
	m := make(edit.NodeMap, d.q.n)
	for v := range m {
		m[v] = edit.Deleted
	}
	for i := range d.row.n {
		if j := int(d.image[i]); d.row == &d.q {
			m[i] = j
		} else {
			m[j] = i
		}
	}
	return m
}
