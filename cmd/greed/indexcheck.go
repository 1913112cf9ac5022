package main

import (
	"github.com/greedgraph/greed/store"
)

// indexCheck reads everything in an index.
type indexCheck struct {
	Index string `arg:"" help:"The index."`
}

// Help is printed below the usage of the command.
func (indexCheck) Help() string {
	return `
Reads every graph, model and vector, compares them with their checksums, and prints a
line for everything that is damaged. The exit code is 1 if anything is.

    greed index check molecules.index
`
}

func (c *indexCheck) Run(s *session) error {
	r, err := store.Check(s.ctx, c.Index)
	if err != nil {
		return err
	}
	return printProblems(s, r, c.Index, r.Problems, count(r.Records, "graph")+", "+count(r.Embeddings, "embedding"))
}
