package edit

import (
	"fmt"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// Deleted is the value of a query node without a target node in a [NodeMap].
const Deleted = -1

// NodeMap maps every query node to a target node or to [Deleted]: [n_q]. No two query
// nodes are mapped to the same target node. Target nodes that no query node is mapped to
// are inserted. So a node map induces the edits of all nodes and edges.
type NodeMap []int

// Check returns an error unless m is a node map between q and t.
func (m NodeMap) Check(q, t *graph.Graph) error {
	if len(m) != q.N() {
		return fmt.Errorf("edit: node map of %d nodes for a query of %d", len(m), q.N())
	}
	seen := make([]bool, t.N())
	for v, w := range m {
		if w == Deleted {
			continue
		}
		if w < 0 || w >= t.N() {
			return fmt.Errorf("edit: query node %d is mapped to %d, the target has nodes 0 to %d", v, w, t.N()-1)
		}
		if seen[w] {
			return fmt.Errorf("edit: two query nodes are mapped to target node %d", w)
		}
		seen[w] = true
	}
	return nil
}

// Inverse returns the map from target to query nodes, [n_t].
func (m NodeMap) Inverse(t *graph.Graph) NodeMap {
	inv := slices.Repeat(NodeMap{Deleted}, t.N())
	for v, w := range m {
		if w != Deleted {
			inv[w] = v
		}
	}
	return inv
}

// InducedCost returns the total cost of the edits that m induces. Every node and edge is
// edited at most once, except that an edge between mapped nodes is deleted and inserted
// where that costs less than changing its label. The edit distance is the minimum over
// all node maps. If costs break the triangle inequality over labels, edits through a
// third label could cost less; they are not considered.
//
// It panics unless m is a node map between q and t.
func InducedCost(p *Pricing, q, t *graph.Graph, m NodeMap) float64 {
	if err := m.Check(q, t); err != nil {
		panic(err.Error())
	}
	q, t = p.Ready(q), p.Ready(t)
	inv := m.Inverse(t)
	total := 0.0
	for v, w := range m {
		if w == Deleted {
			total += p.NodeDelete(q.Label(v))
		} else {
			total += p.NodeSubstitute(q.Label(v), t.Label(w))
		}
	}
	for w, v := range inv {
		if v == Deleted {
			total += p.NodeInsert(t.Label(w))
		}
	}
	for e := range q.Edges() {
		if l, ok := across(t, m[e.From], m[e.To]); ok {
			total += p.EdgeSubstitute(e.Label, l)
		} else {
			total += p.EdgeDelete(e.Label)
		}
	}
	for e := range t.Edges() {
		if _, ok := across(q, inv[e.From], inv[e.To]); !ok {
			total += p.EdgeInsert(e.Label)
		}
	}
	return total
}

// across returns the label of the edge of g between the images of two nodes, and
// whether there is one.
func across(g *graph.Graph, v, w int) (graph.Label, bool) {
	if v == Deleted || w == Deleted {
		return 0, false
	}
	return g.Edge(v, w)
}
