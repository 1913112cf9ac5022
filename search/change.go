package search

import (
	"context"
	"maps"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// Clone returns a collection with the same graphs and models, to which models
// can be attached while searches of c go on.
func (c *Collection) Clone() *Collection {
	next := *c
	next.engines = maps.Clone(c.engines)
	return &next
}

// deletedShare says when positions are renumbered: when one in so many is
// empty.
const deletedShare = 4

// With returns the collection with records put behind its own and the graphs at
// some positions deleted. Graphs of records share the vocabulary. Searches of c
// may go on; but both grow into the same memory, so that only the latest
// collection made from another may be changed again.
//
// New vectors are searched one by one until they are so many that the index is
// built anew. Positions stay as they are until a quarter of them is empty, and
// those of a shelf for good.
func (c *Collection) With(ctx context.Context, put []dataset.Record, drop []int) (*Collection, error) {
	next := c.Clone()
	next.Drop(drop)
	next.append(put)
	if next.shelf == nil && next.deleted*deletedShare > len(next.records) {
		return next.renumbered(ctx, put)
	}
	for task, e := range next.engines {
		z, err := e.model.Embed(ctx, graphsOf(put), 0)
		if err != nil {
			return nil, err
		}
		if next.engines[task], err = e.with(z); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// Drop deletes the graphs at positions of a collection that is not searched yet.
func (c *Collection) Drop(positions []int) {
	if len(positions) == 0 {
		return
	}
	c.gone = append(make([]bool, 0, c.Positions()), c.gone...)[:c.Positions()]
	for _, p := range positions {
		if !c.gone[p] {
			c.gone[p] = true
			c.deleted++
		}
	}
}

// with returns the engine with more vectors.
func (e engine) with(z []float32) (engine, error) {
	if len(z) == 0 {
		return e, nil
	}
	e.vectors = append(e.vectors, z...)
	return e, e.arrange()
}

// renumbered returns the collection without empty positions. The engines have
// no vectors yet of its last records, put.
func (c *Collection) renumbered(ctx context.Context, put []dataset.Record) (*Collection, error) {
	live := make([]dataset.Record, 0, c.Len())
	for p, r := range c.records {
		if !c.Deleted(p) {
			live = append(live, r)
		}
	}
	next := NewCollection(c.vocab, live)
	for _, e := range c.engines {
		z, err := e.model.Embed(ctx, graphsOf(put), 0)
		if err != nil {
			return nil, err
		}
		dim := e.model.Norm().Dim()
		vectors := make([]float32, 0, len(live)*dim)
		for p := range len(e.vectors) / dim {
			if !c.Deleted(p) {
				vectors = append(vectors, e.vectors[p*dim:(p+1)*dim]...)
			}
		}
		if err := next.Attach(ctx, e.model, append(vectors, z...), nil); err != nil {
			return nil, err
		}
	}
	return next, nil
}

func graphsOf(records []dataset.Record) []*graph.Graph {
	graphs := make([]*graph.Graph, len(records))
	for i, r := range records {
		graphs[i] = r.Graph
	}
	return graphs
}
