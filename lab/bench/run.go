package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/method"
)

// solver bounds the distance of one pair.
type solver func(context.Context, *graph.Graph, *graph.Graph) (ged.Result, error)

// exactSolver returns the solver of package ged with these limits.
func exactSolver(task edit.Task, costs edit.Costs, limits ged.Options) (solver, error) {
	s, err := ged.NewSolver(task, costs)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, q, t *graph.Graph) (ged.Result, error) {
		return s.Distance(ctx, q, t, limits)
	}, nil
}

// appBMao returns App-BMao of a width. Its time includes the pricing of labels.
func appBMao(task edit.Task, costs edit.Costs, width int) solver {
	m := method.AppBMao(width)
	return func(ctx context.Context, q, t *graph.Graph) (ged.Result, error) {
		p, err := edit.Price(task, costs, q, t)
		if err != nil {
			return ged.Result{}, err
		}
		return m.Compute(ctx, p, q, t, ged.Options{})
	}
}

// reportEvery is the time between reports of progress.
const reportEvery = 200 * time.Millisecond

// solveAll returns a pass that solves the pairs one after the other.
func solveAll(pairs []pair, solve solver) pass {
	return func(ctx context.Context, _ int, step func(done, total int)) (outcome, error) {
		var s outcome
		var silent time.Duration
		step(0, len(pairs))
		begin, used := time.Now(), processorTime()
		for i := range pairs {
			p := &pairs[i]
			r, err := solve(ctx, p.q, p.t)
			if err != nil {
				return s, fmt.Errorf("query %s, target %s: %w", p.query, p.target, err)
			}
			if ctx.Err() != nil {
				break // the context may have cut the search short
			}
			s.add(p, r)
			if silent += r.Elapsed; silent > reportEvery {
				silent = 0
				step(s.pairs, len(pairs))
			}
		}
		s.took, s.used = time.Since(begin), processorTime()-used
		step(s.pairs, len(pairs))
		return s, nil
	}
}
