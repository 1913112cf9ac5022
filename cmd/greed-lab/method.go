package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/method"
	"github.com/greedgraph/greed/lab/mip"
)

// Names of the solver of package ged and of package mip, which are no methods of package
// method.
const (
	exactMethod = "exact"
	mipMethod   = "mip-f2"
)

type methodCommand struct {
	Method    string        `arg:"" help:"A method from the list above."`
	Queries   string        `arg:"" type:"existingfile" help:"A collection in any format."`
	Targets   string        `arg:"" type:"existingfile" help:"Another, or the same, collection."`
	Sed       bool          `help:"Subgraph edit distances."`
	Costs     string        `default:"uniform" placeholder:"NAME|FILE" help:"Edit costs, as greed ged takes them (default uniform)."`
	TimeLimit time.Duration `placeholder:"TIME" help:"Stop with bounds after this time per pair (default: never)."`
}

// Help is printed below the usage of the command.
func (methodCommand) Help() string {
	var b strings.Builder
	b.WriteString(`
Bounds the distance of every query to every target by a published method. It prints a
line for each pair: the ids of query and target, the lower and the upper bound, and the
seconds taken, separated by tabs.

    greed-lab method branch queries.smi mols.smi
    greed-lab method app-bmao:1000 queries.smi mols.smi --sed

Methods:

`)
	line := func(name, about string) { fmt.Fprintf(&b, "    %-12s %s\n", name, about) }
	line(exactMethod, "branch and bound, the solver of greed")
	for _, m := range method.Methods() {
		line(m.Name, m.About)
	}
	line(mipMethod, "integer program F2 (Lerouge et al. 2017), solved by a program on PATH; "+mipMethod+
		":NAME for one of "+strings.Join(mip.Names(), ", "))
	return b.String()
}

// bounder bounds the distance of one pair under given prices.
type bounder func(context.Context, *edit.Pricing, *graph.Graph, *graph.Graph, ged.Options) (ged.Result, error)

// Run prints a line for every pair.
func (c *methodCommand) Run(s *session) error {
	costs, err := c.costs()
	if err != nil {
		return err
	}
	task := edit.GED
	if c.Sed {
		task = edit.SED
	}
	bound, err := c.bounder(task, costs)
	if err != nil {
		return err
	}
	vocab := graph.NewVocabulary()
	queries, err := dataset.ReadAll(c.Queries, dataset.Options{Vocabulary: vocab})
	if err != nil {
		return err
	}
	targets, err := dataset.ReadAll(c.Targets, dataset.Options{Vocabulary: vocab})
	if err != nil {
		return err
	}
	for _, q := range queries {
		for _, t := range targets {
			p, err := edit.Price(task, costs, q.Graph, t.Graph)
			if err != nil {
				return err
			}
			r, err := bound(s.ctx, p, q.Graph, t.Graph, ged.Options{Time: c.TimeLimit})
			if err != nil {
				return fmt.Errorf("query %q, target %q: %w", q.ID, t.ID, err)
			}
			if s.json {
				err = s.printJSON(map[string]any{
					"task": task, "method": c.Method, "query": q.ID, "target": t.ID,
					"lower": r.Lower, "upper": r.Upper, "map": r.Map, "seconds": r.Elapsed.Seconds(),
				})
			} else {
				_, err = fmt.Fprintf(s.out, "%s\t%s\t%v\t%v\t%.6f\n", q.ID, t.ID, r.Lower, r.Upper, r.Elapsed.Seconds())
			}
			if err != nil {
				return err
			}
			if err := s.ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *methodCommand) costs() (edit.Costs, error) {
	if costs, ok := edit.Named(c.Costs); ok {
		return costs, nil
	}
	text, err := os.ReadFile(c.Costs)
	if err != nil {
		return edit.Costs{}, fmt.Errorf("--costs: %w; the names are %s", err, strings.Join(edit.Names(), ", "))
	}
	return edit.ParseCosts(text)
}

func (c *methodCommand) bounder(task edit.Task, costs edit.Costs) (bounder, error) {
	if c.Method == exactMethod {
		solver, err := ged.NewSolver(task, costs)
		return func(ctx context.Context, _ *edit.Pricing, q, t *graph.Graph, opt ged.Options) (ged.Result, error) {
			return solver.Distance(ctx, q, t, opt)
		}, err
	}
	if solver, ok := strings.CutPrefix(c.Method, mipMethod); ok && (solver == "" || solver[0] == ':') {
		s, err := mip.Find(strings.TrimPrefix(solver, ":"))
		if err != nil {
			return nil, err
		}
		return s.Compute, nil
	}
	m, err := method.Find(c.Method)
	if err != nil {
		return nil, usageError(fmt.Sprintf("%v, or %s or %s", err, exactMethod, mipMethod))
	}
	return m.Compute, nil
}
