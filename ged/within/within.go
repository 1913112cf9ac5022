// Package within decides whether the distance between two graphs is within a small limit, and
// computes the distance if it is. A search asks this for thousands of pairs that cheaper
// bounds leave open, and the answer is nearly always no.
//
// It lowers an upper bound of what node maps can save by dual ascent, as the strong search of
// package ged does, but only until the question is decided, in 16-bit integers, and for all
// columns of a row at a time. It decides nearly all pairs without branching. The smaller the
// limit, the faster it is; without a limit use package ged.
package within

import (
	"math"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
)

// MaxNodes is the greatest number of nodes of graphs that [Decider.Decide] supports.
const MaxNodes = 128

// Decider decides pairs of graphs. It keeps memory and the last query between calls, and is
// not safe for concurrent use.
type Decider struct {
	costs counts
	sed   bool
	ops   kernel.Ops
	pair  pair

	states []*state
	limit  int32 // the greatest cost of interest, in units
	need   int32 // the least profit of interest, in grains
	best   int32 // the least cost found
	image  [MaxNodes]int8
	nodes  int64             // states searched
	failed [MaxNodes]float32 // of rows: pairs of them that failed of late
	limits Limits
	ended  bool // by limits

	paths paths
}

// New returns a decider for the task and costs of p, or nil if it does not support them:
// costs must be weights, not tables, and have a small common unit, and no substitution may
// cost more than a deletion and an insertion. It takes the memory of old, which is no longer
// used, if that is not nil.
func New(p *edit.Pricing, old *Decider) *Decider {
	c, ok := count(p)
	if !ok {
		return nil
	}
	if old == nil {
		old = new(Decider)
	}
	old.costs, old.sed, old.ops, old.pair.query = c, p.Task() == edit.SED, kernel.Best(), nil
	return old
}

// Limits end a search early.
type Limits struct {
	States int64       // search states; 0: no limit
	Stop   func() bool // reports whether to stop; nil: no limit. It is called every few microseconds to milliseconds
}

// Decide decides whether the distance from q to t is at most tau. If it is, the result is
// exact; if not, its Lower is above tau. Neither need hold if the limits end the search
// first. Decide returns false, and no bounds, for graphs that are not simple, with more than
// [MaxNodes] nodes or with too many edges at a node. The graphs must share a vocabulary and be both directed or
// both undirected.
func (d *Decider) Decide(q, t *graph.Graph, tau float64, limits Limits) (ged.Result, bool) {
	if !q.Simple() || !t.Simple() || max(q.N(), t.N()) > MaxNodes || !d.pair.compile(&d.costs, d.sed, q, t) {
		return ged.Result{}, false
	}
	p := &d.pair
	top := d.costs.atMost(tau)
	d.setLimit(top)
	d.best = math.MaxInt32
	d.nodes, d.limits, d.ended, d.failed = 0, limits, false, [MaxNodes]float32{}
	d.paths.setup(p.col.n)
	s := d.state(0)
	s.root(p, &d.costs)
	complete := d.search(0)
	if d.best == math.MaxInt32 {
		return ged.Result{}, false
	}
	lower := int32(0)
	switch {
	case complete && d.best <= top:
		lower = d.best
	case complete:
		lower = top + 1
	default: // what was searched costs more than the limit
		lower = min(d.limit+1, p.worst()-s.bound/p.grain)
	}
	r := ged.Result{Map: d.nodeMap(), Upper: d.costs.real(d.best), States: d.nodes}
	r.Lower = min(r.Upper, max(0, d.costs.real(lower)))
	r.Exact = r.Lower == r.Upper
	return r, true
}

// nodeMap returns the best node map found.
func (d *Decider) nodeMap() edit.NodeMap {
	p := &d.pair
	m := make(edit.NodeMap, p.q.n)
	for v := range m {
		m[v] = edit.Deleted
	}
	for i := range p.row.n {
		if j := int(d.image[i]); p.row == &p.q {
			m[i] = j
		} else {
			m[j] = i
		}
	}
	return m
}
