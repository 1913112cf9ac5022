package ged

import (
	"math"
	"slices"

	"github.com/greedgraph/greed/edit"
)

// search is a depth-first branch and bound over pairs of a row and a column. A
// state has fixed some pairs and excluded others. It branches on one pair: first
// everything that contains it is searched, then it is excluded.
type search struct {
	p       *problem
	budget  budget
	limits  limits
	levels  []*level
	held    int64 // bytes of the problem and the first counted levels
	counted int
	assign  assigner
	fixer   fixer

	given  []int32 // the column that the caller fixed for each row, or -1
	path   []int32 // the column of each row that is fixed in this state, or -1
	best   []int32 // the best node map: the column of each row, or -1
	trial  []int32
	taken  []bool
	orbits orbits
	free   []int32
	worth  []int

	// Local search: the queue of rows to improve, and the current map of wander.
	tracking           bool
	queue, queueMemory []int32
	queued             []bool
	walk               []int32
	walkProfit         int
	worked             int // nanoseconds of climbOn, about
	random             randomSource
	owner, piece       []int32
	rowSeen, colSeen   []bool
	annealing          annealing

	improved func() // is called with every new best map; may be nil

	bestProfit int
	goal       int // the least profit that is of interest
	states     int64
	bound      int  // no profit exceeds it
	stopped    bool // the search ended before bound and bestProfit met

	strong   strongSearch
	patience int64 // states of the plain search for a small sparse pair
	quick    int64 // states after which the plain search gives up on this pair
	gaveUp   bool
}

// limits say which profits are of interest: those of at least atLeast. Once a
// profit of enough is found, the search ends.
type limits struct {
	atLeast, enough int
}

// unlimited asks for the best profit, whatever it is.
var unlimited = limits{-1 << 60, math.MaxInt}

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

// give sets the pairs that the caller fixed; nil means none.
func (s *search) give(p *problem, fixed edit.NodeMap) {
	s.given = resize(s.given, p.row.n)
	for i := range s.given {
		s.given[i] = -1
	}
	for v, w := range fixed {
		switch {
		case w == edit.Deleted:
		case p.swapped:
			s.given[w] = int32(v)
		default:
			s.given[v] = int32(w)
		}
	}
}

// run searches for the node map of greatest profit that keeps the given pairs. It
// starts from first unless that is nil. It reports whether there was time for a
// bound.
func (s *search) run(p *problem, first edit.NodeMap, lim limits) bool {
	s.p, s.limits = p, lim
	s.assign.clock = p.clock
	n := p.row.n
	s.fixer.shape(n, p.col.n)
	s.best = append(s.best[:0], s.given...)
	s.path = append(s.path[:0], s.given...)
	s.trial = resize(s.trial, n)
	s.states, s.stopped, s.gaveUp = 0, false, false
	s.held, s.counted = p.bytes(), 0
	s.quick = s.quickStates(p)
	if !s.strong.fits(p, &s.budget) {
		s.quick = math.MaxInt64
	}
	s.bestProfit, s.goal = -1<<50, -1<<50 // until the root is priced
	s.walk, s.random = s.walk[:0], 1
	s.annealing.forget()
	if !p.full {
		// Mapping nodes can lose profit, so the map of the given pairs alone may
		// be the best.
		copy(s.trial, s.given)
		s.note(p.profit(s.trial))
	}
	if !s.start() {
		return false
	}
	if first != nil {
		s.offer(first)
	}
	s.budget.Share(rootShare)
	s.assign.solve(s.levels[0], math.MinInt/2)
	s.bound = s.levels[0].bound / 2
	if s.budget.Whole() {
		// The assignment was not finished in its share of the time. Its dual
		// bound holds all the same, and local search gets the rest.
		s.stopped = true
		copy(s.trial, s.best)
		s.note(s.bestProfit + s.climb())
		return true
	}
	if n >= largeRows && s.hopeful() {
		s.price(s.levels[0])
		if s.quick == math.MaxInt64 {
			s.anneal(lonelyAnneal * n * p.col.n)
		} else {
			s.anneal(earlyAnneal * n * p.col.n)
			if s.quick < s.patience && s.apart(5) {
				s.quick = 0 // so few states do not close this gap
			}
		}
	}
	s.visit(0)
	if s.gaveUp {
		// The strong search starts again from the root. The best map and the
		// bound of the root stay.
		s.stopped = false
		copy(s.path, s.given)
		s.resume()
	}
	if !s.stopped && s.bestProfit < lim.enough {
		// Everything was searched for profits of at least atLeast.
		s.bound = max(s.bestProfit, lim.atLeast-1)
	}
	return true
}

