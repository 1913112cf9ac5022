package search

import (
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/ged/screen"
	"github.com/greedgraph/greed/graph"
)

// Kind returns the kind of the collection's graphs: that of the first.
func (c *Collection) Kind() dataset.Kind {
	for p := range c.Live() {
		return dataset.KindOf(c.Record(p))
	}
	return dataset.Kind{}
}

// checkQuery returns an error that wraps [ged.ErrDirection] if the graphs of the
// collection have no distance to q.
func (c *Collection) checkQuery(q *graph.Graph) error {
	kind := c.Kind()
	if !kind.Known() || kind.Directed() == q.Directed() {
		return nil
	}
	is, are := "undirected", "directed"
	if q.Directed() {
		is, are = are, is
	}
	return fmt.Errorf("there is no distance between %w: the query is %s, and the graphs of the collection are %s", ged.ErrDirection, is, are)
}

// checkMixed returns an error that wraps [dataset.ErrMixed] if a graph is directed and
// q is not, or the reverse. Collections written by old versions may hold both kinds.
func (c *Collection) checkMixed(q *graph.Graph) error {
	sheets, from := []*screen.Sheet{&c.sheet}, []int{c.shelved()}
	if c.shelf != nil {
		sheets, from = append(sheets, c.shelf.Sheet()), append(from, 0)
	}
	for i := range sheets {
		if p, ok := sheets[i].First(!q.Directed()); ok && !c.Deleted(from[i]+p) {
			return c.Kind().Check(c.Record(from[i] + p))
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
// both are of one kind.
func (b *bounder) clip(position int, predicted float64) float64 {
	s := b.in.Signature(position)
	if s.Directed() != b.sign.Directed() {
		return predicted
	}
	return b.filter.Clip(predicted, b.sign, s)
}

// lower returns a lower bound of the distance to the graph at a position. The error
// wraps [dataset.ErrMixed] if the graph is of the other kind, which collections written
// by old versions may hold.
func (b *bounder) lower(position int) (float64, error) {
	s := b.in.Signature(position)
	if s.Directed() != b.sign.Directed() {
		return 0, b.in.Kind().Check(b.in.Record(position))
	}
	return b.filter.Lower(b.sign, s), nil
}
