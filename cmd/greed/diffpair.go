package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/assign"
	"github.com/greedgraph/greed/internal/ordered"
	"github.com/greedgraph/greed/operation"
)

// together is a graph of each collection, by position; -1 where there is none.
type together struct{ old, new int }

// pairs says which graphs belong together: the old ones in their order, then those that
// are new. One graph belongs to one, whatever their names.
func (c *diffCommand) pairs(s *session, measure operation.Measure, old, fresh []dataset.Record) ([]together, error) {
	if len(old) == 1 && len(fresh) == 1 {
		return []together{{0, 0}}, nil
	}
	var mate []int // by position in old
	var err error
	if c.Match == "distance" {
		mate, err = c.nearest(s, measure, old, fresh)
	} else {
		mate, err = c.namesakes(s, old, fresh)
	}
	if err != nil {
		return nil, err
	}
	var list []together
	paired := make([]bool, len(fresh))
	for i, j := range mate {
		list = append(list, together{i, j})
		if j >= 0 {
			paired[j] = true
		}
	}
	for j := range fresh {
		if !paired[j] {
			list = append(list, together{-1, j})
		}
	}
	return list, nil
}

// namesakes finds the graph with the same id for every old one.
func (c *diffCommand) namesakes(s *session, old, fresh []dataset.Record) ([]int, error) {
	positions := func(name string, list []dataset.Record) (map[string]int, error) {
		at := make(map[string]int, len(list))
		for i, rec := range list {
			if _, twice := at[rec.ID]; twice {
				return nil, fmt.Errorf("%s has two graphs with the id %s: --match distance goes without ids", name, field(rec.ID))
			}
			at[rec.ID] = i
		}
		return at, nil
	}
	if _, err := positions(c.Old, old); err != nil {
		return nil, err
	}
	at, err := positions(c.New, fresh)
	if err != nil {
		return nil, err
	}
	mate, met := make([]int, len(old)), false
	for i, rec := range old {
		j, ok := at[rec.ID]
		if !ok {
			j = -1
		}
		mate[i], met = j, met || ok
	}
	if !met {
		s.note("no graph of %s has the id of one of %s: --match distance pairs them by what they are", c.New, c.Old)
	}
	return mate, nil
}

// nearest pairs graphs so that all distances together are least; a graph without a mate
// counts as deleted or inserted whole. Distances that are not settled soon count by their
// upper bounds.
func (c *diffCommand) nearest(s *session, measure operation.Measure, old, fresh []dataset.Record) ([]int, error) {
	const soon = 200 * time.Millisecond
	solvers := make([]*ged.Solver, s.workers)
	for i := range solvers {
		var err error
		if solvers[i], err = ged.NewSolver(edit.GED, measure.Costs); err != nil {
			return nil, err
		}
	}
	none, err := graph.NewBuilder(old[0].Graph.Vocabulary(), old[0].Graph.Directed()).Build()
	if err != nil {
		return nil, err
	}
	n, m := len(old), len(fresh)
	cost := make([]float64, 0, (n+1)*(m+1))
	at := func(list []dataset.Record, i int) *graph.Graph {
		if i == len(list) {
			return none
		}
		return list[i].Graph
	}
	shown := s.bar((n+1)*(m+1), "pairs")
	defer shown.finish()
	err = ordered.Map(s.ctx, (n+1)*(m+1), s.workers,
		func(ctx context.Context, worker, k int) (float64, error) {
			r, err := solvers[worker].Distance(ctx, at(old, k/(m+1)), at(fresh, k%(m+1)), ged.Options{Time: min(cmp.Or(measure.Time, soon), soon)})
			return r.Upper, err
		},
		func(_ int, x float64) error {
			shown.add(1)
			cost = append(cost, x)
			return nil
		})
	if err != nil {
		return nil, err
	}
	var between, del []float64
	for i := range n {
		between = append(between, cost[i*(m+1):i*(m+1)+m]...)
		del = append(del, cost[i*(m+1)+m])
	}
	var solver assign.Solver
	solver.Solve(between, del, cost[n*(m+1):n*(m+1)+m])
	mate := make([]int, n)
	for i, j := range solver.Row {
		mate[i] = int(j) // assign.None is -1, too
	}
	return mate, nil
}
