package search

import (
	"maps"
	"slices"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
)

// Clone returns a collection with the same graphs and models. Models can be attached to
// it while searches of c run.
func (c *Collection) Clone() *Collection {
	next := *c
	next.engines, next.runs = maps.Clone(c.engines), slices.Clone(c.runs)
	return &next
}

// Step leads from a collection to the next.
type Step struct {
	// Put are records to append. Their graphs share the vocabulary.
	Put []dataset.Record
	// Drop are positions whose graphs are removed, possibly of records in Put. The
	// positions stay, empty.
	Drop []int
	// Vectors are, for models attached, the embeddings of all positions after the step,
	// [positions, dim] row-major. They begin with the present ones. Those of other models
	// are computed when they are first needed.
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
		v, z := e.have(), s.Vectors[task]
		if z != nil && len(z)/e.model.Norm().Dim() != next.Positions() {
			panic("search: vectors do not fit the collection")
		}
		if v == nil || z == nil {
			after := newEngine(e.model, nil)
			if before := e.cell.stored; before != nil && z != nil {
				after.cell.stored = &Stored{z, before.Indexed, before.Open}
			}
			next.engines[task] = after
			continue
		}
		v, err := v.with(e.model, z)
		if err != nil {
			return nil, err
		}
		next.engines[task] = newEngine(e.model, v)
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
