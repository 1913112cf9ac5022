package method

import (
	"cmp"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// rank maps the nodes of q to those of t by decreasing degree: with labels,
// those of equal label first and the rest afterwards; without, all at once.
// Nodes left over in the larger graph stay unmapped. Bounds from labels and degrees alone
// use it as their map.
func rank(q, t *graph.Graph, labels bool) edit.NodeMap {
	m := make(edit.NodeMap, q.N())
	for v := range m {
		m[v] = edit.Deleted
	}
	order := func(g *graph.Graph) []int {
		nodes := make([]int, g.N())
		for v := range nodes {
			nodes[v] = v
		}
		slices.SortStableFunc(nodes, func(a, b int) int {
			if labels && g.Label(a) != g.Label(b) {
				return cmp.Compare(g.Label(a), g.Label(b))
			}
			return cmp.Compare(g.Degree(b), g.Degree(a))
		})
		return nodes
	}
	vs, ws := order(q), order(t)
	if labels {
		vs, ws = pairEqual(m, q, t, vs, ws)
	}
	for i, v := range vs[:min(len(vs), len(ws))] {
		m[v] = ws[i]
	}
	return m
}

// pairEqual maps nodes of equal label and returns the others, by decreasing
// degree.
func pairEqual(m edit.NodeMap, q, t *graph.Graph, vs, ws []int) (restV, restW []int) {
	for len(vs) > 0 && len(ws) > 0 {
		switch a, b := q.Label(vs[0]), t.Label(ws[0]); {
		case a < b:
			restV, vs = append(restV, vs[0]), vs[1:]
		case a > b:
			restW, ws = append(restW, ws[0]), ws[1:]
		default:
			m[vs[0]] = ws[0]
			vs, ws = vs[1:], ws[1:]
		}
	}
	restV, restW = append(restV, vs...), append(restW, ws...)
	slices.SortStableFunc(restV, func(a, b int) int { return cmp.Compare(q.Degree(b), q.Degree(a)) })
	slices.SortStableFunc(restW, func(a, b int) int { return cmp.Compare(t.Degree(b), t.Degree(a)) })
	return restV, restW
}
