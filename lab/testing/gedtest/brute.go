// Package gedtest tests solvers of edit distance: a brute force over all node
// maps, random graphs small enough for it, and a suite that every solver has
// to pass.
package gedtest

import (
	"math"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// BruteForce returns the distance from q to t, the least cost of the edits that
// a node map leaves to choose from, over all node maps, and a map that attains
// it. It is meant for graphs of up to about five nodes.
func BruteForce(p *edit.Pricing, q, t *graph.Graph) (float64, edit.NodeMap) {
	best := math.Inf(1)
	var bestMap edit.NodeMap
	for m := range NodeMaps(q.N(), t.N()) {
		if cost := leastCost(p, q, t, m); cost < best {
			best = cost
			bestMap = append(edit.NodeMap{}, m...)
		}
	}
	return best, bestMap
}

// NodeMaps yields every node map from n query to m target nodes. The map is
// overwritten by the next one.
func NodeMaps(n, m int) func(yield func(edit.NodeMap) bool) {
	return func(yield func(edit.NodeMap) bool) {
		current := make(edit.NodeMap, n)
		taken := make([]bool, m)
		var assign func(v int) bool
		assign = func(v int) bool {
			if v == n {
				return yield(current)
			}
			current[v] = edit.Deleted
			if !assign(v + 1) {
				return false
			}
			for w := range m {
				if taken[w] {
					continue
				}
				current[v], taken[w] = w, true
				ok := assign(v + 1)
				taken[w] = false
				if !ok {
					return false
				}
			}
			return true
		}
		assign(0)
	}
}