// offer keeps m if it is better than the best node map so far.
func (s *search) offer(m edit.NodeMap) {
	for i := range s.trial {
		s.trial[i] = -1
	}
	for v, w := range m {
		switch {
		case w == edit.Deleted:
		case s.p.swapped:
			s.trial[w] = int32(v)
		default:
			s.trial[v] = int32(w)
		}
	}
	s.note(s.p.profit(s.trial))
}

// How long node maps of large pairs are annealed before branching, in nanoseconds for
// each pair of nodes: as long as one cooling takes or, where the strong search cannot
// take the pair, longer.
const (
	earlyAnneal  = 300
	lonelyAnneal = 4000
)

// apart reports whether the bounds of the distance differ by more than one part in so
// many of the upper bound.
func (s *search) apart(parts int) bool {
	return parts*(s.bound-s.bestProfit)*s.p.scale > s.p.worst-s.bestProfit*s.p.scale
}

// rootShare is the share of the time that the first assignment problem may take.
const rootShare = 0.5

// resume hands the pair over to the strong search.
func (s *search) resume() {
	if !s.start() {
		s.stopped = true
		return
	}
	if l := s.levels[0]; s.assign.solve(l, 2*s.goal) {
		s.choose(l)
		s.strong.run(s, l)
	}
}

// start sets up the root, in which only the given pairs are fixed. It reports
// whether there was time for that.
func (s *search) start() bool {
	given := slices.ContainsFunc(s.given, func(j int32) bool { return j >= 0 })
	if !s.levelAt(0).root(s.p, !s.p.full && !given) {
		return false
	}
	s.levelAt(1)
	for i, j := range s.given {
		if j < 0 {
			continue
		}
		l := s.levels[0]
		if s.p.clock.Spend(2 * l.n * l.stride) {
			return false
		}
		a, b := slices.Index(l.rowID, int32(i)), slices.Index(l.colID, j)
		s.fixer.fix(s.levels[1], s.p, l, a, b)
		s.levels[0], s.levels[1] = s.levels[1], s.levels[0]
	}
	return true
}

// hold counts the memory of the level at depth k when it is first reached, and
// reports whether the search may go that deep.
func (s *search) hold(k int) bool {
	if k < s.counted {
		return true
	}
	s.counted = k + 1
	s.held += s.p.levelBytes(k)
	return s.held <= s.budget.memory && s.p.row.n*s.p.col.n <= manyCells
}

// manyCells is the number of pairs of nodes beyond which one state takes so long
// that searching below the root is useless.
const manyCells = 1 << 22

// levelAt returns the level at depth k.
func (s *search) levelAt(k int) *level {
	for len(s.levels) <= k {
		s.levels = append(s.levels, new(level))
	}
	return s.levels[k]
}

// visit searches the state at depth k and reports whether it was stopped.
func (s *search) visit(k int) (stopped bool) {
	l := s.levels[k]
	for first := true; s.assign.solve(l, 2*s.goal); first = false {
		s.states++
		// After an exclusion the assignment is hardly ever a better map, and
		// pricing only the first one made AIDS700nef 9 % faster. But where rows
		// may be left out, it may be the map that leaves one out.
		if first || !s.p.full {
			s.price(l)
		}
		if s.states > s.quick {
			s.gaveUp = true
			return true
		}
		if l.bound < 2*s.goal {
			return false
		}
		if s.states == s.budget.states || s.budget.Spend(2*s.p.row.n*s.p.col.n) {
			return s.stop(k)
		}
		a, b := s.choose(l)
		if a < 0 {
			return false
		}
		if !s.hold(k + 1) {
			return s.stop(k)
		}
		// First child: the pair is fixed.
		i := l.rowID[a]
		s.path[i] = l.colID[b]
		s.fixer.fix(s.levelAt(k+1), s.p, l, a, b)
		if s.visit(k + 1) {
			return true
		}
		// Second child: the pair is excluded. It takes the level of its parent,
		// and solve repairs the assignment, so it needs no copy and little work.
		s.path[i] = -1
		s.excludeImages(l, a, b)
	}
	return false
}

