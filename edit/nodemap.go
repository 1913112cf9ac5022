package edit

import (
	"fmt"

	"github.com/greedgraph/greed/graph"
)

// Deleted stands in a [NodeMap] for a query node that has no counterpart.
const Deleted = -1

// NodeMap assigns every query node a target node or [Deleted]: [n_q]. No two
// query nodes share a target node; target nodes that no query node has are
// inserted. A node map induces the edits of all nodes and edges.
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
	inv := make(NodeMap, t.N())
	for w := range inv {
		inv[w] = Deleted
	}
	for v, w := range m {
		if w != Deleted {
			inv[w] = v
		}
	}
	return inv
}

// InducedCost returns the total cost of the edits that m induces: every node and
// edge is edited at most once, but that an edge between mapped nodes is deleted
// and inserted where this costs less than to relabel it. The edit distance is the
// minimum over all node maps. With costs that break the triangle inequality over labels a
// sequence of edits through a third label could cost less; such sequences are
// not considered.
//
// It panics unless m is a node map between q and t.
func InducedCost(p *Pricing, q, t *graph.Graph, m NodeMap) float64 {
	total := 0.0
	for op := range inducedEdits(p, q, t, m) {
		total += op.Cost
	}
	return total
}
