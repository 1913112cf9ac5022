package store

import (
	"context"
	"sync"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
)

const (
	// embedBatch is how many neighbourhoods are in memory at a time.
	embedBatch = 256
	// centreBatch is how many neighbourhoods one transaction writes.
	centreBatch = 32 * embedBatch
)

// PutNeighbourhoods fills an empty collection with all neighbourhoods of the record's
// graph, as [Store.SetWhole] describes, and embeds them with each model under its name.
// Apart from vectors, memory does not grow with their number. After each batch it calls
// progress.
func (s *Store) PutNeighbourhoods(ctx context.Context, rec dataset.Record, hops, maxNodes int, models map[string]*model.Model, workers int, progress func(done, nodes int)) error {
	if err := s.SetWhole(ctx, rec, hops, maxNodes); err != nil {
		return err
	}
	for name, m := range models {
		if err := s.AddEmbedding(ctx, name, m); err != nil {
			return err
		}
	}
	h := &Neighbourhoods{Hops: hops, MaxNodes: maxNodes}
	large := rec.Graph
	for first := 0; first < large.N(); first += centreBatch {
		var ids []string
		rows := make(map[string][]float32)
		truncated := 0
		for v := first; v < min(first+centreBatch, large.N()); v += embedBatch {
			graphs, cut := h.some(large, v, min(v+embedBatch, large.N()), workers)
			z, err := embedBy(ctx, models, graphs, workers)
			if err != nil {
				return err
			}
			for name := range models {
				rows[name] = append(rows[name], z[name]...)
			}
			for i := range graphs {
				ids = append(ids, centreID(rec, v+i))
			}
			truncated += cut
			if progress != nil {
				progress(v+len(graphs), large.N())
			}
		}
		if err := s.PutCentres(ctx, ids, first, truncated, rows); err != nil {
			return err
		}
	}
	return nil
}

// some returns the neighbourhoods of the nodes from to to-1, and how many were
// truncated.
func (h *Neighbourhoods) some(large *graph.Graph, from, to, workers int) (graphs []*graph.Graph, truncated int) {
	graphs = make([]*graph.Graph, to-from)
	cut := make([]bool, to-from)
	workers = max(1, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := w; i < len(graphs); i += workers {
				graphs[i], cut[i] = h.around(large, from+i)
			}
		})
	}
	wait.Wait()
	for _, c := range cut {
		if c {
			truncated++
		}
	}
	return graphs, truncated
}
