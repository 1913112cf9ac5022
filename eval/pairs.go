package eval

import (
	"slices"

	"github.com/greedgraph/greed/truth"
)

// PairsOnce returns the pairs of GSCBench among graphs of which the first are to be tested: of each
// of these with all others, each pair once.
func PairsOnce(tested, graphs int) []truth.Pair {
	var pairs []truth.Pair
	for q := range tested {
		for other := q + 1; other < graphs; other++ {
			pairs = append(pairs, truth.NewPair(q, other))
		}
	}
	return pairs
}

// Among returns the pairs whose queries and targets are among the given positions.
func Among(pairs []truth.Pair, queries, targets []int) []truth.Pair {
	set := func(positions []int) map[int32]bool {
		in := make(map[int32]bool, len(positions))
		for _, i := range positions {
			in[int32(i)] = true
		}
		return in
	}
	isQuery, isTarget := set(queries), set(targets)
	return slices.DeleteFunc(slices.Clone(pairs), func(p truth.Pair) bool { return !isQuery[p.Query] || !isTarget[p.Target] })
}
