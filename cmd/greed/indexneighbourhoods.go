package main

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/store"
)

// neighbourhoods indexes those of one large graph.
func (c *indexBuild) neighbourhoods(s *session, st *store.Store, b *built) error {
	large, list, err := c.large(s)
	if err != nil {
		return err
	}
	models := make(map[string]*model.Model)
	for _, m := range list {
		task := m.Metadata().Task
		models[task.String()] = m
		b.Embeddings = append(b.Embeddings, task.String())
		b.Models = append(b.Models, task)
	}
	var given store.Embedder // nil: the models embed
	if c.given != nil {
		c.given.inputs.Add(&large.Record)
		given = func(_ context.Context, first int, graphs []*graph.Graph) (map[string][]float32, error) {
			return c.given.rows(first, first+len(graphs)), nil
		}
		if err := c.given.check(list, large.Record.Graph.N()); err != nil {
			return err
		}
	}
	shown := s.bar(large.Record.Graph.N(), "neighbourhoods")
	defer shown.Finish()
	if err := st.PutNeighbourhoods(s.ctx, large, models, given, shown.Reach); err != nil {
		return err
	}
	if err := st.SetRules(s.ctx, c.found); err != nil {
		return err
	}
	return st.View(s.ctx, func(snap *store.Snapshot) error {
		b.Graphs = snap.Len()
		b.Truncated = &snap.Neighbourhoods().Truncated
		return nil
	})
}

// large reads the one large graph, and the models for its neighbourhoods.
func (c *indexBuild) large(s *session) (store.LargeGraph, []*model.Model, error) {
	records, err := c.load(s, c.Graphs, graph.NewVocabulary())
	if err != nil {
		return store.LargeGraph{}, nil, err
	}
	if len(records) != 1 {
		return store.LargeGraph{}, nil, fmt.Errorf("%s holds %s: --hops indexes the neighbourhoods of one", c.Graphs, count(len(records), "graph"))
	}
	list, err := c.models(records)
	seen := make(map[edit.Task]bool)
	for _, m := range list {
		task := m.Metadata().Task
		if seen[task] {
			return store.LargeGraph{}, nil, usageError(fmt.Sprintf("two models for %v: name one of each", task))
		}
		seen[task] = true
	}
	return store.LargeGraph{Record: records[0], Hops: *c.Hops, MaxNodes: c.MaxNodes, Workers: s.workers}, list, err
}
