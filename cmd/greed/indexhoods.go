package main

import (
	"fmt"

	"github.com/greedgraph/greed/dataset"
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
	var given func(from, to int) map[string][]float32
	if c.given != nil {
		c.given.inputs.Add(&large)
		given = c.given.rows
		if err := c.given.check(list, large.Graph.N()); err != nil {
			return err
		}
	}
	shown := s.bar(large.Graph.N(), "neighbourhoods")
	defer shown.finish()
	last := 0
	err = st.PutNeighbourhoods(s.ctx, large, *c.Hops, c.MaxNodes, models, given, s.workers, func(done, _ int) {
		shown.add(done - last)
		last = done
	})
	if err != nil {
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
func (c *indexBuild) large(s *session) (dataset.Record, []*model.Model, error) {
	records, err := c.load(s, c.Graphs, graph.NewVocabulary())
	if err != nil {
		return dataset.Record{}, nil, err
	}
	if len(records) != 1 {
		return dataset.Record{}, nil, fmt.Errorf("%s holds %s: --hops indexes the neighbourhoods of one", c.Graphs, count(len(records), "graph"))
	}
	list, err := c.models(records)
	seen := make(map[edit.Task]bool)
	for _, m := range list {
		task := m.Metadata().Task
		if seen[task] {
			return dataset.Record{}, nil, usageError(fmt.Sprintf("two models for %v: name one of each", task))
		}
		seen[task] = true
	}
	return records[0], list, err
}
