package ged

import (
	"math"
)

// bounds are what is known of the profit of a problem's node maps, and the request. All
// searches of a pair share them: each reads the goal and notes the better maps that it finds,
// and those that prove something lower the bound.
//
// At any time best is a node map that earns bestProfit, no map
// earns more than bound, and the goal is more than bestProfit.
type bounds struct {
	p      *problem
	limits limits

	best       []int32 // the best node map: the column of each row, or -1
	bestProfit int
	goal       int // the least profit that is of interest
	bound      int
	stopped    bool // the search ended before bound and bestProfit met

	improved func() // is called with every new best map; may be nil
}

// limits say which profits are of interest: those of at least atLeast. Once a
// profit of enough is found, the search ends.
type limits struct {
	atLeast, enough int
}

// unlimited asks for the best profit, whatever it is.
var unlimited = limits{-1 << 60, math.MaxInt}

// nothing is a goal beyond all profits: none is of interest any more.
const nothing = 1 << 50

// begin forgets the last problem.
func (s *bounds) begin(p *problem, lim limits) {
	s.p, s.limits, s.stopped = p, lim, false
	s.best = p.columns(s.best, nil)
	s.bestProfit, s.goal = -nothing, -nothing // until the root is priced
}

// note keeps node map f, which has the given profit, if it is the best.
func (s *bounds) note(f []int32, profit int) {
	if profit <= s.bestProfit {
		return
	}
	copy(s.best, f)
	s.bestProfit = profit
	if s.improved != nil {
		s.improved()
	}
	s.goal = max(profit+1, s.limits.atLeast)
	if profit >= s.limits.enough {
		s.goal = nothing
	}
}

// stopAt ends the search early. No map that it has not looked at earns more than open.
func (s *bounds) stopAt(open int) {
	s.stopped = true
	s.bound = min(s.bound, max(s.bestProfit, open))
}

// hopeful reports whether a better map may exist and is of interest.
func (s *bounds) hopeful() bool { return s.goal <= s.bound && s.bestProfit < s.limits.enough }

// apart reports whether the bounds of the distance differ by more than one part in so
// many of the upper bound.
func (s *bounds) apart(parts int) bool {
	return parts*(s.bound-s.bestProfit)*s.p.scale > s.p.worst-s.bestProfit*s.p.scale
}
