package search

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/greedgraph/greed/edit"
)

// topK decides how near a graph must be to be an answer, given the upper bounds found so
// far.
type topK struct {
	k      int
	radius float64   // the greatest distance of an answer
	above  float64   // the least beyond
	uppers []float64 // the k least upper bounds, increasing
}

func newTopK(opt Options, u edit.Unit) *topK {
	return &topK{k: opt.K, radius: edit.Within(opt.radius()), above: u.Above(opt.radius())}
}

// admits reports whether a graph whose distance is not known may be an answer. A graph
// as far away as the k-th is not: among equals, earlier candidates win. One of the k
// best may be an answer as long as its own upper bound may be the k-th.
func (b *topK) admits(lower, upper float64) bool {
	if lower > b.radius {
		return false
	}
	if b.k == 0 || len(b.uppers) < b.k {
		return true
	}
	last := b.uppers[b.k-1]
	return lower < last || upper <= last
}

// reach returns the greatest distance at which a graph without bounds may be an answer.
func (b *topK) reach() float64 {
	if b.k == 0 || len(b.uppers) < b.k {
		return b.radius
	}
	return min(b.radius, math.Nextafter(b.uppers[b.k-1], -1)) // a graph at the same distance as the last is no answer
}

// interest returns the distance from which on a graph with the given upper bound is no
// answer, or 0 if there is none. The solver can stop there.
func (b *topK) interest(upper float64) float64 {
	most := math.Inf(1)
	if b.k > 0 && len(b.uppers) == b.k && upper > b.uppers[b.k-1] {
		most = b.uppers[b.k-1]
	}
	most = min(most, b.above)
	if math.IsInf(most, 1) {
		return 0
	}
	return most
}

// replace records that a graph's upper bound changed from old to upper; old is +Inf if
// it had none.
func (b *topK) replace(old, upper float64) {
	if b.k == 0 || upper >= old {
		return
	}
	if i := sort.SearchFloat64s(b.uppers, old); i < len(b.uppers) && b.uppers[i] == old {
		b.uppers = slices.Delete(b.uppers, i, i+1)
	}
	i := sort.SearchFloat64s(b.uppers, upper)
	b.uppers = slices.Insert(b.uppers, i, upper)
	b.uppers = b.uppers[:min(len(b.uppers), b.k)]
}

// pick divides the candidates into the answers and those that bounds leave open. The
// answers are the k with the least upper bounds within the radius. Ties go to earlier
// candidates; see [verifier.open].
func (b *topK) pick(candidates []candidate) (answers, missing []Answer) {
	var order []int
	for i := range candidates {
		if a := &candidates[i]; a.Map != nil && a.Upper <= b.radius {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		x, y := &candidates[i], &candidates[j]
		return cmp.Or(cmp.Compare(x.Upper, y.Upper), cmp.Compare(x.Lower, y.Lower))
	})
	if b.k > 0 && len(order) > b.k {
		order = order[:b.k]
	}
	given := make(map[int]bool, len(order))
	for _, i := range order {
		given[i] = true
		answers = append(answers, candidates[i].Answer)
	}
	last := math.Inf(1)
	if b.k > 0 && len(order) == b.k {
		last = answers[b.k-1].Upper
	}
	slices.SortFunc(answers, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(a.Upper, b.Upper), cmp.Compare(a.Lower, b.Lower), cmp.Compare(a.Position, b.Position))
	})
	for i := range candidates {
		if a := &candidates[i]; !given[i] && !a.Exact && a.Lower <= b.radius && a.Lower < last {
			missing = append(missing, a.Answer)
		}
	}
	slices.SortStableFunc(missing, func(a, b Answer) int { return cmp.Compare(a.Lower, b.Lower) })
	return answers, missing
}
