package main

import (
	"github.com/greedgraph/greed/store"
)

// indexCheck reads everything in an index.
type indexCheck struct {
	Index string `arg:"" help:"The index."`
}

func (c *indexCheck) Run(s *session) error {
	r, err := store.Check(s.ctx, c.Index)
	if err != nil {
		return err
	}
	return printProblems(s, r, c.Index, r.Problems, count(r.Records, "graph")+", "+count(r.Embeddings, "embedding"))
}
