package search

import (
	"context"
	"maps"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/index"
)

// Clone returns a collection with the same graphs and models, to which models
// can be attached while searches of c go on.
func (c *Collection) Clone() *Collection {
	next := *c
	next.engines = maps.Clone(c.engines)
	return &next
}

const (
	leastUnsettled = 4096 // vectors beside the index before it is built anew
	unsettledShare = 8    // or one in so many, if that is more
	deletedShare   = 4    // positions are renumbered when one in so many is empty
)

// With returns the collection with records put behind its own and the graphs at
// some positions deleted. Graphs of records share the vocabulary. Searches of c
// may go on; but both grow into the same memory, so that only the latest
// collection made from another may be changed again.
//
// New vectors are searched one by one until they are so many that the index is
// built anew. Positions stay as they are until a quarter of them is empty.
func (c *Collection) With(ctx context.Context, put []dataset.Record, drop []int) (*Collection, error) {
	next := c.Clone()
	next.drop(drop)
	next.append(put)
	if next.deleted*deletedShare > len(next.records) {
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

// drop empties positions of a clone.
func (c *Collection) drop(positions []int) {
	if len(positions) == 0 {
		return
	}
	c.gone = append(make([]bool, 0, len(c.records)), c.gone...)[:len(c.records)]
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
	n := e.model.Norm()
	e.vectors = append(e.vectors, z...)
	rest := e.vectors[e.settled.Len()*n.Dim():]
	if len(rest)/n.Dim() > max(leastUnsettled, e.settled.Len()/unsettledShare) {
		return newEngine(e.model, e.vectors)
	}
	beside, err := index.NewFlat(n, rest)
	if err != nil {
		return e, err
	}
	e.index = index.Join(e.settled, beside)
	return e, nil
}

// Compact returns the collection without empty positions.
func (c *Collection) Compact(ctx context.Context) (*Collection, error) {
	if c.deleted == 0 {
		return c, nil
	}
	return c.renumbered(ctx, nil)
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
	for task, e := range c.engines {
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
		if next.engines[task], err = newEngine(e.model, append(vectors, z...)); err != nil {
			return nil, err
		}
	}
	return next, nil
}
