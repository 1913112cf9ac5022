package search

import (
	"maps"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/vectorindex"
)

// Clone returns a collection with the same graphs and models. Models can be attached to
// it while searches of c run.
func (c *Collection) Clone() *Collection {
	next := *c
	next.engines = maps.Clone(c.engines)
	return &next
}

// Step leads from a collection to the next.
type Step struct {
	// Put are records to append. Their graphs share the vocabulary.
	Put []dataset.Record
	// Drop are positions whose graphs are removed, possibly of records in Put. The
	// positions stay, empty.
	Drop []int
	// Vectors are, for each model attached, the embeddings of all positions after the
	// step, [positions, dim] row-major. They begin with the present ones.
	Vectors map[edit.Task][]float32
}

// With returns the collection after a step. Searches of c may run meanwhile. Both share
// memory into which the new one grows, so only the latest collection made from c may be
// changed further. New vectors are scanned.
func (c *Collection) With(s Step) (*Collection, error) {
	next := c.Clone()
	next.append(s.Put)
	next.Drop(s.Drop)
	for task, e := range next.engines {
		var err error
		if next.engines[task], err = e.with(s.Vectors[task], next.Positions()); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// Drop removes the graphs at positions of a collection that is not yet searched.
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

// Indexed returns how many positions, from the first, have all their vectors in an
// index that is slow to build.
func (c *Collection) Indexed() int {
	indexed := c.Positions()
	for _, e := range c.engines {
		indexed = min(indexed, e.built.Len())
	}
	return indexed
}

// blockVectors is how many of the vectors outside that index share a scan. A change
// copies only the last scan.
const blockVectors = 1024

// with returns the engine with vectors for more positions.
func (e engine) with(vectors []float32, positions int) (engine, error) {
	n := e.model.Norm()
	if have := len(vectors) / n.Dim(); have != positions {
		panic("search: vectors do not fit the collection")
	}
	e.vectors = vectors
	full := e.beside[:0:0]
	at := e.built.Len()
	for _, b := range e.beside {
		if b.Len() == blockVectors {
			full = append(full, b)
			at += blockVectors
		}
	}
	e.beside = full
	parts := []vectorindex.Index{e.built}
	for ; at < positions; at += blockVectors {
		b, err := vectorindex.NewFlat(n, vectors[at*n.Dim():min(at+blockVectors, positions)*n.Dim()])
		if err != nil {
			return e, err
		}
		e.beside = append(e.beside, b)
	}
	for _, b := range e.beside {
		parts = append(parts, b)
	}
	if e.index = e.built; len(parts) > 1 {
		e.index = vectorindex.Join(parts...)
	}
	return e, nil
}
