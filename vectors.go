package greed

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
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
	in := c.live.Acquire()
	defer in.Release()
	if err := in.Err(); err != nil {
		return nil, nil, 0, err
	}
	m := in.Model(task)
	if m == nil {
		return nil, nil, 0, nil
	}
	dim = m.Norm().Dim()
	err = in.Read(func() error {
		row, _, err := in.Vectors(ctx, task)
		if err != nil {
			return err
		}
		live, taken := 0, 0
		for p := range in.Live() {
			if live++; live*min(limit, in.Len())/in.Len() > taken {
				taken++
				ids = append(ids, in.About(p).ID)
				vectors = append(vectors, row(p)...)
			}
		}
		return nil
	})
	return ids, vectors, dim, err
}
