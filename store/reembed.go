package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
)

// reembedBatch is how many slots are embedded between two transactions.
const reembedBatch = 4096

// Reembed embeds the collection with another model, under a new name. Then searches use
// that in place of the embedding that serves the model's task, which is dropped unless
// keep is true. Until then the old one serves, and graphs may be added and deleted. If
// Reembed is stopped, calling it again resumes. After each batch it calls progress.
func (s *Store) Reembed(ctx context.Context, name string, m *model.Model, keep bool, workers int, progress func(done, slots int)) error {
	if err := s.startEmbedding(ctx, name, m); err != nil {
		return err
	}
	for {
		var from, dim int
		var slots []int
		var graphs []*graph.Graph
		total := 0
		err := s.View(ctx, func(snap *Snapshot) error {
			e, err := snap.m.named(name)
			if err != nil {
				return err
			}
			from, dim, total = e.Rows, e.Norm.Dim(), snap.Slots()
			return snap.Range(from, from+reembedBatch, func(slot int, rec dataset.Record) error {
				if rec.Graph == nil {
					return fmt.Errorf("%w: record %q has no graph", ErrKind, rec.ID)
				}
				slots, graphs = append(slots, slot), append(graphs, rec.Graph)
				return nil
			})
		})
		if err != nil {
			return err
		}
		if from == total {
			if done, err := s.switchTo(ctx, name, keep); done || err != nil {
				return err
			}
			continue
		}
		z, err := m.Embed(ctx, graphs, workers)
		if err != nil {
			return err
		}
		rows := make([]float32, min(reembedBatch, total-from)*dim)
		for i, slot := range slots {
			copy(rows[(slot-from)*dim:], z[i*dim:(i+1)*dim])
		}
		if err := s.Extend(ctx, name, from, rows); err != nil {
			return err
		}
		if progress != nil {
			progress(from+len(rows)/dim, total)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// startEmbedding adds the embedding unless an earlier run did.
func (s *Store) startEmbedding(ctx context.Context, name string, m *model.Model) error {
	var have *Embedding
	err := s.View(ctx, func(snap *Snapshot) error {
		have = snap.m.find(name)
		return nil
	})
	switch {
	case err != nil:
		return err
	case have == nil:
		return s.AddEmbedding(ctx, name, m)
	case have.Model != m.Fingerprint():
		return fmt.Errorf("embedding %q: %w, by another model: choose another name", name, ErrExists)
	}
	return nil
}

// switchTo makes a complete embedding serve. It reports whether it did.
func (s *Store) switchTo(ctx context.Context, name string, keep bool) (done bool, err error) {
	err = s.Serve(ctx, name, keep)
	if errors.Is(err, ErrVectors) { // graphs were put after the last batch
		return false, nil
	}
	return err == nil, err
}
