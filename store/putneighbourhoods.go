package store

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/ordered"
	"github.com/greedgraph/greed/model"
)

const (
	// embedBatch is how many neighbourhoods are in memory at a time.
	embedBatch = 256
	// centreBatch is how many neighbourhoods one transaction writes.
	centreBatch = 32 * embedBatch
)

// LargeGraph is a graph whose nodes are searched by their neighbourhoods: for each node,
// the subgraph induced on the nodes at most Hops away, truncated to the first MaxNodes
// nodes unless that is 0.
type LargeGraph struct {
	Record         dataset.Record
	Hops, MaxNodes int
	Workers        int // goroutines that extract and embed neighbourhoods
}

// neighbourhoods describes the records of a collection of the graph.
func (l *LargeGraph) neighbourhoods() *Neighbourhoods {
	return &Neighbourhoods{Hops: l.Hops, MaxNodes: l.MaxNodes}
}

// PutNeighbourhoods fills an empty collection with the neighbourhoods of all nodes of a
// graph, which is stored once. Their ids are the nodes' names or numbers. Each model gets
// an embedding under its name. Apart from vectors, memory does not grow with the number of
// nodes. After each batch it calls progress, if that is not nil.
func (s *Store) PutNeighbourhoods(ctx context.Context, of LargeGraph, models map[string]*model.Model,
	progress func(done int)) error {
	if err := s.putLarge(ctx, of); err != nil {
		return err
	}
	for name, m := range models {
		if err := s.AddEmbedding(ctx, name, m); err != nil {
			return err
		}
	}
	for first, n := 0, of.Record.Graph.N(); first < n; first += centreBatch {
		batch, err := of.batch(ctx, first, min(first+centreBatch, n), models, progress)
		if err != nil {
			return err
		}
		if err := s.putCentres(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

// centres is a batch of consecutive nodes with the vectors of their neighbourhoods.
type centres struct {
	first     int
	records   []dataset.Record // without graphs
	truncated int              // neighbourhoods that were
	rows      map[string][]float32
}

// batch returns the nodes from first to to-1.
func (l *LargeGraph) batch(ctx context.Context, first, to int, models map[string]*model.Model,
	progress func(done int)) (*centres, error) {
	c := &centres{first: first, rows: make(map[string][]float32)}
	for v := first; v < to; v += embedBatch {
		var nodes []int
		for u := v; u < min(v+embedBatch, to); u++ {
			nodes = append(nodes, u)
			c.records = append(c.records, dataset.Record{ID: centreID(l.Record, u)})
		}
		graphs, truncated, err := l.around(ctx, nodes)
		if err != nil {
			return nil, err
		}
		rows, err := embedBy(ctx, models, graphs, l.Workers)
		if err != nil {
			return nil, err
		}
		for name, some := range rows {
			c.rows[name] = append(c.rows[name], some...)
		}
		c.truncated += truncated
		if progress != nil {
			progress(v + len(nodes))
		}
	}
	return c, nil
}

// putLarge makes an empty collection one of the neighbourhoods of a graph.
func (s *Store) putLarge(ctx context.Context, of LargeGraph) error {
	return s.update(ctx, func(snap *Snapshot) error {
		m := snap.m
		if m.Slots > 0 || m.Neighbourhoods != nil {
			return fmt.Errorf("%w: it is not empty", ErrKind)
		}
		rec := of.Record
		rec.Graph = graph.In(snap.labels.vocab, rec.Graph)
		payload, err := encode(rec, noCentre, number(snap.tx, m, &snap.labels))
		if err != nil {
			return fmt.Errorf("graph %q: %w", rec.ID, err)
		}
		m.Neighbourhoods = of.neighbourhoods()
		_, err = put(snap.tx, wholeBucket, wholeBucket, payload)
		return err
	})
}

// putCentres adds the neighbourhoods of a batch of nodes.
func (s *Store) putCentres(ctx context.Context, c *centres) error {
	return s.update(ctx, func(snap *Snapshot) error {
		snap.m.Neighbourhoods.Truncated += c.truncated
		_, err := snap.put(c.records, c.first, c.rows, false)
		return err
	})
}

// Embed returns the names of some nodes, and the vectors that a model gives their
// neighbourhoods, [len(nodes), dim].
func (l *LargeGraph) Embed(ctx context.Context, m *model.Model,
	nodes []int) (ids []string, vectors []float32, err error) {
	for len(nodes) > 0 {
		n := min(len(nodes), embedBatch)
		graphs, _, err := l.around(ctx, nodes[:n])
		if err != nil {
			return nil, nil, err
		}
		for _, v := range nodes[:n] {
			ids = append(ids, centreID(l.Record, v))
		}
		z, err := m.Embed(ctx, graphs, l.Workers)
		if err != nil {
			return nil, nil, err
		}
		vectors = append(vectors, z...)
		nodes = nodes[n:]
	}
	return ids, vectors, nil
}

// around returns the neighbourhoods of some nodes and how many were truncated.
func (l *LargeGraph) around(ctx context.Context, nodes []int) (graphs []*graph.Graph, truncated int, err error) {
	of := l.neighbourhoods()
	type cut struct {
		graph     *graph.Graph
		truncated bool
	}
	err = ordered.Map(ctx, len(nodes), max(1, l.Workers), func(_ context.Context, _, i int) (c cut, _ error) {
		c.graph, c.truncated = of.around(l.Record.Graph, nodes[i])
		return c, nil
	}, func(_ int, c cut) error {
		if graphs = append(graphs, c.graph); c.truncated {
			truncated++
		}
		return nil
	})
	return graphs, truncated, err
}
