package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/operation"
)

// pairs says which graphs belong together. One graph belongs to one, whatever their names.
func (c *diffCommand) pairs(s *session, measure operation.Measure, old, fresh []dataset.Record) ([]diff.Together, error) {
	switch {
	case len(old) == 1 && len(fresh) == 1:
		return []diff.Together{{Old: 0, New: 0}}, nil
	case c.Match == "distance":
		return c.nearest(s, measure, old, fresh)
	}
	list, err := diff.Namesakes(dataset.IDs(old), dataset.IDs(fresh))
	if twice, ok := errors.AsType[*diff.TwiceError](err); ok {
		name := c.Old
		if twice.New {
			name = c.New
		}
		return nil, fmt.Errorf("%s has two graphs with the id %s: --match distance pairs graphs without ids", name, field(twice.ID))
	}
	if len(list) == len(old)+len(fresh) {
		s.note("%s and %s have no ids in common: --match distance pairs graphs without ids", c.New, c.Old)
	}
	return list, err
}

// nearest pairs graphs so that all distances together are least; a graph without a mate
// counts as deleted or inserted whole. Distances that are not decided soon count by their
// upper bounds.
func (c *diffCommand) nearest(s *session, measure operation.Measure, old, fresh []dataset.Record) ([]diff.Together, error) {
	const soon = 200 * time.Millisecond
	solvers, err := solversOf(edit.GED, measure.Costs, s.workers)
	if err != nil {
		return nil, err
	}
	none, err := graph.NewBuilder(old[0].Graph.Vocabulary(), old[0].Graph.Directed()).Build()
	if err != nil {
		return nil, err
	}
	at := func(list []dataset.Record, i int) *graph.Graph {
		if i == len(list) {
			return none
		}
		return list[i].Graph
	}
	var mu sync.Mutex
	shown := s.bar((len(old)+1)*(len(fresh)+1), "pairs")
	defer shown.Finish()
	return diff.Nearest(s.ctx, len(old), len(fresh), s.workers, func(ctx context.Context, worker, i, j int) (float64, error) {
		r, err := solvers[worker].Distance(ctx, at(old, i), at(fresh, j), ged.Options{Time: min(cmp.Or(measure.Time, soon), soon)})
		mu.Lock()
		defer mu.Unlock()
		shown.Add(1)
		return r.Upper, err
	})
}

// solversOf returns a solver for each worker.
func solversOf(task edit.Task, costs edit.Costs, workers int) ([]*ged.Solver, error) {
	solvers := make([]*ged.Solver, workers)
	for i := range solvers {
		var err error
		if solvers[i], err = ged.NewSolver(task, costs); err != nil {
			return nil, err
		}
	}
	return solvers, nil
}
