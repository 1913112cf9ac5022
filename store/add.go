package store

import (
	"context"
	"errors"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
)

// Add embeds records with the models of the collection at dir and puts them.
// It opens the collection for a moment before and after, so that others can use
// it meanwhile, and starts over if it was given another model in that time. It
// returns how many records were replaced. Put many at a time: each call flushes
// the disk.
func Add(ctx context.Context, dir string, records []dataset.Record, workers int) (replaced int, err error) {
	graphs := make([]*graph.Graph, len(records))
	for i := range records {
		graphs[i] = records[i].Graph
	}
	for {
		rows, err := embedAll(ctx, dir, graphs, workers)
		if err != nil {
			return 0, err
		}
		err = with(dir, Options{}, func(s *Store) error {
			replaced, err = s.Put(records, rows)
			return err
		})
		if !errors.Is(err, ErrVectors) {
			return replaced, err
		}
	}
}

// with opens a collection for as long as use takes.
func with(dir string, opt Options, use func(*Store) error) error {
	s, err := Open(dir, opt)
	if err != nil {
		return err
	}
	return errors.Join(use(s), s.Close())
}

// embedAll returns what every complete embedding of a collection makes of
// graphs.
func embedAll(ctx context.Context, dir string, graphs []*graph.Graph, workers int) (map[string][]float32, error) {
	models := make(map[string]*model.Model)
	err := with(dir, Options{ReadOnly: true}, func(s *Store) error {
		return s.View(func(snap *Snapshot) error {
			for _, e := range snap.m.Embeddings {
				if e.Rows != snap.m.Slots {
					continue
				}
				var err error
				if models[e.Name], err = snap.Model(e.Model); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return embedBy(ctx, models, graphs, workers)
}

func embedBy(ctx context.Context, models map[string]*model.Model, graphs []*graph.Graph, workers int) (map[string][]float32, error) {
	rows := make(map[string][]float32)
	for name, m := range models {
		z, err := m.Embed(ctx, graphs, workers)
		if err != nil {
			return nil, err
		}
		rows[name] = z
	}
	return rows, ctx.Err()
}
