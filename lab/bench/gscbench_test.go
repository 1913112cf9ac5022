package bench

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/truth"
)

// TestEvenPairs: pairs are different, every graph is in as many as any other as far as
// that can be, and a smaller number is the beginning of a larger one.
func TestEvenPairs(t *testing.T) {
	for _, n := range []int{2, 3, 7, 20} {
		all := n * (n - 1) / 2
		whole := evenPairs(rand.New(rand.NewPCG(1, 2)), n, 2*all)
		if len(whole) != all {
			t.Fatalf("%d pairs of %d graphs, want %d", len(whole), n, all)
		}
		seen := make(map[truth.Pair]bool)
		for _, p := range whole {
			if p.Query >= p.Target || seen[p] {
				t.Errorf("%d graphs: pair %v", n, p)
			}
			seen[p] = true
		}
		for _, count := range []int{1, n / 2, n, 2 * n} {
			if count > all/2 {
				continue // the last pairs are what is left
			}
			pairs := evenPairs(rand.New(rand.NewPCG(1, 2)), n, count)
			if !slices.Equal(pairs, whole[:count]) {
				t.Errorf("%d of %d graphs are not the first of all", count, n)
			}
			degree := make([]int, n)
			for _, p := range pairs {
				degree[p.Query]++
				degree[p.Target]++
			}
			if slices.Max(degree)-slices.Min(degree) > 1 {
				t.Errorf("%d pairs of %d graphs: degrees %v", count, n, degree)
			}
		}
	}
}
