package eval

import (
	"cmp"
	"math"
	"slices"
)

// ranks fills in the figures that are means over queries.
func (in Input) ranks(m *Metrics) {
	var kendall, spearman, at10, at20, strict10, strict20, among50, among200 mean
	for _, q := range in.byQuery() {
		if tau := KendallTauB(q.truth, q.predicted); !math.IsNaN(tau) {
			kendall.add(tau)
			spearman.add(SpearmanRho(q.truth, q.predicted))
		} else if slices.Min(q.truth) < slices.Max(q.truth) {
			kendall.add(0) // equal predictions order nothing
			spearman.add(0)
		}
		if len(q.truth) > 10 {
			at10.add(PrecisionAt(10, q.truth, q.predicted))
			strict10.add(StrictPrecisionAt(10, q.truth, q.predicted))
		}
		if len(q.truth) > 20 {
			at20.add(PrecisionAt(20, q.truth, q.predicted))
			strict20.add(StrictPrecisionAt(20, q.truth, q.predicted))
		}
		if len(q.truth) > 50 {
			among50.add(NearestAmong(10, 50, q.truth, q.predicted))
		}
		if len(q.truth) > 200 {
			among200.add(NearestAmong(10, 200, q.truth, q.predicted))
		}
	}
	m.Kendall, m.Spearman, m.RankedQueries = kendall.average(), spearman.average(), kendall.n
	m.PrecisionAt10, m.QueriesAt10 = at10.average(), at10.n
	m.PrecisionAt20, m.QueriesAt20 = at20.average(), at20.n
	m.StrictPrecisionAt10, m.StrictPrecisionAt20 = strict10.average(), strict20.average()
	m.TenAmong50, m.QueriesAmong50 = among50.average(), among50.n
	m.TenAmong200, m.QueriesAmong200 = among200.average(), among200.n
}

// ranking is the distances from one query to its targets.
type ranking struct{ truth, predicted []float64 }

// byQuery returns the rankings of all queries, by the order in which the
// queries first come.
func (in Input) byQuery() []ranking {
	at := make(map[int32]int)
	var all []ranking
	add := func(query int32, i int) {
		k, ok := at[query]
		if !ok {
			k = len(all)
			at[query] = k
			all = append(all, ranking{})
		}
		all[k].truth = append(all[k].truth, middle(in.Pairs[i]))
		all[k].predicted = append(all[k].predicted, in.Predicted[i])
	}
	for i, p := range in.Pairs {
		add(p.Query, i)
		if int(p.Target) < in.Both {
			add(p.Target, i)
		}
	}
	return all
}

// KendallTauB returns Kendall's rank correlation of x and y, corrected for
// ties:
//
//	τ_b = (C − D) / √((n₀ − n₁)(n₀ − n₂))
//
// with C concordant and D discordant pairs of n₀ = n(n−1)/2, n₁ tied in x and
// n₂ tied in y. It is NaN where all of x or all of y are tied. The time is
// O(n log n) (Knight, 1966): D is the number of exchanges that a merge sort by y
// makes in the order by x.
func KendallTauB(x, y []float64) float64 {
	n := len(x)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(x[i], x[j]), cmp.Compare(y[i], y[j])) })
	ys := make([]float64, n)
	for i, k := range order {
		ys[i] = y[k]
	}
	tiedX := tiedPairs(n, func(i int) bool { return x[order[i]] == x[order[i-1]] })
	tiedBoth := tiedPairs(n, func(i int) bool {
		return x[order[i]] == x[order[i-1]] && y[order[i]] == y[order[i-1]]
	})
	discordant := exchanges(ys, make([]float64, n))
	tiedY := tiedPairs(n, func(i int) bool { return ys[i] == ys[i-1] })
	all := int64(n) * int64(n-1) / 2
	concordant := all - tiedX - tiedY + tiedBoth - discordant
	return float64(concordant-discordant) / (math.Sqrt(float64(all-tiedX)) * math.Sqrt(float64(all-tiedY)))
}

// tiedPairs counts the pairs within runs of equal values among n sorted ones;
// tied reports whether value i equals the one before.
func tiedPairs(n int, tied func(i int) bool) int64 {
	total, run := int64(0), int64(0)
	for i := 1; i < n; i++ {
		if tied(i) {
			run++
			total += run
		} else {
			run = 0
		}
	}
	return total
}

