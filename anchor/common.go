package anchor

import (
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// Searches of common subgraphs of graphs whose numbers of nodes have a product of more than manyPairs start from a map,
// which may take startShare of the time.
const (
	manyPairs  = 1 << 14
	startShare = 0.3
)

// Common returns a node map between two large simple graphs that keeps many edges, or nil of others. Nodes and edges
// only become such of the same label.
func Common(q, t *graph.Graph, ignoreEdgeLabels bool, c *clock.Clock) edit.NodeMap {
	if q.N()*t.N() <= manyPairs {
		return nil
	}
	costs := edit.Costs{NodeSubstitute: 1e6, EdgeInsert: 1, EdgeDelete: 1, EdgeSubstitute: 2}
	if ignoreEdgeLabels {
		costs.EdgeSubstitute = 0
	}
	p, err := edit.Price(edit.GED, costs, q, t)
	if err != nil {
		panic("anchor: " + err.Error()) // these costs have no tables
	}
	c.Share(startShare)
	defer c.Whole()
	return Map(p, q, t, nil, c)
}