// stop sets the bound when the search ends early, at depth k. What was not searched
// lies below the levels on the path to here, so the greatest of their bounds holds.
func (s *search) stop(k int) bool {
	s.stopped = true
	bound := 2 * (s.goal - 1) // what was pruned has less than the goal
	for _, l := range s.levels[:k+1] {
		bound = max(bound, l.bound)
	}
	s.bound = min(s.bound, max(s.bestProfit, bound/2))
	return true
}

// price computes the profit of the assignment of l, as a node map, and keeps it if
// it is the best.
func (s *search) price(l *level) {
	copy(s.trial, s.path)
	short := false
	for a, b := range l.rowMatch {
		j := int32(-1)
		if b >= 0 {
			j = l.colID[b]
		} else {
			short = true
		}
		s.trial[l.rowID[a]] = j
	}
	if short && s.p.full {
		s.complete(s.trial)
	}
	profit := s.p.profit(s.trial)
	if s.states == 1 && 2*(profit+1) <= l.bound {
		// A good first map prunes from the start. With the exclusion of twins it
		// took AIDS700nef from 47 to 34 states a pair.
		profit = s.ascend(profit)
	}
	s.note(profit)
}

// ascend climbs from the node map in trial, which has the given profit, or from the
// best one if that is better. It returns the profit it reaches.
func (s *search) ascend(profit int) int {
	if profit < s.bestProfit {
		copy(s.trial, s.best)
		profit = s.bestProfit
	}
	return profit + s.climb()
}

// note keeps the node map in trial, which has the given profit, if it is the best.
func (s *search) note(profit int) {
	if profit <= s.bestProfit {
		return
	}
	copy(s.best, s.trial)
	s.bestProfit = profit
	if s.improved != nil {
		s.improved()
	}
	s.goal = max(profit+1, s.limits.atLeast)
	if profit >= s.limits.enough {
		s.goal = 1 << 50 // nothing is of interest any more
	}
}

// freeCols lists the columns that no row of trial is mapped to.
func (s *search) freeCols() []int32 {
	s.taken = resize(s.taken, s.p.col.n)
	clear(s.taken)
	for _, j := range s.trial {
		if j >= 0 {
			s.taken[j] = true
		}
	}
	s.free = s.free[:0]
	for j, taken := range s.taken {
		if !taken {
			s.free = append(s.free, int32(j))
		}
	}
	return s.free
}

// complete maps every row that f leaves out to some free column.
func (s *search) complete(f []int32) {
	free := s.freeCols()
	for i, j := range f {
		if j < 0 {
			f[i], free = free[0], free[1:]
		}
	}
}

// choose excludes every pair that no map of the goal can contain, and returns the
// pair to branch on: the matched pair of a row with few pairs left and many edges.
// It returns -1 if there is nothing to branch on.
//
// The exclusion is reduced-cost fixing. A map that contains pair (a, b) earns at
// most bound − (u[a] + v[b] − profit[a, b]).
func (s *search) choose(l *level) (row, col int) {
	spare := l.bound - 2*s.goal
	row = -1
	best := 1 << 60
	for a := range l.n {
		most := l.u[a] - spare
		profits := l.profit[a*l.stride : a*l.stride+l.m]
		left := l.m
		for b, v := range l.v[:len(profits)] {
			// Sign bits instead of a branch, which would be mispredicted often.
			out := (profits[b] - v - most) >> 63 // -1 if to be excluded, else 0
			left += out
			profits[b] += (forbidden - profits[b]) & out
		}
		if left == 0 {
			if s.p.full {
				return -1, -1 // this row must be mapped and cannot be
			}
			continue
		}
		if score := fewPairs*left - manyEdges*int(l.rowStar[a*s.p.types]); score < best {
			best, row = score, a
		}
	}
	if row < 0 {
		return -1, -1
	}
	if b := l.rowMatch[row]; b >= 0 {
		return row, int(b)
	}
	for b, p := range l.profit[row*l.stride : row*l.stride+l.m] {
		if !excluded(p) {
			return row, b
		}
	}
	panic("ged: a row lost its pairs")
}

// The weights of choose were found on AIDS700nef. Choosing by pairs left alone took
// 70 states a pair, with edges to break ties 50, and by these weights 45.
const (
	fewPairs  = 2
	manyEdges = 3
)
