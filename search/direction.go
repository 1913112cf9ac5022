package search

import (
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/graph"
)

// Direction returns the direction of the collection's graphs: that of the first.
func (c *Collection) Direction() dataset.Direction {
	for p := range c.Live() {
		return dataset.DirectionOf(c.Record(p))
	}
	return dataset.Direction{}
}

// checkQuery returns an error that wraps [ged.ErrDirection] if the graphs of the
// collection have no distance to q.
func (c *Collection) checkQuery(q *graph.Graph) error {
	direction := c.Direction()
	if !direction.Known() || direction.Directed() == q.Directed() {
		return nil
	}
	is, are := "undirected", "directed"
	if q.Directed() {
		is, are = are, is
	}
	return fmt.Errorf("there is no distance between %w: the query is %s, and the graphs of the collection are %s",
		ged.ErrDirection, is, are)
}

// bounder bounds the distances of a query to the graphs of a collection from below.
type bounder struct {
	numbered *asNumbered
	filter   *bound.Filter
}

// clip keeps a prediction within bounds of the distance to the graph at a position.
func (b *bounder) clip(position int, predicted float64) float64 {
	q, t := b.numbered.at(position)
	return b.filter.Clip(predicted, q, t)
}

// lower returns a lower bound of the distance to the graph at a position.
func (b *bounder) lower(position int) float64 {
	q, t := b.numbered.at(position)
	return b.filter.Lower(q, t)
}
