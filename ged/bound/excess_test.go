package bound

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestExcess compares the surplus and the deficit of degrees with the sums over sequences that are written out.
func TestExcess(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func() (values, runs []int32) {
		for range rng.IntN(8) {
			values = append(values, int32(rng.IntN(5)))
		}
		slices.SortFunc(values, func(a, b int32) int { return int(b - a) })
		for i, v := range values {
			if i > 0 && v == values[i-1] {
				runs[len(runs)-1]++
				continue
			}
			runs = append(runs, v, 1)
		}
		return values, runs
	}
	for range 5000 {
		q, qRuns := draw()
		g, gRuns := draw()
		surplus, deficit := 0, 0
		for i := range max(len(q), len(g)) {
			var a, b int32
			if i < len(q) {
				a = q[i]
			}
			if i < len(g) {
				b = g[i]
			}
			surplus += int(max(a-b, 0))
			deficit += int(max(b-a, 0))
		}
		if s, d := excess(qRuns, gRuns); s != surplus || d != deficit {
			t.Fatalf("%v and %v: %d and %d, want %d and %d", q, g, s, d, surplus, deficit)
		}
	}
}
