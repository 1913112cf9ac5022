package main

import (
	"fmt"

	"github.com/greedgraph/greed/store"
)

// indexCheck reads everything in an index.
type indexCheck struct {
	Index string `arg:"" help:"The index."`
}

// Help shows below the usage of the command.
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
	if s.json {
		err = s.out.printJSON(r)
	} else {
		for _, p := range r.Problems {
			if _, err := fmt.Fprintln(s.out, p); err != nil {
				return err
			}
		}
		if len(r.Problems) == 0 {
			_, err = fmt.Fprintf(s.out, "%s, %s, no problems\n", count(r.Records, "graph"), count(r.Embeddings, "embedding"))
		}
	}
	if n := len(r.Problems); err == nil && n > 0 {
		err = fmt.Errorf("%s has %s", c.Index, count(n, "problem"))
	}
	return err
}
