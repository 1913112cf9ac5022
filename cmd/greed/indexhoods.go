package main

import (
	"fmt"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/store"
)

// neighbourhoods indexes those of one large graph.
func (c *indexBuild) neighbourhoods(s *session, st *store.Store, b *built) error {
	records, err := c.load(s, c.Graphs, graph.NewVocabulary())
	if err != nil {
		return err
	}
	if len(records) != 1 {
		return fmt.Errorf("%s holds %s: --hops indexes the neighbourhoods of one", c.Graphs, count(len(records), "graph"))
	}
	list, err := c.models(records)
	if err != nil {
		return err
	}
	models := make(map[string]*model.Model)
	for _, m := range list {
		task := m.Metadata().Task
		if models[task.String()] != nil {
			return usageError(fmt.Sprintf("two models for %v: name one of each", task))
		}
		models[task.String()] = m
		b.Embeddings = append(b.Embeddings, task.String())
		b.Models = append(b.Models, task)
	}
	shown := s.bar(records[0].Graph.N(), "neighbourhoods")
	defer shown.finish()
	last := 0
	err = st.PutNeighbourhoods(s.ctx, records[0], *c.Hops, c.MaxNodes, models, s.workers, func(done, _ int) {
		shown.add(done - last)
		last = done
	})
	if err != nil {
		return err
	}
	return st.View(s.ctx, func(snap *store.Snapshot) error {
		b.Graphs = snap.Len()
		b.Truncated = &snap.Neighbourhoods().Truncated
		return nil
	})
}
