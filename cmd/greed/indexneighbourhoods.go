package main

import (
	"fmt"

	"github.com/alecthomas/kong"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/store"
)

// neighbourhoods indexes those of one large graph.
func (c *indexBuild) neighbourhoods(s *session, src greed.Source, st *store.Store, b *built) error {
	large, rules, err := c.large(s, src, c.Graphs)
	if err != nil {
		return err
	}
	models := make(map[string]*model.Model)
	for _, m := range c.chosen { // the bundled ones were not trained on neighbourhoods
		task := m.Metadata().Task
		if models[task.String()] != nil {
			return usageError(fmt.Sprintf("two models for %v: name one of each", task))
		}
		models[task.String()] = m
		b.Embeddings = append(b.Embeddings, task.String())
		b.Models = append(b.Models, task)
	}
	shown := s.bar(large.Record.Graph.N(), "neighbourhoods")
	defer shown.Finish()
	if err := st.PutNeighbourhoods(s.ctx, large, models, shown.Reach); err != nil {
		return err
	}
	if err := st.SetRules(s.ctx, rules); err != nil {
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
func (c *hopsFlags) large(s *session, src greed.Source, path string) (store.LargeGraph, dataset.Rules, error) {
	r, err := s.read(src, path)
	if err == nil && len(r.Records) != 1 {
		err = fmt.Errorf("%s holds %s: --hops takes the neighbourhoods of one", path, count(len(r.Records), "graph"))
	}
	if err != nil {
		return store.LargeGraph{}, dataset.Rules{}, err
	}
	return store.LargeGraph{Record: r.Records[0], Hops: *c.Hops, MaxNodes: c.MaxNodes, Workers: s.workers}, r.Rules, nil
}
