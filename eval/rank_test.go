package eval

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// drawValues draws two rankings with many ties.
func drawValues(t *rapid.T) (x, y []float64) {
	n := rapid.IntRange(1, 40).Draw(t, "n")
	rng := newRand(rapid.Uint64().Draw(t, "seed"))
	values := 1 + rng.IntN(2*n)
	for range n {
		x = append(x, float64(rng.IntN(values)))
		y = append(y, float64(rng.IntN(values)))
	}
	return x, y
}

func TestKendallAgainstAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawValues(t)
		var concordant, discordant, notTiedX, notTiedY float64
		for i := range x {
			for j := range i {
				switch product := (x[i] - x[j]) * (y[i] - y[j]); {
				case product > 0:
					concordant++
				case product < 0:
					discordant++
				}
				if x[i] != x[j] {
					notTiedX++
				}
				if y[i] != y[j] {
					notTiedY++
				}
			}
		}
		want := (concordant - discordant) / math.Sqrt(notTiedX*notTiedY)
		if got := KendallTauB(x, y); !cmp.Equal(got, want, nearly, cmpopts.EquateNaNs()) {
			t.Fatalf("τ-b %v, want %v", got, want)
		}
	})
}

func TestSpearmanByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawValues(t)
		ranks := func(v []float64) []float64 {
			r := make([]float64, len(v))
			for i := range v {
				r[i] = 0.5
				for j := range v {
					if v[j] < v[i] {
						r[i]++
					} else if v[j] == v[i] {
						r[i] += 0.5
					}
				}
			}
			return r
		}
		a, b := ranks(x), ranks(y)
		n := float64(len(x))
		var sa, sb, saa, sbb, sab float64
		for i := range a {
			sa += a[i]
			sb += b[i]
			saa += a[i] * a[i]
			sbb += b[i] * b[i]
			sab += a[i] * b[i]
		}
		want := (n*sab - sa*sb) / math.Sqrt((n*saa-sa*sa)*(n*sbb-sb*sb))
		if got := SpearmanRho(x, y); !cmp.Equal(got, want, cmpopts.EquateApprox(1e-9, 1e-9), cmpopts.EquateNaNs()) {
			t.Fatalf("ρ %v, want %v", got, want)
		}
	})
}

// TestPrecisionAgainstShuffles averages over random orders of tied
// predictions.
func TestPrecisionAgainstShuffles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawValues(t)
		k := rapid.IntRange(1, len(x)).Draw(t, "k")
		sorted := slices.Sorted(slices.Values(x))
		rng := newRand(1)
		const shuffles = 500
		hits, strict := 0, 0
		order := rng.Perm(len(x))
		for range shuffles {
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			nearest := slices.Clone(order)
			slices.SortStableFunc(nearest, func(i, j int) int { return int(y[i] - y[j]) })
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			truly := slices.Clone(order)
			slices.SortStableFunc(truly, func(i, j int) int { return int(x[i] - x[j]) })
			for _, i := range nearest[:k] {
				if x[i] <= sorted[k-1] {
					hits++
				}
				if slices.Contains(truly[:k], i) {
					strict++
				}
			}
		}
		want := float64(hits) / float64(k*shuffles)
		if got := PrecisionAt(k, x, y); math.Abs(got-want) > 0.1 {
			t.Fatalf("p@%d is %v, about %v by shuffling", k, got, want)
		}
		want = float64(strict) / float64(k*shuffles)
		if got := StrictPrecisionAt(k, x, y); math.Abs(got-want) > 0.1 {
			t.Fatalf("strict p@%d is %v, about %v by shuffling", k, got, want)
		}
	})
}

func TestRanksAreMeansOverQueries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		r, err := Evaluate(in)
		if err != nil {
			t.Fatal(err)
		}
		var sum, n, at10 float64
		targets := len(in.Targets)
		for q := range in.Queries {
			var x []float64
			y := in.Predicted[q*targets : (q+1)*targets]
			for _, p := range in.Pairs[q*targets : (q+1)*targets] {
				x = append(x, (p.Lower+p.Upper)/2)
			}
			at10 += PrecisionAt(10, x, y) / 3
			if slices.Min(x) == slices.Max(x) {
				continue
			}
			n++
			if tau := KendallTauB(x, y); !math.IsNaN(tau) {
				sum += tau
			}
		}
		sameFigure(t, "τ-b", r.All.Kendall, sum/n)
		sameFigure(t, "p@10", r.All.PrecisionAt10, at10)
		if !math.IsNaN(float64(r.All.PrecisionAt20)) || r.All.QueriesAt20 != 0 {
			t.Fatal("p@20 of 12 targets")
		}
	})
}

// TestNearestAmongCandidates: against a count over all orders of tied predictions, for graphs few
// enough to list them.
func TestNearestAmongCandidates(t *testing.T) {
	rng := newRand(3)
	for range 200 {
		n := 3 + rng.IntN(4)
		truth, predicted := make([]float64, n), make([]float64, n)
		for i := range n {
			truth[i], predicted[i] = float64(rng.IntN(4)), float64(rng.IntN(2*n)) // mostly without ties
		}
		slices.Sort(predicted)
		predicted = slices.Compact(predicted)
		for len(predicted) < n {
			predicted = append(predicted, predicted[len(predicted)-1]+1)
		}
		k := 1 + rng.IntN(n)
		candidates := k + rng.IntN(n-k+1)
		// The first candidates are the first positions: the greatest number of them that can
		// be the k nearest, over the choices among ties, is what the share counts.
		sorted := slices.Sorted(slices.Values(truth))
		found := slices.Sorted(slices.Values(truth[:candidates]))
		at, right := 0, 0
		for _, d := range sorted[:k] {
			for at < len(found) && found[at] < d {
				at++
			}
			if at < len(found) && found[at] == d {
				at++
				right++
			}
		}
		if got, want := NearestAmong(k, candidates, truth, predicted), float64(right)/float64(k); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%d nearest among %d of %v: %v, want %v", k, candidates, truth, got, want)
		}
	}
}
