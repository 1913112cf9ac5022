package ged

import "context"

// search is a depth-first branch and bound. A state fixes some pairs and
// excludes others; it is split at one pair into "fixed" and "excluded".
type search struct {
	ctx    context.Context
	p      *problem
	budget budget
	levels []*level
	assign assigner
	marks  marks

	path       []int32 // column by row of what is fixed, else -1
	best       []int32 // column by row, or -1
	trial      []int32
	bestProfit int
	need       int // doubled bound of states that can hold something better
	states     int64
	bound      int // no profit exceeds it; after a stop
	stopped    bool
}

// checkEvery is how many states pass between looks at clock and context.
const checkEvery = 64

func (s *search) run(ctx context.Context, p *problem, b budget) {
	s.ctx, s.p, s.budget = ctx, p, b
	n := p.row.n
	for len(s.levels) <= n {
		s.levels = append(s.levels, new(level))
	}
	s.marks.shape(n, p.col.n)
	s.path = resize(s.path, n)
	s.best = resize(s.best, n)
	s.trial = resize(s.trial, n)
	for i := range n {
		s.path[i], s.best[i] = -1, -1
	}
	s.states, s.bound, s.stopped = 0, 0, false
	if p.full {
		s.improve(-1) // nothing yet: leaving all rows out is not priced
	} else {
		s.improve(0)
	}
	s.levels[0].root(p)
	s.visit(0)
}

// improve notes a better profit.
func (s *search) improve(profit int) {
	s.bestProfit = profit
	s.need = 2 * (profit + 1)
}

// visit searches the state at depth k and tells whether it was stopped.
func (s *search) visit(k int) (stopped bool) {
	l := s.levels[k]
	for s.assign.solve(l, s.need) {
		s.states++
		s.price(l)
		if s.states%checkEvery == 1 && s.budget.spent(s.ctx, s.states) || s.states == s.budget.states {
			return s.stop(k)
		}
		a, b := s.choose(l)
		if a < 0 {
			return false
		}
		i := l.rowID[a]
		s.path[i] = l.colID[b]
		s.levels[k+1].fix(s.p, l, a, b, &s.marks)
		if s.visit(k + 1) {
			return true
		}
		s.path[i] = -1
		l.exclude(a, b)
	}
	return false
}

// stop notes the bound that is left when the search ends at depth k.
func (s *search) stop(k int) bool {
	s.stopped = true
	bound := 2 * s.bestProfit
	for _, l := range s.levels[:k+1] {
		bound = max(bound, l.bound)
	}
	s.bound = bound / 2
	return true
}

// price evaluates the assignment of l as a whole node map.
func (s *search) price(l *level) {
	copy(s.trial, s.path)
	free := 0
	for a, b := range l.rowMatch {
		j := int32(-1)
		if b >= 0 {
			j = l.colID[b]
		} else if s.p.full {
			for l.colMatch[free] >= 0 {
				free++
			}
			j = l.colID[free]
			free++
		}
		s.trial[l.rowID[a]] = j
	}
	if profit := s.p.profit(s.trial); profit > s.bestProfit {
		copy(s.best, s.trial)
		s.improve(profit)
	}
}

// choose excludes every pair that cannot be part of anything better and
// returns the matched pair of the row with the fewest left; -1 if none is.
func (s *search) choose(l *level) (row, col int) {
	spare := l.bound - s.need
	row, col = -1, -1
	fewest := l.m + 1
	for a := range l.n {
		left, first := 0, -1
		for b := range l.m {
			x := &l.profit[a*l.m+b]
			if *x == forbidden {
				continue
			}
			if l.u[a]+l.v[b]-*x > spare {
				l.exclude(a, b)
				continue
			}
			left++
			if first < 0 {
				first = b
			}
		}
		if left == 0 {
			if s.p.full {
				return -1, -1
			}
			continue
		}
		if left < fewest {
			fewest, row, col = left, a, first
			if b := l.rowMatch[a]; b >= 0 {
				col = int(b)
			}
		}
	}
	return row, col
}

// exclude forbids the pair (a, b).
func (l *level) exclude(a, b int) {
	l.profit[a*l.m+b] = forbidden
	if int(l.rowMatch[a]) == b {
		l.rowMatch[a], l.colMatch[b] = -1, -1
	}
}
