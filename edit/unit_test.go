package edit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
)

func TestUnitDivides(t *testing.T) {
	tenth := 0.1
	for _, c := range []struct {
		costs  []float64
		perOne float64 // 0: not exact
	}{
		{nil, 1},
		{[]float64{0, 0}, 1},
		{[]float64{1, 2, 5}, 1},
		{[]float64{5, 0.5, 0.1, 1. / 3}, 30},
		{[]float64{0.35, 1. / 7}, 140},
		{[]float64{tenth + 0.2, 0.7}, 10},
		{[]float64{0.000001}, 1e6},
		{[]float64{1e9, 0.25}, 0},  // the counts are too large
		{[]float64{0.0000001}, 0},  // the unit is too small
		{[]float64{math.Pi, 1}, 0}, // there is none
		{[]float64{1, 1 + 5e-13}, 0},
	} {
		u := edit.UnitOf(c.costs, 100)
		if u.Exact() != (c.perOne > 0) || u.Exact() && u.PerOne() != c.perOne {
			t.Errorf("%v: %v in 1, exact %v", c.costs, u.PerOne(), u.Exact())
		}
		for _, x := range c.costs {
			got := u.Cost(u.Counted(x))
			if u.Exact() && math.Abs(got-x) > 1e-15*x || !u.Exact() && (got > x || x-got >= u.Cost(1)) {
				t.Errorf("%v: %v is counted as %v", c.costs, x, got)
			}
		}
	}
}

// TestUnitCompares: sums of costs in any order are compared as the sums of the numbers that
// are meant.
func TestUnitCompares(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 1))
	for range 3000 {
		perOne := []float64{1, 3, 10, 30, 100, 1024}[r.IntN(6)]
		var costs []float64
		count := 0
		for range 1 + r.IntN(8) {
			c := r.IntN(50)
			costs, count = append(costs, float64(c)/perOne), count+c
		}
		u, sum := edit.UnitOf(costs, len(costs)), 0.0
		counted := 0
		for _, i := range r.Perm(len(costs)) {
			sum, counted = sum+costs[i], counted+u.Count(costs[i])
		}
		exact := u.Cost(float64(counted))
		if !u.Exact() || exact != float64(count)/perOne || u.Sum(sum) != exact {
			t.Fatalf("%v of %v: %v, %v, want %v", costs, perOne, exact, u.Sum(sum), float64(count)/perOne)
		}
		for _, limit := range []float64{sum, exact} {
			if u.Within(limit) != counted || u.Below(limit) != counted-1 || !(u.Above(limit) > limit) || u.Within(u.Above(limit)) != counted+1 {
				t.Fatalf("%v of %v: within %d, below %d, above %v", costs, limit, u.Within(limit), u.Below(limit), u.Above(limit))
			}
		}
	}
}

// TestUnitRoundsDown: where there is no unit, counts add up to less than costs, by less than
// one unit each.
func TestUnitRoundsDown(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 2))
	for range 1000 {
		n := 3 + r.IntN(40)
		var costs []float64
		for range n {
			costs = append(costs, math.Exp(13*r.Float64()))
		}
		u, sum := edit.UnitOf(costs, n), 0.0
		counted := 0
		for _, c := range costs {
			sum, counted = sum+c, counted+u.Count(c)
		}
		low, high := u.Cost(float64(counted)), u.Most(float64(counted), n)
		if u.Exact() || low > sum || high < sum || counted > u.Within(sum) {
			t.Fatalf("%v: %v is not between %v and %v", costs, sum, low, high)
		}
		if a := u.Above(sum); a <= edit.Within(sum) || a-sum > 2*u.Cost(1)+3e-12*sum {
			t.Fatalf("above %v is %v", sum, a)
		}
	}
}
