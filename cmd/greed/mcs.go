package main

import (
	"fmt"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/operation"
)

type mcsCommand struct {
	Query  string `arg:"" help:"A file with one graph, - for standard input, or a SMILES."`
	Target string `arg:"" help:"The same."`

	operation.MCS
	readFlags
}

// Run finds the maximum common subgraph.
func (c *mcsCommand) Run(s *session) error {
	find, err := c.Resolve(operation.Limits{}, greed.NoLimit)
	if err != nil {
		return usage(err)
	}
	if err := c.needed(s, c.Query, c.Target); err != nil {
		return err
	}
	inputs := [2]string{c.Query, c.Target}
	both, err := s.readBoth(c.source(s), inputs, nil)
	if err != nil {
		return err
	}
	for i, r := range both {
		if n := len(r.Records); n != 1 {
			return fmt.Errorf("%s has %s: mcs compares one graph with another", inputs[i], count(n, "graph"))
		}
	}
	q, t := &both[0].Records[0], &both[1].Records[0]
	r, err := find(s.ctx, both[1].Rules, q, t)
	if err != nil {
		return err
	}
	if err := c.print(s, q, t, r); err != nil {
		return err
	}
	if !r.Exact {
		return s.ctx.Err()
	}
	return nil
}

// mcsJSON is the JSON form of a common subgraph.
type mcsJSON struct {
	Query  string `json:"query"`
	Target string `json:"target"`
	operation.Overlap
}

func (c *mcsCommand) print(s *session, q, t *dataset.Record, r operation.Overlap) error {
	if s.json {
		return s.out.printJSON(mcsJSON{q.ID, t.ID, r})
	}
	var b strings.Builder
	what := "node"
	if c.Edges {
		what = "edge"
	}
	switch {
	case r.Exact:
		fmt.Fprintf(&b, "MCS %s, exact, found in %s\n", count(r.Size, what), seconds(r.Seconds))
	case r.Upper < c.AtLeast:
		fmt.Fprintf(&b, "MCS less than %s, found in %s\n", count(c.AtLeast, what), seconds(r.Seconds))
	default:
		fmt.Fprintf(&b, "MCS at least %d and at most %s, the search was cut short after %s\n", r.Size, count(r.Upper, what), seconds(r.Seconds))
	}
	for v, w := range r.Map {
		if w != edit.Deleted {
			fmt.Fprintf(&b, "  %s -> %s\n", nodeText(q, v), nodeText(t, w))
		}
	}
	_, err := s.out.Write([]byte(b.String()))
	return err
}
