// Package ged computes exact graph and subgraph edit distances, or proven
// bounds of them, with the node map that attains the upper bound.
package ged

import (
	"context"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Options bound one computation. The zero value sets no limit of time or
// states, 1 GiB of memory, and asks for the exact distance.
type Options struct {
	Time   time.Duration // wall-clock budget; 0: none
	States int64         // search states; 0: none
	Memory int64         // bytes the search may hold; 0: 1 GiB
}

// Result is what is known of a distance. Lower ≤ distance ≤ Upper always
// holds, and Map attains Upper.
type Result struct {
	Lower, Upper float64
	Map          edit.NodeMap
	Exact        bool // Lower and Upper meet
	States       int64
	Elapsed      time.Duration
}

// Solver computes the distances of one task under one set of costs. It keeps
// memory, but no results, from pair to pair, and is not safe for concurrent
// use: give every goroutine its own.
type Solver struct {
	task  edit.Task
	costs edit.Costs
}

// NewSolver returns a solver. The error wraps [edit.ErrCosts].
func NewSolver(task edit.Task, costs edit.Costs) (*Solver, error) {
	if err := costs.Check(); err != nil {
		return nil, err
	}
	return &Solver{task: task, costs: costs}, nil
}

// Distance computes the distance from q to t, or bounds of it if the context
// ends or a limit is reached first, which is not an error. The map belongs to
// the caller.
func (s *Solver) Distance(ctx context.Context, q, t *graph.Graph, opt Options) (Result, error) {
	panic("not yet")
}
