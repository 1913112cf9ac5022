// Package ged computes exact graph and subgraph edit distances, or proven
// bounds of them, with the node map that attains the upper bound.
//
// Every distance is turned into one maximisation. If all of the query were
// deleted and all of the target inserted, that would cost a constant; mapping a
// node or an edge of one side to the other saves part of it. GED and SED, all
// costs and both directions of edges differ only in what is saved, so one
// solver serves them all. A plain branch and bound fixes one node pair after
// another and bounds the rest by an assignment problem whose dual solution is
// carried from state to state; it settles most small pairs within microseconds.
// What it does not settle goes to a second one, whose states are far fewer and
// cost far more: a Lagrangian relaxation that is nearly tight on sparse graphs.
package ged

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
)

// Errors about pairs of graphs that have no distance.
var (
	// ErrVocabulary means that the labels of the two graphs are numbered by
	// different vocabularies; see [graph.In].
	ErrVocabulary = errors.New("graphs of different vocabularies")
	// ErrDirection means that one graph is directed and the other is not.
	ErrDirection = errors.New("a directed and an undirected graph")
	// ErrFixed means that the node pairs fixed in advance are no part of any
	// node map.
	ErrFixed = errors.New("unusable fixed pairs")
)

// Options bound one computation. The zero value sets no limit of time or
// states, 1 GiB of memory, and asks for the exact distance.
type Options struct {
	Time   time.Duration // wall-clock budget; 0: none
	States int64         // search states; 0: none

	// Memory is how many bytes the search may hold; 0: 1 GiB. Graphs so large, or
	// with so many distinct edge labels, that it does not hold one state get the
	// bounds of their label multisets; so do those whose time ends before that.
	Memory int64

	// Upper, if positive, says that only distances below it are of interest.
	// The search then stops as soon as it has proven that the distance is
	// Upper or more: the result's Lower is at least Upper, or the result is
	// exact. Top-k searches pass the k-th best distance so far.
	Upper float64

	// Fixed lists pairs of a query and a target node that the node map has to
	// contain. The distance is the least cost of the maps that do. With
	// [edit.Deleted] for the target node, the query node has to be deleted; with
	// it for the query node, the target node has to be inserted.
	Fixed [][2]int
}

// Result is what is known of a distance. Lower ≤ distance ≤ Upper always
// holds, and Map attains Upper.
//
// Where all costs are multiples of one number (of 1, 0.25 or 0.001, say) the
// search counts in integers and the bounds are exact. Otherwise it rounds costs
// to 36 bits, and a distance called exact is so up to 10⁻⁹ of the largest cost
// for every node and edge.
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
	matcher mcs.Matcher
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
// the caller. The error wraps [ErrVocabulary], [ErrDirection], [ErrFixed] or,
// where a cost table misses a label, [edit.ErrCosts].
func (s *Solver) Distance(ctx context.Context, q, t *graph.Graph, opt Options) (Result, error) {
	return s.run(ctx, q, t, opt, math.Inf(-1))
}

// Within finds out whether the distance from q to t is at most tau, and stops
// as soon as that is known; see [Result.Within]. Errors are those of
// [Solver.Distance].
func (s *Solver) Within(ctx context.Context, q, t *graph.Graph, tau float64, opt Options) (Result, error) {
	return s.run(ctx, q, t, opt, tau)
}

// Within reports whether the distance is at most tau, and whether the bounds
// suffice to know. A relative 10⁻¹² more than tau is what sums of costs may differ
// by, and counts as tau.
func (r Result) Within(tau float64) (within, known bool) {
	tau += 1e-12 * max(0, tau)
	return r.Upper <= tau, r.Upper <= tau || r.Lower > tau
}

// run computes the distance, or only whether it is at most tau unless that is
// -Inf.
func (s *Solver) run(ctx context.Context, q, t *graph.Graph, opt Options, tau float64) (Result, error) {
	start := time.Now()
	if err := s.price(q, t); err != nil {
		return Result{}, err
	}
	pairs, deleted, inserted, err := splitFixed(q, t, opt.Fixed)
	if err != nil {
		return Result{}, err
	}
	if len(deleted)+len(inserted) > 0 {
		opt.Fixed = pairs
		r, err := s.without(ctx, q, t, opt, tau, deleted, inserted)
		r.Elapsed = time.Since(start)
		return r, err
	}
	fixed, err := fixedMap(q, t, pairs)
	if err != nil {
		return Result{}, err
	}
	s.search.budget = newBudget(ctx, opt, start)
	if fixed == nil {
		if m := s.same(ctx, q, t); m != nil {
			return Result{Map: m, Exact: true, Elapsed: time.Since(start)}, nil
		}
	}
	var rough Result
	large := q.N()*t.N() > roughCells
	if large {
		rough = coarse(s.pricing, s.unit, q, t, fixed)
	}
	r, ok := Result{}, s.problem.compile(s.pricing, s.unit, q, t, &s.search.budget)
	if ok {
		r, ok = s.solve(q, t, fixed, rough.Map, opt, tau)
	}
	switch {
	case !ok && large:
		r = rough
	case !ok:
		r = coarse(s.pricing, s.unit, q, t, fixed)
	case large && r.Lower < rough.Lower:
		r.Lower = min(rough.Lower, r.Upper)
		r.Exact = r.Lower == r.Upper
	}
	r.Elapsed = time.Since(start)
	return r, nil
}

// roughCells is how many pairs of nodes make a search so dear that the bounds of
// coarse are worth having first.
const roughCells = 1 << 14

// solve searches the compiled pair, with first as a node map to begin with, if it
// is not nil. It reports false if time was up before anything was known.
func (s *Solver) solve(q, t *graph.Graph, fixed, first edit.NodeMap, opt Options, tau float64) (Result, bool) {
	p := &s.problem
	s.search.give(p, fixed)
	lim := unlimited
	if opt.Upper > 0 {
		lim.atLeast = p.profitBelow(opt.Upper + p.slack)
	}
	if !math.IsInf(tau, -1) {
		lim.enough = p.profitWithin(tau)
		lim.atLeast = max(lim.atLeast, p.profitWithin(tau+2*p.slack))
	}
	if !s.search.run(p, first, lim) {
		return Result{}, false
	}
	return s.result(q, t), true
}

// noMap returns the node map that deletes all of q.
func noMap(q *graph.Graph) edit.NodeMap {
	m := make(edit.NodeMap, q.N())
	for v := range m {
		m[v] = edit.Deleted
	}
	return m
}

func (s *Solver) price(q, t *graph.Graph) error {
	if graph.Common(q.Vocabulary(), t.Vocabulary()) == nil {
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
func (s *Solver) result(q, t *graph.Graph) Result {
	p, f := &s.problem, &s.search
	r := Result{States: f.states, Map: p.nodeMap(f.best)}
	r.Upper = p.cost(f.bestProfit)
	if !p.unit.exact {
		r.Upper = edit.InducedCost(s.pricing, q, t, r.Map)
	}
	r.Lower = r.Upper
	if f.bound > f.bestProfit {
		r.Lower = max(0, min(r.Upper, p.lowerCost(f.bound)))
	}
	r.Exact = r.Lower == r.Upper
	return r
}
