package main

import (
	"context"
	"errors"
	"fmt"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/ordered"
	"github.com/greedgraph/greed/operation"
)

// distanceFlags are the flags of ged and sed.
type distanceFlags struct {
	pairingFlags

	Format      string `enum:"text,tsv" default:"text" help:"How to print: text, tsv."`
	Certificate string `writes:"" placeholder:"FILE" help:"${distance_certificate}"`
	Map         bool   `help:"With --format tsv, add a column with the node maps."`
	operation.Paired
	operation.Mapped
	operation.Explained
	memoryFlag
	readFlags
}

// memoryFlag limits what the solver may hold.
type memoryFlag struct {
	MaxMemory int `placeholder:"MIB" help:"Memory of the solver for each pair, in MiB (default 1024)."`
}

// bytes returns the limit as the solver takes it, 0 for the default.
func (m memoryFlag) bytes() (int64, error) {
	if m.MaxMemory < 0 {
		return 0, usageError(fmt.Sprintf("--max-memory %d: give a number of MiB above 0", m.MaxMemory))
	}
	return int64(m.MaxMemory) << 20, nil
}

// pairTask is what to compute, and how it is printed.
type pairTask struct {
	*session
	pairing
	operation.Distance
	flags *distanceFlags
	plan  *operation.Planned
	task  edit.Task
}

// run reads the graphs, determines the pairs, and computes them.
func (c *distanceFlags) run(s *session, task edit.Task) error {
	switch {
	case s.json && c.Format != "text":
		return usageError("--json cannot be combined with --format " + c.Format)
	case c.Map && c.Format != "tsv" && !s.json:
		return usageError("--map adds a column to --format tsv; to see the node map use --explain or --json")
	case c.Explain && c.Format == "tsv":
		return usageError("--explain does not fit --format tsv; to get the node map use --map")
	}
	request := operation.Distance{Task: task.String(), Paired: c.Paired, Mapped: c.Mapped, Explained: c.Explained}
	memory, err := c.bytes()
	if err != nil {
		return err
	}
	plan, err := s.planned(&request, memory)
	if err != nil {
		return err
	}
	if err := c.needed(s, c.Query, c.Target); err != nil {
		return err
	}
	src := c.source(s)
	src.Compare(plan.Costs[0])
	p := &pairTask{session: s, Distance: request, flags: c, plan: plan, task: task}
	if p.pairing, err = c.read(s, src); err != nil {
		return err
	}
	switch {
	case c.Certificate != "" && !p.alone:
		return usageError("--certificate proves the distance of one query and one target: leave out --matrix and " +
			"--pairs")
	case p.alone:
		return p.single(p.printer())
	case c.Fix != "":
		return usageError("--fix names nodes of one query and one target: leave out --matrix and --pairs")
	}
	return p.many(p.printer())
}

// comparedBy returns the rules of graphs that are compared, without what they leave unread, which each graph says.
func comparedBy(rules dataset.Rules) dataset.Rules {
	rules.Unread = dataset.Unread{}
	return rules
}

// distance computes pair i; an error names the pair.
func (p *pairTask) distance(ctx context.Context, i int) (*greed.Comparison, error) {
	q, t := p.pair(i)
	in := &operation.Inputs{Query: q, Target: t, Rules: comparedBy(p.rules)}
	d, err := carryOut[greed.Comparison](ctx, p.plan, in)
	if err != nil && !errors.Is(err, greed.ErrDirection) {
		err = fmt.Errorf("query %s, target %s: %w", q.ID, t.ID, err)
	}
	if d != nil {
		d.Notes = dataset.Merge(p.notes, d.Notes)
	}
	return d, err
}

// single computes the only pair. If it is interrupted, it prints what is known.
func (p *pairTask) single(print pairPrinter) error {
	done := p.stage(func() string { return "searching" })
	d, err := p.distance(p.ctx, 0)
	done()
	if err == nil {
		err = print(0, d)
	}
	if err == nil && p.flags.Certificate != "" {
		err = p.certify(d)
	}
	if err == nil && !d.Decided() {
		err = p.ctx.Err()
	}
	return err
}

// many computes all pairs on all workers and prints them in order.
func (p *pairTask) many(print pairPrinter) error {
	shown := p.bar(p.len(), "pairs")
	defer shown.Finish()
	return ordered.Map(p.ctx, p.len(), p.workers,
		func(ctx context.Context, _, i int) (*greed.Comparison, error) { return p.distance(ctx, i) },
		func(i int, d *greed.Comparison) error {
			shown.Add(1)
			return print(i, d)
		})
}

type gedCommand struct{ distanceFlags }

// Run computes graph edit distances.
func (c *gedCommand) Run(s *session) error { return c.run(s, edit.GED) }

type sedCommand struct{ distanceFlags }

// Run computes subgraph edit distances.
func (c *sedCommand) Run(s *session) error { return c.run(s, edit.SED) }
