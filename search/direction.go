package search

import (
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/ged/screen"
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
	return fmt.Errorf("there is no distance between %w: the query is %s, and the graphs of the collection are %s", ged.ErrDirection, is, are)
}

// checkMixed returns an error that wraps [dataset.ErrMixed] if a graph is directed and
// q is not, or the reverse. Collections written by old versions may hold both.
func (c *Collection) checkMixed(q *graph.Graph) error {
	sheets, from := []*screen.Sheet{&c.sheet}, []int{c.inSegment()}
	if c.segment != nil {
		sheets, from = append(sheets, c.segment.Sheet()), append(from, 0)
	}
	for i := range sheets {
		if p, ok := sheets[i].First(!q.Directed()); ok && !c.Deleted(from[i]+p) {
			return c.Direction().Check(c.Record(from[i] + p))
		}
	}
	return nil
}

// bounder bounds the distances of a query to the graphs of a collection from
// below.
type bounder struct {
	in     *Collection
	filter *bound.Filter
	sign   bound.Signature
}

// clip keeps a prediction within bounds of the distance to the graph at a position, where
// both are of one direction.
func (b *bounder) clip(position int, predicted float64) float64 {
	s := b.in.Signature(position)
	if s.Directed() != b.sign.Directed() {
		return predicted
	}
	return b.filter.Clip(predicted, b.sign, s)
}

// lower returns a lower bound of the distance to the graph at a position. The error
// wraps [dataset.ErrMixed] if the graph is of the other direction, which collections written
// by old versions may hold.
func (b *bounder) lower(position int) (float64, error) {
	s := b.in.Signature(position)
	if s.Directed() != b.sign.Directed() {
		return 0, b.in.Direction().Check(b.in.Record(position))
	}
	return b.filter.Lower(b.sign, s), nil
}
