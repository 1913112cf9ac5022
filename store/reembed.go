package store

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
)

// Reembed compacts the collection and gives it an embedding by another model, under a new
// name; the error wraps [ErrExists] if there is one of that name. From then on searches use it
// in place of the embedding that serves the model's task, which is dropped unless keep is
// true. Others continue meanwhile, and their changes are carried over. After each piece it
// calls progress. If the disk fails at the very end, the collection may be the old or the new
// one.
func (s *Store) Reembed(ctx context.Context, name string, m *model.Model, keep bool, workers int,
	progress func(slots int)) error {
	if err := m.CheckIndexable(); err != nil {
		return err
	}
	err := s.compact(ctx, workers, func(*manifest) bool { return true }, &reembedding{name, m, keep, workers, progress})
	if err == nil {
		s.forgetEmbedders()
	}
	return err
}

// reembedding is an embedding that a compaction makes. Nil makes none.
type reembedding struct {
	name     string
	model    *model.Model
	keep     bool // the embedding that served
	workers  int
	progress func(slots int)
}

// embeddings returns the embeddings of the new collection, and for each the old one that has
// its rows, or −1.
func (r *reembedding) embeddings(old *manifest) (list []Embedding, from []int, err error) {
	for i, e := range old.Embeddings {
		if r != nil && e.Serves && e.Task == r.model.Metadata().Task {
			if e.Serves = false; !r.keep {
				continue
			}
		}
		list, from = append(list, e), append(from, i)
	}
	if r != nil {
		if err := old.free(r.name); err != nil {
			return nil, nil, err
		}
		e := Embedding{Name: r.name, Task: r.model.Metadata().Task, Model: r.model.Fingerprint(), Norm: r.model.Norm(),
			Serves: true}
		list, from = append(list, e), append(from, -1)
	}
	return list, from, nil
}

// embed returns the vectors of the records that a compaction has read.
func (r *reembedding) embed(ctx context.Context, c *compaction) ([]float32, error) {
	graphs := make([]*graph.Graph, len(c.came))
	for i, moved := range c.came {
		rec, err := c.old.Neighbourhoods.decode(moved.payload, c.from, c.large)
		if err == nil && rec.Graph == nil {
			err = fmt.Errorf("%w: record %q has no graph", ErrKind, rec.ID)
		}
		if err != nil {
			return nil, err
		}
		graphs[i] = rec.Graph
	}
	rows, err := r.model.Embed(ctx, graphs, r.workers)
	if err == nil {
		err = ctx.Err()
	}
	return rows, err
}
