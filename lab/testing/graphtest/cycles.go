package graphtest

import "github.com/greedgraph/greed/graph"

// Cycles returns for every node how many nodes the shortest cycle through it has,
// 0 if there is none, and how many of its neighbours it shares a cycle's edge
// with, directions aside: by taking away one edge after the other and looking for
// another way between its ends.
func Cycles(g *graph.Graph) (shortest, edges []int) {
	near := make([][]bool, g.N())
	for v := range near {
		near[v] = make([]bool, g.N())
	}
	for e := range g.Edges() {
		near[e.From][e.To], near[e.To][e.From] = true, true
	}
	shortest, edges = make([]int, g.N()), make([]int, g.N())
	for v := range g.N() {
		for u, joined := range near[v] {
			if d := detour(near, u, v); joined && d > 0 {
				edges[v]++
				if shortest[v] == 0 || d+1 < shortest[v] {
					shortest[v] = d + 1
				}
			}
		}
	}
	return shortest, edges
}

// detour returns the length of the shortest way from u to v that does not use
// the edge between them, 0 if there is none.
func detour(near [][]bool, u, v int) int {
	distance := map[int]int{u: 0}
	for queue := []int{u}; len(queue) > 0; queue = queue[1:] {
		x := queue[0]
		for y, joined := range near[x] {
			if _, seen := distance[y]; joined && !seen && (x != u || y != v) {
				distance[y] = distance[x] + 1
				queue = append(queue, y)
			}
		}
	}
	return distance[v]
}
