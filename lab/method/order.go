package method

import (
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// searchOrder returns the nodes of r in the order in which a search maps them
// (Chang, Feng, Yao, Qin, Lin and Zhang, TKDE 2022): rare labels first, and each
// next node the one most strongly tied to those before it, an edge weighing the
// more the rarer its label is in both graphs. Edge labels are numbered by local
// from 0 to labels−1. Once time is up, the rest is in any order.
func searchOrder(r, c *graph.Graph, labels int, local func(graph.Label) int32, clock *clock.Clock) []int32 {
	n := r.N()
	count := make([]int, labels)
	for _, g := range []*graph.Graph{r, c} {
		for e := range g.Edges() {
			count[local(e.Label)]++
		}
	}
	tie, frequency := make([]float64, n), make([]int, n)
	occurrences := make(map[graph.Label]int)
	for _, g := range []*graph.Graph{r, c} {
		for _, l := range g.Labels() {
			occurrences[l]++
		}
	}
	for v, l := range r.Labels() {
		frequency[v] = occurrences[l]
	}
	placed := make([]bool, n)
	order := make([]int32, 0, n)
	for range n {
		best := -1
		for v := range n {
			if placed[v] {
				continue
			}
			if best < 0 || tie[v] > tie[best] || tie[v] == tie[best] &&
				(frequency[v] < frequency[best] || frequency[v] == frequency[best] && r.Degree(v) > r.Degree(best)) {
				best = v
			}
			if best == v && clock.Ended() {
				break
			}
		}
		clock.Spend(n)
		placed[best] = true
		order = append(order, int32(best))
		pull := func(arcs []graph.Arc) {
			for _, a := range arcs {
				tie[a.To] += 2 - float64(count[local(a.Label)])/float64(r.M()+c.M())
			}
		}
		pull(r.Out(best))
		if r.Directed() {
			pull(r.In(best))
		}
	}
	return order
}
