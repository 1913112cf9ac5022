package main

import (
	"context"

	"github.com/greedgraph/greed/operation"
)

// planned plans a request for an operation of the table, whose solvers may each use so many bytes; 0: the
// usual ones.
func (s *session) planned(request any, memory int64) (*operation.Planned, error) {
	plan, err := operation.Of(request).Plan(request, operation.Limits{Memory: memory, Workers: s.workers}, nil)
	return plan, usage(err)
}

// carryOut runs a plan, whose results have type T. With an error there may be a result, too.
func carryOut[T any](ctx context.Context, plan *operation.Planned, in *operation.Inputs) (*T, error) {
	result, err := plan.Run(ctx, in)
	out, _ := result.(*T)
	return out, err
}
