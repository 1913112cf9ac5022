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
// progress. If given is not nil, it has the vectors of the nodes from to to-1 by each
// model, and nothing is embedded.
func (s *Store) PutNeighbourhoods(ctx context.Context, rec dataset.Record, hops, maxNodes int, models map[string]*model.Model, given func(from, to int) map[string][]float32, workers int, progress func(done, nodes int)) error {
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
			to := min(v+embedBatch, large.N())
			graphs, cut := h.some(large, to-v, func(i int) int { return v + i }, workers)
			var z map[string][]float32
			var err error
			if given != nil {
				z = given(v, to)
			} else if z, err = embedBy(ctx, models, graphs, workers); err != nil {
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

// EmbedNeighbourhoods returns the names of some nodes of the record's graph, and the
// vectors of their neighbourhoods by a model, [len(nodes), dim].
func EmbedNeighbourhoods(ctx context.Context, rec dataset.Record, hops, maxNodes int, m *model.Model, nodes []int, workers int) (ids []string, vectors []float32, err error) {
	h := &Neighbourhoods{Hops: hops, MaxNodes: maxNodes}
	for len(nodes) > 0 {
		n := min(len(nodes), embedBatch)
		graphs, _ := h.some(rec.Graph, n, func(i int) int { return nodes[i] }, workers)
		for _, v := range nodes[:n] {
			ids = append(ids, centreID(rec, v))
		}
		z, err := m.Embed(ctx, graphs, workers)
		if err != nil {
			return nil, nil, err
		}
		vectors = append(vectors, z...)
		nodes = nodes[n:]
	}
	return ids, vectors, nil
}

// some returns the neighbourhoods of n nodes and how many were cut.
func (h *Neighbourhoods) some(large *graph.Graph, n int, node func(i int) int, workers int) (graphs []*graph.Graph, truncated int) {
	graphs = make([]*graph.Graph, n)
	cut := make([]bool, n)
	workers = max(1, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := w; i < len(graphs); i += workers {
				graphs[i], cut[i] = h.around(large, node(i))
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
