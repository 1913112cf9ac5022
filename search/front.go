package search

import (
	"math"
	"slices"
	"sort"
)

// front knows how near a graph must be to be an answer, given those found.
type front struct {
	k      int
	radius float64
	uppers []float64 // the k least upper bounds, increasing
}

func newFront(opt Options) *front {
	f := &front{k: opt.K, radius: opt.Radius}
	if opt.K > 0 {
		f.radius = math.Inf(1)
	}
	return f
}

// admits tells whether a graph whose distance is not known may be an answer.
// A graph as far as the k-th found is none: of equals, those that were
// candidates first are answers. One of the k found is one as long as its own
// upper bound may be the k-th.
func (f *front) admits(lower, upper float64) bool {
	if f.k == 0 {
		return lower <= f.radius
	}
	if len(f.uppers) < f.k {
		return true
	}
	last := f.uppers[f.k-1]
	return lower < last || upper <= last
}

// interest returns the distance from which on a graph with the given upper
// bound is no answer, 0 if there is none: what the solver need not look beyond.
func (f *front) interest(upper float64) float64 {
	switch {
	case f.k == 0:
		// Beyond the radius by more than the solver rounds costs.
		return f.radius + 1e-6*(1+f.radius)
	case f.k > 0 && len(f.uppers) == f.k && upper > f.uppers[f.k-1]:
		return f.uppers[f.k-1]
	}
	return 0
}

// replace takes note that a graph's upper bound was old, +Inf if it had none,
// and is now upper.
func (f *front) replace(old, upper float64) {
	if f.k == 0 || upper >= old {
		return
	}
	if i := sort.SearchFloat64s(f.uppers, old); i < len(f.uppers) && f.uppers[i] == old {
		f.uppers = slices.Delete(f.uppers, i, i+1)
	}
	i := sort.SearchFloat64s(f.uppers, upper)
	f.uppers = slices.Insert(f.uppers, i, upper)
	f.uppers = f.uppers[:min(len(f.uppers), f.k)]
}

// pick divides the candidates into the answers and those that bounds leave
// open: that may be answers instead, or whose own distance is not known. The
// answers are the k with the least upper bounds, or all that may lie within the
// radius, by upper bound; at the same, those that were candidates first.
func (f *front) pick(candidates []Answer) (answers, open []Answer) {
	for _, a := range candidates {
		if a.Map != nil && a.Lower <= f.radius {
			answers = append(answers, a)
		}
	}
	sortBy(answers, func(a *Answer) float64 { return a.Upper })
	if f.k > 0 && len(answers) > f.k {
		answers = answers[:f.k]
	}
	for i := range candidates {
		if a := &candidates[i]; !a.Exact && f.admits(a.Lower, a.Upper) {
			open = append(open, *a)
		}
	}
	return answers, open
}

// sortBy sorts by key, keeping the order of equals.
func sortBy(answers []Answer, key func(*Answer) float64) {
	slices.SortStableFunc(answers, func(a, b Answer) int {
		x, y := key(&a), key(&b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}
