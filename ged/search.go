package ged

import (
	"math"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/kernel"
)

// search finds the best node map of a problem, by the plain search, or the small one, and, where
// that gives up, by the strong one. Both improve the bounds, as do local searches of large pairs.
type search struct {
	bounds
	budget   budget
	patience int64 // states of the plain search for a small sparse pair

	climber climber
	wander  wanderer
	anneal  annealing
	plain   plainSearch
	small   smallSearch
	strong  strongSearch
}

// plainPatience is the default of patience. So many states take about as long as
// the strong search of two molecules of a dozen atoms.
const plainPatience = 2000

// quickStates returns how many states the plain search gets before it gives up.
// It gets more where nodes have many edges, since each step of the strong search
// then solves large stars, and fewer where its own states are large.
func (s *search) quickStates(p *problem) int64 {
	cells := float64(p.row.n * p.col.n)
	if s.patience == 0 || cells == 0 {
		return s.patience
	}
	star := float64(len(p.row.arcs)) * float64(len(p.col.arcs)) / cells / 4
	return int64(float64(s.patience) * max(1, star*star) * min(1, 100/cells))
}

// run searches for the node map of greatest profit. It
// starts from first unless that is nil. It reports whether there was time for a
// bound, and then there is a best map.
func (s *search) run(p *problem, first edit.NodeMap, lim limits) bool {
	s.begin(p, lim)
	quick := s.quickStates(p)
	if !s.strong.fits(p, &s.budget) {
		quick = math.MaxInt64
	}
	plain, c := &s.plain, &s.climber
	plain.begin(quick)
	if !p.full {
		// Mapping nodes can lose profit, so the map of no node may be the best.
		none := p.columns(c.trial, nil)
		s.note(none, p.profit(none))
	}
	if small := &s.small; small.fits(p) {
		s.bound = small.start(quick) / 2
		if small.visit(0); small.gaveUp {
			s.resume()
		}
		s.conclude()
		return true
	}
	if !plain.start() {
		return false
	}
	if first != nil {
		c.offer(first)
	}
	root := plain.levels[0]
	s.budget.Share(rootShare)
	plain.assign.solve(root, math.MinInt/2)
	s.bound = root.bound / 2
	if s.budget.Whole() {
		// The assignment was not finished in its share of the time. Its dual
		// bound holds all the same, and local search gets the rest.
		s.stopped = true
		s.budget.halt(StopTime)
		s.plainest()
		copy(c.trial, s.best)
		s.note(c.trial, s.bestProfit+c.climb())
		return true
	}
	if cells := p.row.n * p.col.n; p.row.n >= largeRows && s.hopeful() {
		plain.price(root)
		if quick == math.MaxInt64 {
			s.anneal.run(lonelyAnneal * cells)
		} else {
			s.anneal.run(earlyAnneal * cells)
			if s.apart(5) {
				if quick >= s.patience {
					s.anneal.run(lonelyAnneal * cells) // set-up of the strong search takes long
				}
				plain.quick = 0 // it does not close this gap, however many states it has
			}
		}
	}
	plain.visit(0)
	if plain.gaveUp {
		s.resume()
	}
	s.conclude()
	return true
}

// plainest makes the map of no pairs, or of any if all rows need one, the best if none was priced yet.
func (s *search) plainest() {
	if s.bestProfit > -nothing {
		return
	}
	c := &s.climber
	c.trial = s.p.columns(c.trial, nil)
	if s.p.full {
		c.complete()
	}
	s.note(c.trial, s.p.profit(c.trial))
}

// conclude sets the bound unless the search ended early.
func (s *search) conclude() {
	if !s.stopped && s.bestProfit < s.limits.enough {
		// Everything was searched for profits of at least atLeast.
		s.bound = max(s.bestProfit, s.limits.atLeast-1)
	}
}

// begin makes all parts ready for p.
func (s *search) begin(p *problem, lim limits) {
	s.bounds.begin(p, lim)
	s.climber.begin(&s.bounds, &s.budget)
	s.wander.begin(&s.climber)
	s.anneal.begin(&s.climber)
	s.plain.climber = &s.climber
	s.small.climber, s.small.orbits, s.small.ops = &s.climber, &s.plain.orbits, kernel.Best()
	g := &s.strong
	g.climber, g.wander, g.anneal, g.orbits = &s.climber, &s.wander, &s.anneal, &s.plain.orbits
}

// How long node maps of large pairs are annealed before branching, in nanoseconds for
// each pair of nodes: as long as one cooling takes or, where the strong search cannot
// take the pair, longer.
const (
	earlyAnneal  = 300
	lonelyAnneal = 4000
)

// rootShare is the share of the time that the first assignment problem may take.
const rootShare = 0.5

// resume hands the pair over to the strong search, which starts again from the root. The best
// map and the bound of the root stay.
func (s *search) resume() {
	if !s.plain.start() {
		s.stopped = true
		return
	}
	if root := s.plain.levels[0]; s.plain.assign.solve(root, 2*s.goal) {
		s.plain.choose(root)
		s.strong.run(root)
	}
}
