// Package ged computes exact graph and subgraph edit distances, or proven bounds, together
// with a node map that attains the upper bound.
//
// Every distance is computed as a maximisation. Deleting all of the query and inserting all
// of the target costs a constant; mapping a node or an edge of one graph to the other saves
// part of it. GED and SED, different costs, and directed and undirected graphs differ only in
// these savings, so one solver serves them all.
//
// A plain branch and bound fixes one node pair after another. It bounds the rest by an
// assignment problem, whose dual solution each state inherits, and solves most small pairs
// within microseconds; graphs of at most 16 nodes have a form of it in vectors. Pairs that it
// gives up on go to a strong branch and bound, with far fewer but far more expensive states:
// its bound is a Lagrangian relaxation that is nearly tight on sparse graphs. Local searches
// beside it improve the upper bound. docs/solver.md says more.
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

// Errors of pairs of graphs that have no distance.
var (
	// ErrVocabulary means that the two graphs have different vocabularies; see [graph.In].
	ErrVocabulary = errors.New("graphs of different vocabularies")
	// ErrDirection means that only one of the graphs is directed.
	ErrDirection = errors.New("a directed and an undirected graph")
	// ErrFixed means that no node map contains the fixed node pairs.
	ErrFixed = errors.New("unusable fixed pairs")
)

// Options limit a computation. The zero value requests the exact distance with 1 GiB of
// memory and without limits of time or states.
type Options struct {
	Time   time.Duration // limit of wall-clock time; 0: none
	States int64         // search states; 0: none

	// Memory is the number of bytes that the search may use; 0 means 1 GiB. It goes depth
	// first and holds the states of one path, so how many it searches does not matter. What it
	// needs is estimated: it took up to three times a limit of 80 kB and 1.7 times one of 1 MB,
	// and kept limits of 64 MB and more. If not even one state fits, because graphs are large or
	// have many distinct edge labels, the result is the bounds of the label multisets. The same
	// holds if time ends before the first state.
	Memory int64

	// Upper, if positive, says that only distances below it are of interest. The search stops
	// as soon as it has proven that the distance is at least Upper. Unless a limit stops it
	// first, the result then has a Lower of at least Upper or is exact. Top-k searches pass
	// the k-th best distance so far.
	Upper float64

	// Fixed lists pairs of a query node and a target node that the node map must
	// contain. The distance is the least cost of such maps. [edit.Deleted] as
	// target node means that the query node must be deleted; as query node, that
	// the target node must be inserted.
	Fixed [][2]int

	// Improved, unless it is nil, is called during the search with every node map that costs
	// less than all before, and with its cost. It may keep the map. The search waits for it.
	Improved func(upper float64, m edit.NodeMap) `json:"-"`
}

// Result is what is known about a distance, in the units of the costs. Lower ≤ distance ≤
// Upper always holds, and Map attains Upper.
//
// If all costs are multiples of one number (such as 1, 0.25 or 0.001), the search counts in
// integers and the bounds are exact. Otherwise it rounds costs down, the largest to 35 to 48
// bits, depending on the size of the graphs, and Lower is still a lower bound. A distance is
// called exact, with Lower raised to Upper, if rounding leaves at most a relative 10⁻⁹ open
// and that does not affect the request; so it may be too large by that much.
type Result struct {
	Lower, Upper float64
	Map          edit.NodeMap
	Exact        bool          // Lower and Upper meet, but for rounding
	Stopped      Stop          // why not
	States       int64         // searched
	Elapsed      time.Duration // wall-clock time
}

// Solver computes the distances of one task under one set of costs. It reuses memory, but no
// results, and is not safe for concurrent use: use one per goroutine.
type Solver struct {
	task    edit.Task
	costs   edit.Costs
	pricing *edit.Pricing // of the last pair; without tables, of every pair
	tables  bool
	multi   bool // pricing is of a pair that is not simple
	unit    edit.Unit
	allUnit bool // unit is the same for all pairs
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
		unit:    p.Unit(0),
	}
	s.allUnit = s.unit.Exact()
	s.search.patience = plainPatience
	return s, nil
}

// Distance computes the distance from q to t, or bounds of it if the context ends or a limit
// is reached first, which is not an error. The caller may keep the map. The error wraps
// [ErrVocabulary], [ErrDirection], [ErrFixed] or, if a cost table lacks a label,
// [edit.ErrCosts].
func (s *Solver) Distance(ctx context.Context, q, t *graph.Graph, opt Options) (Result, error) {
	return s.run(ctx, q, t, opt, math.Inf(-1))
}

// Within computes bounds until they decide whether the distance from q to t is at most tau;
// see [Result.Within]. It returns the same errors as [Solver.Distance].
func (s *Solver) Within(ctx context.Context, q, t *graph.Graph, tau float64, opt Options) (Result, error) {
	return s.run(ctx, q, t, opt, tau)
}

