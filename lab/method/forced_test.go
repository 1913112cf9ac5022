package method

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/internal/assign"
)

// enumerate calls visit with the cost of every assignment and the column that
// row pick takes in it (assign.None: deleted).
func enumerate(cost, del, ins []float64, pick int, visit func(total float64, column int)) {
	n, m := len(del), len(ins)
	taken := make([]bool, m)
	var extend func(i int, total float64, column int)
	extend = func(i int, total float64, column int) {
		if i == n {
			for j := range m {
				if !taken[j] {
					total += ins[j]
				}
			}
			visit(total, column)
			return
		}
		extend(i+1, total+del[i], column)
		for j := range m {
			if taken[j] {
				continue
			}
			taken[j] = true
			c := column
			if i == pick {
				c = j
			}
			extend(i+1, total+cost[i*m+j], c)
			taken[j] = false
		}
	}
	extend(0, 0, assign.None)
}

// problem draws a problem from few distinct values, so that ties abound, or
// from many, negative ones among them.
func problem(r *rand.Rand) (cost, del, ins []float64) {
	n, m := r.IntN(6), r.IntN(6)
	values := 3 + r.IntN(2)*1000
	draw := func(k int) []float64 {
		a := make([]float64, k)
		for i := range a {
			a[i] = float64(r.IntN(values)-values/3) / 2
		}
		return a
	}
	return draw(n * m), draw(n), draw(m)
}

// TestForced holds forced against all assignments.
func TestForced(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 0))
	var s forcing
	var got []float64
	for trial := range 20000 {
		cost, del, ins := problem(r)
		n, m := len(del), len(ins)
		if n == 0 {
			continue
		}
		pick := r.IntN(n)
		want := make([]float64, m+1)
		for j := range want {
			want[j] = math.Inf(1)
		}
		enumerate(cost, del, ins, pick, func(total float64, column int) {
			if column == assign.None {
				column = m
			}
			want[column] = min(want[column], total)
		})
		s.Solve(cost, del, ins)
		got = s.forced(got, pick)
		for j := range want {
			if got[j] != want[j] {
				t.Fatalf("seed %d trial %d: row %d in column %d costs %v, want %v\n%v %v %v", seed, trial, pick, j, got[j], want[j], cost, del, ins)
			}
		}
	}
}
