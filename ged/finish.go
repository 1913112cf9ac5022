package ged

import (
	"slices"

	"github.com/greedgraph/greed/edit"
)

// found returns the outcome of the last search, which finish completes.
func (s *Solver) found() Result {
	p, f := &s.problem, &s.search
	return Result{States: f.budget.searched, Map: p.nodeMap(f.best), Lower: max(0, p.cost(max(f.bound, f.bestProfit)))}
}

// finish ends every computation: it makes the map of r one of the whole graphs, the upper bound what that map
// costs, whatever was noted of it, and the lower bound no more. A map that costs more than to delete and to
// insert everything that is left gives way to that one. searched says that the map is the
// best of the last search.
func (s *Solver) finish(r *Result, rest *rest, searched bool, tau float64) {
	p := &s.problem
	all := 0
	if searched {
		all = p.replaced
	} else {
		all = worstCost(s.pricing, s.unit, rest.wholeQ, rest.wholeT) - rest.kept(s.pricing, s.unit)
	}
	if searched && s.unit.Exact() {
		r.Upper = p.cost(p.profit(s.search.best)) // far faster than InducedCost, a tenth of the time of small pairs
	} else {
		r.Upper = s.costOf(rest, r.Map)
	}
	if r.Upper > s.unit.Cost(float64(all)) {
		none := noMap(rest.q)
		if cost := s.costOf(rest, none); cost < r.Upper {
			r.Map, r.Upper = none, cost
		}
	}
	r.Map = rest.whole(r.Map)
	r.Lower = min(r.Lower, r.Upper)
	if searched && !s.unit.Exact() && r.Lower < r.Upper {
		f := &s.search
		if meet := f.bound <= f.bestProfit && r.Upper-r.Lower <= meeting*r.Upper; meet ||
			s.noneBetween(rest, r.Lower, r.Upper) {
			if _, known := r.Within(tau); known {
				r.Lower = r.Upper
			}
		}
	}
	r.Exact = r.Lower == r.Upper
}

// costOf returns the cost of a node map of what is left of the graphs, as one of the whole.
func (s *Solver) costOf(rest *rest, m edit.NodeMap) float64 {
	return s.unit.Sum(edit.InducedCost(s.pricing, rest.wholeQ, rest.wholeT, rest.whole(m)))
}

// meeting is the relative distance of bounds that meet but for rounding.
const meeting = 1e-9

// noneBetween reports whether surely no sum of costs is at least lower and less than upper. Every distance is
// such a sum, so it is upper then. Costs without a common unit leave gaps that rounding does not: a distance
// of .001 beside costs of up to 1000 is one edit.
func (s *Solver) noneBetween(rest *rest, lower, upper float64) bool {
	values := s.pricing.Values(rest.wholeQ, rest.wholeT)
	values = slices.DeleteFunc(values, func(x float64) bool { return x == 0 || x > upper })
	slices.Sort(values)
	values = slices.Compact(values)
	slices.Reverse(values)
	tries := mostSums
	return !sumBetween(values, lower, upper/(1+sameSum), &tries)
}

const (
	mostSums = 1 << 12 // that noneBetween looks at
	sameSum  = 1e-12   // the relative difference of sums that are taken as equal; see [edit.Within]
)

// sumBetween reports whether a sum of the values, each taken any number of times, is at least lower and less than
// upper, or that there are too many to tell. The values fall.
func sumBetween(values []float64, lower, upper float64, tries *int) bool {
	if lower <= 0 {
		return true
	}
	if len(values) == 0 {
		return false
	}
	for {
		if *tries--; *tries < 0 || sumBetween(values[1:], lower, upper, tries) {
			return true
		}
		lower -= values[0]
		upper -= values[0]
		if upper <= 0 {
			return false
		}
		if lower <= 0 {
			return true
		}
	}
}
