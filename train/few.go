package train

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/greedgraph/greed/truth"
)

// evenPairs draws count different pairs of n graphs, or all if there are fewer. It prefers
// graphs in no pair yet, then those in the fewest. The pairs for a smaller count are the
// first of those for a larger one.
func evenPairs(rng *rand.Rand, n, count int) []truth.Pair {
	var pairs []truth.Pair
	degree := make([]int, n)
	paired := make(map[[2]int]bool)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for len(pairs) < min(count, n*(n-1)/2) {
		rng.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(degree[a], degree[b]) })
		next := func() (a, b int) {
			for i, a := range order {
				for _, b := range order[i+1:] {
					if !paired[[2]int{min(a, b), max(a, b)}] {
						return a, b
					}
				}
			}
			panic("train: all pairs are drawn")
		}
		a, b := next()
		a, b = min(a, b), max(a, b)
		paired[[2]int{a, b}] = true
		degree[a]++
		degree[b]++
		pairs = append(pairs, truth.NewPair(a, b))
	}
	return pairs
}
