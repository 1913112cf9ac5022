package eval

import (
	"slices"

	"github.com/greedgraph/greed/truth"
)

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
