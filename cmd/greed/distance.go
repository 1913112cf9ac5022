package main

import (
	"context"
	"errors"
	"fmt"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/internal/ordered"
	"github.com/greedgraph/greed/operation"
)

// distanceFlags are those of ged and sed.
type distanceFlags struct {
	pairingFlags

	Format      string  `enum:"text,tsv" default:"text" help:"How to print: text, tsv."`
	Steps       string  `placeholder:"FILE" help:"Write the query and the graph after each edit, as a collection in any format that greed writes."`
	Certificate string  `placeholder:"FILE" help:"Write what proves the bounds, so that greed verify accepts it without the solver."`
	Upper       float64 `placeholder:"X" help:"Look for distances below X only, and stop as soon as there is none."`
	operation.Paired
	operation.Mapped
	readFlags
}

// tsvHelp describes a format that other programs rely on.
const tsvHelp = `
With --format tsv every pair is a line of query id, target id, lower and upper
bound, separated by tabs, without a header; --map adds the node map that attains
the upper bound, as 0:3,1:- (query node 0 is target node 3, query node 1 is
deleted); --within adds yes, no or unknown. An id is the one in the file, else the name of the SMILES, else the
position from 0; tabs, line ends and backslashes in it are written \t, \n, \r, \\, and
other control characters \x1b and so on.
`

// pairTask is what to compute.
type pairTask struct {
	pairing
	operation.Measure
	rules       dataset.Rules // by which the graphs were read
	upper       float64       // only distances below it are looked for; 0: any
	steps       string        // file to write the graph after each edit to, or empty
	certificate string        // file to write what proves the bounds to, or empty
}

func (c *distanceFlags) run(s *session, task edit.Task) error {
	if err := c.check(s); err != nil {
		return err
	}
	p, err := c.prepare(s, task)
	if err != nil {
		return err
	}
	if c.Steps != "" && !p.alone {
		return usageError("--steps shows how one query becomes one target, without --matrix and --pairs")
	}
	if c.Certificate != "" && (!p.alone || c.Fix != "") {
		return usageError("--certificate proves the distance of one query and one target, without --matrix, --pairs and --fix")
	}
	if c.Fix != "" && !p.alone {
		return usageError("--fix names nodes of one query and one target, without --matrix and --pairs")
	}
	printer := c.printer(s, p)
	if p.alone {
		return single(s, p, printer)
	}
	return many(s, p, printer)
}

func (c *distanceFlags) check(s *session) error {
	switch {
	case s.json && c.Format != "text":
		return usageError("--json cannot be combined with --format " + c.Format)
	case c.Map && c.Format != "tsv":
		return usageError("--map adds a column to --format tsv; to see the node map use --explain or --json")
	case c.Explain && c.Format == "tsv":
		return usageError("--explain does not fit --format tsv; to get the node map use --map")
	case c.Upper < 0:
		return usageError(fmt.Sprintf("--upper is %v: want a distance above 0", c.Upper))
	case c.Within != nil && c.Upper > 0:
		return usageError("--within and --upper exclude each other: --within R is the question, --upper X cuts a search short")
	}
	return nil
}

// prepare reads the graphs and determines the pairs.
func (c *distanceFlags) prepare(s *session, task edit.Task) (*pairTask, error) {
	measure, err := (&operation.Distance{Task: task.String(), Paired: c.Paired}).Resolve(operation.Limits{}, nil, greed.NoLimit)
	if err != nil {
		return nil, usage(err)
	}
	c.compare(measure.Costs)
	p := &pairTask{Measure: measure, upper: c.Upper, steps: c.Steps, certificate: c.Certificate}
	p.pairing, err = c.read(s, &c.readFlags)
	p.rules = c.found
	return p, err
}

// distance computes pair i; an error names the pair.
func (p *pairTask) distance(ctx context.Context, solver *ged.Solver, i int) (ged.Result, error) {
	q, t := p.pair(i)
	r, err := p.Compute(ctx, solver, q.Graph, t.Graph, ged.Options{Time: p.Time, Upper: p.upper})
	switch {
	case errors.Is(err, ged.ErrDirection):
		directed, undirected := t.ID, q.ID
		if q.Graph.Directed() {
			directed, undirected = q.ID, t.ID
		}
		err = fmt.Errorf("graph %s is directed and graph %s is not: they have no distance", directed, undirected)
	case err != nil:
		err = fmt.Errorf("query %s, target %s: %w", q.ID, t.ID, err)
	}
	return r, err
}

// notCompared says what of a pair does not count.
func (p *pairTask) notCompared(q, t *dataset.Record) []string {
	_, not := greed.Compared(p.rules, q.SMILES != "" && t.SMILES != "", p.Costs)
	return not
}

// answered reports whether the result answers what was asked.
func (p *pairTask) answered(r ged.Result) bool {
	if p.Within != nil {
		return p.Decision(r) != "unknown"
	}
	return r.Exact || p.upper > 0 && r.Lower >= p.upper
}

// single computes the only pair. If it is interrupted, it prints what is known.
func single(s *session, p *pairTask, out pairPrinter) error {
	solver, err := ged.NewSolver(p.Task, p.Costs)
	if err != nil {
		return err
	}
	r, err := p.distance(s.ctx, solver, 0)
	if err != nil {
		return err
	}
	if err := out.print(0, r); err != nil {
		return err
	}
	if p.steps != "" {
		if err := writeSteps(s, p, r.Map); err != nil {
			return err
		}
	}
	if p.certificate != "" {
		if err := certifyPair(s, p, r); err != nil {
			return err
		}
	}
	if !p.answered(r) {
		return s.ctx.Err()
	}
	return nil
}

// many computes all pairs on all workers and prints them in order.
func many(s *session, p *pairTask, out pairPrinter) error {
	solvers, err := solversOf(p.Task, p.Costs, s.workers)
	if err != nil {
		return err
	}
	shown := s.bar(p.len(), "pairs")
	defer shown.finish()
	return ordered.Map(s.ctx, p.len(), s.workers,
		func(ctx context.Context, worker, i int) (ged.Result, error) {
			return p.distance(ctx, solvers[worker], i)
		},
		func(i int, r ged.Result) error {
			shown.add(1)
			return out.print(i, r)
		})
}
