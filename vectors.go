package greed

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/norm"
)

// Embedding is the vector that a model gives to a graph.
type Embedding struct {
	Vector      []float32 // [Norm.Dim()]
	Norm        norm.Norm // of the difference of two vectors: the predicted distance
	Fingerprint string    // of the model
	Notes       []dataset.Note
}

// Embed returns the vector of a graph of any vocabulary by the model for a task. The error
// wraps [ErrNoGraph] or [ErrNoModel], or is the context's.
func (c *Collection) Embed(ctx context.Context, task Task, g *Graph) (Embedding, error) {
	if g == nil {
		return Embedding{}, fmt.Errorf("embed: %w", ErrNoGraph)
	}
	in := c.live.Acquire()
	defer in.Release()
	if err := in.Err(); err != nil {
		return Embedding{}, err
	}
	m := in.Model(task)
	if m == nil {
		return Embedding{}, fmt.Errorf("embed: %w for %v is attached", ErrNoModel, task)
	}
	// A model translates a whole vocabulary: here only the labels of the graph.
	z, err := m.Embed(ctx, []*Graph{graph.In(graph.NewVocabulary(), g)}, 1)
	return Embedding{z, m.Norm(), in.Fingerprint(task), dataset.Remarks(m.Warnings(g)...)}, err
}

// Sample returns the ids of at most limit graphs, evenly spread over the
// collection, and their vectors by the model for a task, [len(ids), dim]
// row-major. Without a model it returns none.
func (c *Collection) Sample(ctx context.Context, task Task,
	limit int) (ids []string, vectors []float32, dim int, err error) {
	dim, err = c.spread(ctx, task, limit, func(in *live.State, positions []int32, row func(int) []float32) {
		vectors = make([]float32, 0, len(positions)*len(row(0)))
		for _, p := range positions {
			ids, vectors = append(ids, in.ID(int(p))), append(vectors, row(int(p))...)
		}
	})
	return ids, vectors, dim, err
}

// spread calls take with the positions of at most limit graphs, evenly spread over the collection, if there are any,
// and what returns their vectors by the model for a task. It returns the length of those, 0 without a model.
func (c *Collection) spread(ctx context.Context, task Task, limit int,
	take func(in *live.State, positions []int32, row func(position int) []float32)) (dim int, err error) {
	in := c.live.Acquire()
	defer in.Release()
	if err := in.Err(); err != nil {
		return 0, err
	}
	m := in.Model(task)
	if m == nil {
		return 0, nil
	}
	return m.Norm().Dim(), in.Read(func() error {
		row, _, err := in.Vectors(ctx, task)
		if err != nil {
			return err
		}
		n := in.Len()
		most := min(limit, n)
		positions := make([]int32, 0, most)
		live := 0
		for p := range in.Live() {
			if live++; live*most >= (len(positions)+1)*n {
				positions = append(positions, int32(p))
			}
		}
		if len(positions) > 0 {
			take(in, positions, row)
		}
		return nil
	})
}
