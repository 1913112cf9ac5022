package main

import (
	"fmt"

	"github.com/alecthomas/kong"

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
	shown := s.bar(large.Record.Graph.N(), "neighbourhoods")
	defer shown.Finish()
	if err := st.PutNeighbourhoods(s.ctx, large, models, shown.Reach); err != nil {
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

// hopsFlags are for commands that take the neighbourhoods of one large graph.
type hopsFlags struct {
	Hops     *int `placeholder:"N" help:"Take the neighbourhood of every node of one large graph: all within N edges."`
	MaxNodes int  `default:"1000" placeholder:"N" help:"Cut neighbourhoods at N nodes; 0: never (default 1000)."`
}

// AfterApply refuses --max-nodes where nothing is cut.
func (c *hopsFlags) AfterApply(command *kong.Context) error {
	if c.Hops == nil && isGiven(command, "max-nodes") {
		return usageError("--max-nodes cuts the neighbourhoods of --hops: leave it out")
	}
	return nil
}

func (c *hopsFlags) check() error {
	if c.Hops != nil && *c.Hops < 0 || c.MaxNodes < 0 {
		return usageError("--hops and --max-nodes: want at least 0")
	}
	return nil
}

// large reads the one large graph.
func (c *hopsFlags) large(s *session, read *readFlags, path string) (store.LargeGraph, error) {
	records, err := read.load(s, path, graph.NewVocabulary())
	if err == nil && len(records) != 1 {
		err = fmt.Errorf("%s holds %s: --hops takes the neighbourhoods of one", path, count(len(records), "graph"))
	}
	if err != nil {
		return store.LargeGraph{}, err
	}
	return store.LargeGraph{Record: records[0], Hops: *c.Hops, MaxNodes: c.MaxNodes, Workers: s.workers}, nil
}

// large reads the one large graph, and the models for its neighbourhoods.
func (c *indexBuild) large(s *session) (store.LargeGraph, []*model.Model, error) {
	large, err := c.hopsFlags.large(s, &c.readFlags, c.Graphs)
	if err != nil {
		return large, nil, err
	}
	list, err := c.models([]dataset.Record{large.Record})
	seen := make(map[edit.Task]bool)
	for _, m := range list {
		task := m.Metadata().Task
		if seen[task] {
			return store.LargeGraph{}, nil, usageError(fmt.Sprintf("two models for %v: name one of each", task))
		}
		seen[task] = true
	}
	return large, list, err
}
