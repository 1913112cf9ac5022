package truth

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
)

// NewSolver returns the exact solver of a task: package ged's, or for
// [edit.MCS] that of package mcs.
func NewSolver(task edit.Task, costs edit.Costs) (Solver, error) {
	if task == edit.MCS {
		return common{mcs.Options{IgnoreEdgeLabels: costs.EdgeSubstitute == 0 && costs.Edges == nil}}, costs.Check()
	}
	return ged.NewSolver(task, costs)
}

// common solves [edit.MCS].
type common struct{ opt mcs.Options }

// Distance returns the distance of maximum common subgraphs or bounds of it; of
// the limits it knows time and states. The node map is that of the largest
// common subgraph found.
func (c common) Distance(ctx context.Context, q, t *graph.Graph, limits ged.Options) (ged.Result, error) {
	opt := c.opt
	opt.Time, opt.States = limits.Time, limits.States
	r, err := mcs.Largest(ctx, q, t, opt)
	if err != nil {
		return ged.Result{}, fmt.Errorf("truth: %w", err)
	}
	larger := max(q.N(), t.N())
	out := ged.Result{
		Lower: float64(larger - r.Upper), Upper: float64(larger - r.Size),
		Map: r.Map, Exact: r.Exact, States: r.States, Elapsed: r.Elapsed,
	}
	if !r.Exact {
		out.Stopped = ged.StoppedBy(ctx, limits, r.States, r.Elapsed)
	}
	return out, nil
}
