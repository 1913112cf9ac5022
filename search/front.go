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

// limit returns the distance beyond which nothing is an answer.
func (f *front) limit() float64 {
	if f.k > 0 && len(f.uppers) == f.k {
		return f.uppers[f.k-1]
	}
	return f.radius
}

// add takes note of the upper bound of a graph's distance.
func (f *front) add(upper float64) {
	if f.k == 0 {
		return
	}
	i := sort.SearchFloat64s(f.uppers, upper)
	if i == f.k {
		return
	}
	f.uppers = slices.Insert(f.uppers, i, upper)
	f.uppers = f.uppers[:min(len(f.uppers), f.k)]
}

// worth estimates how many candidates will have to be solved.
func (f *front) worth(candidates []Answer) int {
	if f.k > 0 {
		return min(len(candidates), 2*candidatesPer*f.k)
	}
	n := 0
	for i := range candidates {
		if candidates[i].Lower <= f.radius {
			n++
		}
	}
	return n
}

// pick returns the answers among the candidates that were solved, nearest
// first: the k nearest, or all that may lie within the radius. Of answers at
// one distance those with the smaller prediction, then those that were
// candidates first, come first.
func (f *front) pick(candidates []Answer) []Answer {
	var answers []Answer
	for _, a := range candidates {
		if a.Map != nil && a.Lower <= f.radius {
			answers = append(answers, a)
		}
	}
	sortBy(answers, (*Answer).Distance)
	if f.k > 0 && len(answers) > f.k {
		answers = answers[:f.k]
	}
	return answers
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