// exchanges sorts a and returns the number of pairs that were in strictly
// falling order. Scratch is as long as a.
func exchanges(a, scratch []float64) int64 {
	if len(a) < 2 {
		return 0
	}
	half := len(a) / 2
	total := exchanges(a[:half], scratch[:half]) + exchanges(a[half:], scratch[half:])
	copy(scratch, a)
	left, right := scratch[:half], scratch[half:]
	for i := range a {
		if len(right) == 0 || len(left) > 0 && left[0] <= right[0] {
			a[i], left = left[0], left[1:]
		} else {
			a[i], right = right[0], right[1:]
			total += int64(len(left))
		}
	}
	return total
}

// SpearmanRho returns Spearman's rank correlation: Pearson's correlation of the
// ranks, ties given their mean rank. It is NaN where all of x or all of y are
// tied.
func SpearmanRho(x, y []float64) float64 {
	a, b := meanRanks(x), meanRanks(y)
	middle := float64(len(x)+1) / 2
	var ab, aa, bb float64
	for i := range a {
		u, v := a[i]-middle, b[i]-middle
		ab += u * v
		aa += u * u
		bb += v * v
	}
	return ab / (math.Sqrt(aa) * math.Sqrt(bb))
}

// meanRanks returns the rank of every value, from 1, ties given their mean.
func meanRanks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	rank := make([]float64, len(x))
	for begin := 0; begin < len(order); {
		end := begin + 1
		for end < len(order) && x[order[end]] == x[order[begin]] {
			end++
		}
		for _, i := range order[begin:end] {
			rank[i] = float64(begin+end+1) / 2
		}
		begin = end
	}
	return rank
}

// PrecisionAt returns the share of true neighbours among the k that are
// predicted nearest. A target is a true neighbour if at most k − 1 are truly
// nearer, so ties at the k-th place all count. Where predictions tie at the
// k-th place, it is the mean over all orders of the tied. There are at least k
// targets.
func PrecisionAt(k int, truth, predicted []float64) float64 {
	radius := kth(k, truth)
	return overlap(k, predicted, func(i int) float64 {
		if truth[i] <= radius {
			return 1
		}
		return 0
	})
}

// StrictPrecisionAt is [PrecisionAt] with k true neighbours, no more: of those that
// tie at the k-th place only as many count as there are places. It is the mean over
// all orders of the tied.
func StrictPrecisionAt(k int, truth, predicted []float64) float64 {
	near := shares(k, truth)
	return overlap(k, predicted, func(i int) float64 { return near[i] })
}

// NearestAmong returns the share of the k nearest targets that are among the first candidates
// by prediction. Of targets that tie at the k-th place only as many are wanted as there are
// places. Where predictions tie at the last place among the candidates, a target counts by its
// chance. There are at least as many targets as candidates, and as many candidates as k.
func NearestAmong(k, candidates int, truth, predicted []float64) float64 {
	radius := kth(k, truth)
	wanted, nearer, tied := k, 0.0, 0.0
	for i, share := range shares(candidates, predicted) {
		switch {
		case truth[i] < radius:
			wanted--
			nearer += share
		case truth[i] == radius:
			tied += share
		}
	}
	return (nearer + min(tied, float64(wanted))) / float64(k)
}

// overlap returns the mean of near over the k that are predicted nearest.
func overlap(k int, predicted []float64, near func(i int) float64) float64 {
	sum := 0.0
	for i, share := range shares(k, predicted) {
		if share > 0 {
			sum += share * near(i)
		}
	}
	return sum / float64(k)
}

// shares returns how probably each value is among the k smallest, if a random
// order decides between equals.
func shares(k int, values []float64) []float64 {
	last := kth(k, values)
	less, tied := 0, 0
	for _, x := range values {
		switch {
		case x < last:
			less++
		case x == last:
			tied++
		}
	}
	list := make([]float64, len(values))
	for i, x := range values {
		switch {
		case x < last:
			list[i] = 1
		case x == last:
			list[i] = float64(k-less) / float64(tied)
		}
	}
	return list
}

// kth returns the k-th smallest value.
func kth(k int, values []float64) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[k-1]
}