// Within reports whether the distance is at most tau, and whether the bounds decide that.
// Sums of costs may differ by rounding, so distances up to a relative 10⁻¹² above tau count
// as tau.
func (r Result) Within(tau float64) (within, known bool) {
	tau = edit.Within(tau)
	return r.Upper <= tau, r.Upper <= tau || r.Lower > tau
}

// run computes the distance. Unless tau is -Inf, it stops once the bounds decide whether the
// distance is at most tau.
func (s *Solver) run(ctx context.Context, q, t *graph.Graph, opt Options, tau float64) (Result, error) {
	start := time.Now()
	if err := s.price(q, t); err != nil {
		return Result{}, err
	}
	q, t = s.pricing.Ready(q), s.pricing.Ready(t)
	pairs, deleted, inserted, err := splitFixed(q, t, opt.Fixed)
	if err != nil {
		return Result{}, err
	}
	if err := possible(s.pricing, q, t, pairs); err != nil {
		return Result{}, err
	}
	rest, err := takeOut(q, t, pairs, deleted, inserted)
	rest.fixed = opt.Fixed
	if err != nil {
		return Result{}, err
	}
	q, t = rest.q, rest.t
	s.search.budget = newBudget(ctx, opt, start)
	if len(opt.Fixed) == 0 {
		if m := s.same(ctx, q, t); m != nil {
			return Result{Map: m, Exact: true, Elapsed: time.Since(start)}, nil
		}
	}
	var rough Result
	var first edit.NodeMap
	large := q.N()*t.N() > roughCells
	if large {
		if cellBytes(q, t) <= s.search.budget.memory {
			s.search.budget.Share(roughShare)
		} else {
			s.search.budget.Share(1) // nothing comes after it
		}
		rough, first = coarse(s.pricing, s.unit, &rest, &s.search.budget.Clock)
		s.search.budget.Whole()
	}
	r, ok := Result{}, !rough.Exact && s.problem.compile(s.pricing, s.unit, &rest, &s.search.budget)
	if ok {
		ok = s.solve(&rest, first, opt, tau)
	}
	stopped := !ok || s.search.stopped
	switch {
	case !ok && large:
		r = rough
	case !ok:
		r, _ = coarse(s.pricing, s.unit, &rest, &s.search.budget.Clock)
	default:
		if large {
			s.search.climber.offer(rough.Map)
		}
		r = s.found()
		r.Lower = max(r.Lower, rough.Lower)
	}
	s.finish(&r, &rest, ok, tau)
	r.Elapsed = time.Since(start)
	if !r.Exact && !r.answers(opt, tau) {
		if r.Stopped = StopRounding; stopped {
			r.Stopped = s.why(ctx, opt, r.Elapsed)
		}
	}
	return r, nil
}

// answers reports whether the bounds decide the request: whether the distance is at most
// tau, or at least the limit of interest.
func (r *Result) answers(opt Options, tau float64) bool {
	if !math.IsInf(tau, -1) {
		_, known := r.Within(tau)
		return known
	}
	return opt.Upper > 0 && edit.Within(r.Lower) >= opt.Upper
}

// roughCells is the number of pairs of nodes above which a search takes so long that the
// bounds of coarse come first.
const roughCells = 1 << 14

// roughShare is the share of the time that the first node map of large graphs may take.
const roughShare = 0.4

// solve searches the compiled pair, starting from the node map first unless that is nil. It
// returns false if time ended before there was a bound.
func (s *Solver) solve(rest *rest, first edit.NodeMap, opt Options, tau float64) bool {
	p := &s.problem
	lim := unlimited
	if opt.Upper > 0 {
		lim.atLeast = p.profitBelow(opt.Upper)
	}
	if !math.IsInf(tau, -1) {
		perhaps, surely := p.profitWithin(tau)
		lim.enough = surely
		lim.atLeast = max(lim.atLeast, perhaps)
	}
	s.search.improved = nil
	if opt.Improved != nil {
		rest := *rest
		s.search.improved = func() {
			m := rest.whole(p.nodeMap(s.search.best))
			opt.Improved(edit.InducedCost(s.pricing, rest.wholeQ, rest.wholeT, m), m)
		}
	}
	return s.search.run(p, first, lim)
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
	multi := !q.Simple() || !t.Simple()
	if multi || s.multi || s.tables {
		p, err := edit.Price(s.task, s.costs, q, t)
		if err != nil {
			return err
		}
		s.pricing, s.multi = p, multi
	}
	switch {
	case s.allUnit:
	case s.tables:
		s.unit = edit.UnitOf(s.pricing.Values(q, t), elements(q, t))
	default:
		s.unit = s.pricing.Unit(elements(q, t))
	}
	return nil
}
