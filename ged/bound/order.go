package bound

import "github.com/greedgraph/greed/graph"

// searchOrder returns the nodes of r in the order in which a search maps them
// (Chang, Feng, Yao, Qin, Lin and Zhang, TKDE 2022): rare labels first, and each
// next node the one most strongly tied to those before it, an edge weighing the
// more the rarer its label is in both graphs.
func searchOrder(r, c *graph.Graph) []int32 {
	n := r.N()
	nodeCount, edgeCount := make(map[graph.Label]int), make(map[graph.Label]int)
	for _, g := range []*graph.Graph{r, c} {
		for _, l := range g.Labels() {
			nodeCount[l]++
		}
		for e := range g.Edges() {
			edgeCount[e.Label]++
		}
	}
	rarity := make([]float64, n)
	for v := range n {
		rarity[v] = 1 - float64(nodeCount[r.Label(v)])/float64(n+c.N())
	}
	tie := make([]float64, n)
	placed := make([]bool, n)
	order := make([]int32, 0, n)
	for range n {
		best := -1
		for v := range n {
			if placed[v] {
				continue
			}
			if best < 0 || tie[v] > tie[best] || tie[v] == tie[best] &&
				(rarity[v] > rarity[best] || rarity[v] == rarity[best] && r.Degree(v) > r.Degree(best)) {
				best = v
			}
		}
		placed[best] = true
		order = append(order, int32(best))
		pull := func(arcs []graph.Arc) {
			for _, a := range arcs {
				tie[a.To] += 2 - float64(edgeCount[a.Label])/float64(r.M()+c.M())
			}
		}
		pull(r.Out(best))
		if r.Directed() {
			pull(r.In(best))
		}
	}
	return order
}
