package bound

import (
	"math"

	"github.com/greedgraph/greed/edit"
)

// Filter computes lower bounds of distances from the signatures of two graphs, in nanoseconds
// and without allocation, for searches of many graphs. It is safe for concurrent use.
//
// If k of E_q and E_t edges are substituted, E_q−k are deleted and E_t−k inserted. At most
// the intersection of the two multisets of labels keeps its labels. The degrees force some
// deletions and insertions, since each changes only two degrees. The bound for the edges is
// the least cost over all k; that for the nodes is computed likewise. If costs depend on
// labels, the cheapest edit of each kind counts.
type Filter struct {
	nodes, edges floor
	unit         edit.Unit
	tables       bool // costs depend on labels
}

// floor holds the least costs of the edits of one kind of element, in units, so that sums are
// exact. same and diff are the costs of substituting a label by itself and by another.
type floor struct {
	ins, del, same, diff float64
	wild                 bool // Wildcard in the query matches all
}

// NewFilter returns a filter for the task and costs of p.
func NewFilter(p *edit.Pricing) *Filter {
	c, u := p.Costs(), p.Unit(edit.MostElements)
	f := &Filter{
		nodes: newFloor(u, c.NodeInsert, c.NodeDelete, c.NodeSubstitute, c.Nodes),
		edges: newFloor(u, c.EdgeInsert, c.EdgeDelete, c.EdgeSubstitute, c.Edges),
		unit:  u, tables: c.Nodes != nil || c.Edges != nil,
	}
	if p.Task() == edit.SED {
		for _, kind := range []*floor{&f.nodes, &f.edges} {
			kind.ins, kind.same, kind.wild = 0, 0, true
		}
	}
	return f
}

func newFloor(u edit.Unit, ins, del, sub float64, table *edit.Table) floor {
	same := 0.0
	if table != nil {
		ins, del, same, sub = table.Least()
	}
	f := floor{ins: u.Counted(ins), del: u.Counted(del), same: u.Counted(same), diff: u.Counted(sub)}
	f.same = min(f.same, f.diff)
	return f
}

// Lower returns a lower bound of the distance from the graph of q to that of t.
// It panics if only one of the two is directed.
func (f *Filter) Lower(q, t Signature) float64 { return f.lower(q, t, true, true) }

// Upper returns an upper bound of the distance from the graph of q to that of t, by a map
// that keeps no edge and as many node labels as possible. It is infinite if costs depend on
// labels, and for very large graphs.
func (f *Filter) Upper(q, t Signature) float64 {
	if f.tables || elements(q, t) > edit.MostElements {
		return math.Inf(1)
	}
	count := f.nodes.least(q.nodes, t.nodes, min(q.nodes, t.nodes), common(q.nodeLabels, t.nodeLabels)) +
		f.edges.least(q.edges, t.edges, 0, 0)
	return f.unit.Most(count, elements(q, t))
}

// Clip returns the prediction of a distance, moved to the nearer of the bounds [Filter.Lower]
// and [Filter.Upper] if it is outside. That does not make it worse, but it may violate the
// triangle inequality.
func (f *Filter) Clip(predicted float64, q, t Signature) float64 {
	return max(f.Lower(q, t), min(predicted, f.Upper(q, t)))
}

// Labels returns the label-multiset bound: [Filter.Lower] without degrees.
func (f *Filter) Labels(q, t Signature) float64 { return f.lower(q, t, true, false) }

// Degrees returns the sorted-degree bound: [Filter.Lower] without labels.
func (f *Filter) Degrees(q, t Signature) float64 { return f.lower(q, t, false, true) }

func (f *Filter) lower(q, t Signature, labels, degrees bool) float64 {
	if q.directed != t.directed {
		panic("bound: signatures of a directed and an undirected graph compared")
	}
	if elements(q, t) > edit.MostElements {
		return 0
	}
	nodes, edges := min(q.nodes, t.nodes), min(q.edges, t.edges)
	if degrees {
		edges = substitutable(q, t)
	}
	keepNodes, keepEdges := nodes, edges
	if labels {
		keepNodes = f.nodes.matching(q.nodeLabels, t.nodeLabels, nodes)
		keepEdges = f.edges.matching(q.edgeLabels, t.edgeLabels, edges)
	}
	return f.unit.Cost(f.nodes.least(q.nodes, t.nodes, nodes, keepNodes) +
		f.edges.least(q.edges, t.edges, edges, keepEdges))
}

func elements(q, t Signature) int { return q.nodes + q.edges + t.nodes + t.edges }

// substitutable returns the number of edges that the degrees allow to be substituted.
func substitutable(q, t Signature) int {
	if q.directed {
		lostOut, newOut := excess(q.out, t.out)
		lostIn, newIn := excess(q.in, t.in)
		return min(q.edges-max(lostOut, lostIn), t.edges-max(newOut, newIn))
	}
	lost, added := excess(q.out, t.out)
	return min(q.edges-(lost+1)/2, t.edges-(added+1)/2)
}

// matching returns how many of at most k substitutions can keep the label.
func (f *floor) matching(q, t []int32, k int) int {
	if f.diff == f.same {
		return k
	}
	c := common(q, t)
	if f.wild {
		c += wildcards(q)
	}
	return min(c, k)
}

// least returns the least cost of turning q elements into t with at most k substitutions, at
// most equals ≤ k of which keep the label. The cost is convex and piecewise linear in the
// number of substitutions, so it is least at 0, equals or k.
func (f *floor) least(q, t, k, equals int) float64 {
	cost := func(x, equal int) float64 {
		return times(q-x, f.del) + times(t-x, f.ins) + times(equal, f.same) + times(x-equal, f.diff)
	}
	return min(cost(0, 0), cost(equals, equals), cost(k, equals))
}

// times returns count·cost, and 0 for no edits, whatever they would cost.
func times(count int, cost float64) float64 {
	if count == 0 {
		return 0
	}
	return float64(count) * cost
}
