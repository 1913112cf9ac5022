// Package ged computes exact graph and subgraph edit distances, or proven
// bounds of them, with the node map that attains the upper bound.
//
// Every distance is turned into one maximisation. If all of the query were
// deleted and all of the target inserted, that would cost a constant; mapping a
// node or an edge of one side to the other saves part of it. GED and SED, all
// costs and both directions of edges differ only in what is saved, so a single
// branch and bound (see [search]) serves them all: it fixes one node pair after
// another and bounds the rest by an assignment problem whose dual solution is
// carried from state to state.
package ged

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Errors about pairs of graphs that have no distance.
var (
	// ErrVocabulary means that the labels of the two graphs are numbered by
	// different vocabularies; see [graph.In].
	ErrVocabulary = errors.New("graphs of different vocabularies")
	// ErrDirection means that one graph is directed and the other is not.
	ErrDirection = errors.New("a directed and an undirected graph")
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
//
// Where all costs are multiples of one number (all are below 10⁶ times a
// thousandth, say) the search counts in integers and the bounds are exact.
// Otherwise costs are rounded to 36 bits, and a distance called exact is so up
// to a relative 10⁻⁹.
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
	task    edit.Task
	costs   edit.Costs
	pricing *edit.Pricing // of the last pair; for good where no table is used
	tables  bool
	unit    unit
	problem problem
	search  search
}

// NewSolver returns a solver. The error wraps [edit.ErrCosts].
func NewSolver(task edit.Task, costs edit.Costs) (*Solver, error) {
	p, err := edit.Price(task, costs)
	if err != nil {
		return nil, err
	}
	s := &Solver{
		task:    task,
		costs:   costs,
		pricing: p,
		tables:  costs.Nodes != nil || costs.Edges != nil,
		unit:    commonUnit(costs),
	}
	s.search.patience = plainPatience
	return s, nil
}

// Distance computes the distance from q to t, or bounds of it if the context
// ends or a limit is reached first, which is not an error. The map belongs to
// the caller. The error wraps [ErrVocabulary], [ErrDirection] or, where a cost
// table misses a label, [edit.ErrCosts].
func (s *Solver) Distance(ctx context.Context, q, t *graph.Graph, opt Options) (Result, error) {
	start := time.Now()
	if err := s.price(q, t); err != nil {
		return Result{}, err
	}
	s.problem.compile(s.pricing, s.unit, q, t)
	s.search.run(ctx, &s.problem, newBudget(opt, start))
	r := s.result()
	r.Elapsed = time.Since(start)
	return r, nil
}

func (s *Solver) price(q, t *graph.Graph) error {
	if q.Vocabulary() != t.Vocabulary() {
		return fmt.Errorf("ged: %w", ErrVocabulary)
	}
	if q.Directed() != t.Directed() {
		return fmt.Errorf("ged: %w", ErrDirection)
	}
	if !s.tables {
		return nil
	}
	p, err := edit.Price(s.task, s.costs, q, t)
	if err != nil {
		return err
	}
	s.pricing = p
	return nil
}

// result reads the outcome of the last search.
func (s *Solver) result() Result {
	p, f := &s.problem, &s.search
	r := Result{States: f.states, Map: p.nodeMap(f.best)}
	r.Upper = p.cost(f.bestProfit)
	if f.stopped {
		r.Lower = max(0, min(r.Upper, p.lowerCost(f.bound)))
	} else {
		r.Lower = r.Upper
	}
	r.Exact = r.Lower == r.Upper
	return r
}
