package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/ged/mip"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/truth"
)

// exactMethod names the solver of package ged.
const exactMethod = "exact"

// mipMethod names package mip, which needs a solver of integer programs.
const mipMethod = "mip-f2"

// methodsHelp lists what --method takes.
func methodsHelp() string {
	var b strings.Builder
	b.WriteString("\nMethods:\n\n")
	line := func(name, about string) { fmt.Fprintf(&b, "    %-12s %s\n", name, about) }
	line(exactMethod, "branch and bound of this program (default)")
	for _, m := range bound.Methods() {
		line(m.Name, m.About)
	}
	line(mipMethod, "integer program F2 (Lerouge et al. 2017), solved by a program on PATH; "+mipMethod+":NAME for one of "+strings.Join(mip.Names(), ", "))
	return b.String()
}

// compute bounds the distance of one pair under given prices.
type compute func(context.Context, *edit.Pricing, *graph.Graph, *graph.Graph, ged.Options) (ged.Result, error)

// findMethod returns a maker of solvers by the name of their method.
func findMethod(name string) (func(edit.Task, edit.Costs) (truth.Solver, error), error) {
	if name == exactMethod {
		return func(task edit.Task, costs edit.Costs) (truth.Solver, error) { return ged.NewSolver(task, costs) }, nil
	}
	var run compute
	if solver, ok := strings.CutPrefix(name, mipMethod); ok && (solver == "" || solver[0] == ':') {
		s, err := mip.Find(strings.TrimPrefix(solver, ":"))
		if err != nil {
			return nil, fmt.Errorf("--method %s: %w", name, err)
		}
		run = s.Compute
	} else {
		m, err := bound.Find(name)
		if err != nil {
			return nil, usageError(fmt.Sprintf("--method %s: %v, or %s or %s", name, err, exactMethod, mipMethod))
		}
		run = m.Compute
	}
	return func(task edit.Task, costs edit.Costs) (truth.Solver, error) {
		return pricedSolver{task, costs, run}, costs.Check()
	}, nil
}

// pricedSolver makes a solver of a method that wants prices.
type pricedSolver struct {
	task  edit.Task
	costs edit.Costs
	run   compute
}

// Distance implements [truth.Solver].
func (s pricedSolver) Distance(ctx context.Context, q, t *graph.Graph, opt ged.Options) (ged.Result, error) {
	p, err := edit.Price(s.task, s.costs, q, t)
	if err != nil {
		return ged.Result{}, err
	}
	return s.run(ctx, p, q, t, opt)
}
