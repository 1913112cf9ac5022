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
	plan, err := s.planned(&c.MCS, 0)
	if err != nil {
		return err
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
	r, err := carryOut[greed.Overlap](s.ctx, plan, &operation.Inputs{Query: q, Target: t,
		Rules: comparedBy(both[1].Rules)})
	if err != nil {
		return err
	}
	r.Notes = dataset.Merge(both[0].Notes, both[1].Notes, r.Notes)
	if err := c.print(s, q, t, r); err != nil {
		return err
	}
	if !r.Exact {
		return s.ctx.Err()
	}
	return nil
}

func (c *mcsCommand) print(s *session, q, t *dataset.Record, r *greed.Overlap) error {
	if s.json {
		return s.out.printJSON(r)
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
		fmt.Fprintf(&b, "MCS at least %d and at most %s, the search was cut short after %s\n", r.Size,
			count(r.Upper, what), seconds(r.Seconds))
	}
	for v, w := range r.Map {
		if w != edit.Deleted {
			fmt.Fprintf(&b, "  %s -> %s\n", nodeText(q, v), nodeText(t, w))
		}
	}
	_, err := s.out.Write([]byte(b.String()))
	return err
}
