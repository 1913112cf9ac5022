package search

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// front decides how near a graph must be to be an answer, given the bounds found so
// far.
type front struct {
	k      int
	radius float64
	uppers []float64 // the k least upper bounds, increasing
}

// slack is how far, relative to 1 and the radius, a distance may exceed the radius and
// still count as within it, because sums of costs such as 0.1 are rounded.
const slack = 1e-9

func newFront(opt Options) *front {
	radius := opt.radius()
	return &front{k: opt.K, radius: radius + slack*(1+radius)}
}

// admits reports whether a graph whose distance is not known may be an answer. A graph
// as far away as the k-th is not: among equals, earlier candidates win. One of the k
// best may be an answer as long as its own upper bound may be the k-th.
func (f *front) admits(lower, upper float64) bool {
	if lower > f.radius {
		return false
	}
	if f.k == 0 || len(f.uppers) < f.k {
		return true
	}
	last := f.uppers[f.k-1]
	return lower < last || upper <= last
}

// reach returns the greatest distance at which a graph without bounds may be an answer.
func (f *front) reach() float64 {
	if f.k == 0 || len(f.uppers) < f.k {
		return f.radius
	}
	last := f.uppers[f.k-1]
	return min(f.radius, last-slack*(1+last)) // a graph at the same distance as the last is no answer
}

// interest returns the distance from which on a graph with the given upper bound is no
// answer, or 0 if there is none. The solver can stop there.
func (f *front) interest(upper float64) float64 {
	most := math.Inf(1)
	if f.k > 0 && len(f.uppers) == f.k && upper > f.uppers[f.k-1] {
		most = f.uppers[f.k-1]
	}
	// Exceed the radius by more than the rounding of the solver's costs.
	most = min(most, f.radius+1e-6*(1+f.radius))
	if math.IsInf(most, 1) {
		return 0
	}
	return most
}

// beyond returns a number above radius by more than the solver rounds costs.
func beyond(radius float64) float64 { return radius + 1e-6*(1+radius) }

// replace records that a graph's upper bound changed from old to upper; old is +Inf if
// it had none.
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

// pick divides the candidates into the answers and those that bounds leave open. The
// answers are the k with the least upper bounds within the radius. Ties go to earlier
// candidates; see [checker.open].
func (f *front) pick(candidates []Answer) (answers, missing []Answer) {
	var order []int
	for i := range candidates {
		if a := &candidates[i]; a.Map != nil && a.Upper <= f.radius {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &candidates[i], &candidates[j]
		return cmp.Or(cmp.Compare(a.Upper, b.Upper), cmp.Compare(a.Lower, b.Lower))
	})
	if f.k > 0 && len(order) > f.k {
		order = order[:f.k]
	}
	given := make(map[int]bool, len(order))
	for _, i := range order {
		given[i] = true
		answers = append(answers, candidates[i])
	}
	last := math.Inf(1)
	if f.k > 0 && len(order) == f.k {
		last = answers[f.k-1].Upper
	}
	slices.SortFunc(answers, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(a.Upper, b.Upper), cmp.Compare(a.Lower, b.Lower), cmp.Compare(a.Position, b.Position))
	})
	for i, a := range candidates {
		if !given[i] && !a.Exact && a.Lower <= f.radius && a.Lower < last {
			missing = append(missing, a)
		}
	}
	sortBy(missing, func(a *Answer) float64 { return a.Lower })
	return answers, missing
}

// sortBy sorts by key and is stable.
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
