// Package within decides whether the distance between two graphs is within a small
// limit, and computes the distance if it is. A search asks this of thousands of pairs
// that cheaper bounds leave open, and the answer is nearly always no.
//
// Every node of the smaller graph has a domain: the nodes of the larger one that it can
// still be mapped to. An assignment of branches (a branch is a node with half of each of
// its edges) bounds the distance. By reduced costs, its dual solution removes from the
// domains what would exceed the limit. In smaller domains fewer edges have a partner
// whose far end is still possible, so branches cost more, the bound rises, and more is
// removed, until nothing changes. Then the search branches on one node pair. The smaller
// the limit, the faster; for distances without a limit use package ged.
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

// Decider decides about pairs of graphs. It keeps memory and the classes of the last
// query from call to call, and is not safe for concurrent use.
type Decider struct {
	costs counts
	sed   bool

	query    *graph.Graph
	q, t     side
	classes  classes
	row, col *side // q and t, the smaller first
	rowDrop  drop  // of rows without a column: deletions, or insertions if swapped
	colDrop  drop  // of columns without a row

	ways uint8 // directions of edges

	states []*state
	limit  int32 // twice the greatest cost of interest
	best   int32 // twice the least cost found
	image  [MaxNodes]int8
	nodes  int64 // states searched
	budget int64 // of states; 0: none
	scratch
}

// drop is the doubled cost of a node, and of half of an edge, that has no partner.
type drop struct{ node, edge int32 }

// New returns a decider for the task and costs of p, or nil if it does not support
// them: costs must be weights, not tables, and have a small common unit, and no
// substitution may cost more than a deletion and an insertion.
func New(p *edit.Pricing) *Decider {
	c, ok := count(p)
	if !ok {
		return nil
	}
	return &Decider{costs: c, sed: p.Task() == edit.SED, classes: newClasses()}
}

// Decide decides whether the distance from q to t is at most tau. If it is, the result
// is exact; if not, its Lower is above tau. Neither need hold if the search stops after
// the given number of states; 0 sets no limit. Decide returns false, and no bounds, for
// graphs with more than [MaxNodes] nodes or with too many edge labels. The graphs share a
// vocabulary and are both directed or both undirected.
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

// roundUp rounds x up to an even number: distances are integers in the unit, and costs
// here are doubled.
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
