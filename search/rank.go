package search

import (
	"cmp"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/graph"
)

// rank orders graphs at one distance from the query. Of those that contain it, nearly or
// wholly, the smaller one is first: it has the least beside the query. Then, and for the
// other tasks from the start, the one with the greater share of labels in common, which
// compares sizes as well as labels. Graphs that are alike in that come in the order of
// positions. So the answers do not depend on how they were found, nor on ids.
type rank struct {
	size     int // of the graph where that counts, in nodes and edges
	apart    float64
	position int
}

func (r rank) compare(other rank) int {
	return cmp.Or(cmp.Compare(r.size, other.size), cmp.Compare(r.apart, other.apart),
		cmp.Compare(r.position, other.position))
}

// Order returns what orders graphs at one distance from a query: size, where that counts, then apart, then their
// positions. Whoever merges answers of several collections needs it.
func (c *Collection) Order(q *graph.Graph, task edit.Task) func(position int) (size int, apart float64) {
	by := ranker{c.asNumbered(q), task}
	return func(position int) (int, float64) {
		r := by.rank(position)
		return r.size, r.apart
	}
}

// ranker ranks the graphs of a collection for a query.
type ranker struct {
	numbered *asNumbered
	task     edit.Task
}

// rank returns the rank of the graph at a position.
func (r *ranker) rank(position int) rank {
	q, s := r.numbered.at(position)
	k := rank{apart: 1 - bound.Shared(q, s), position: position}
	if r.task == edit.SED {
		k.size = s.Nodes() + s.Edges()
	}
	return k
}
