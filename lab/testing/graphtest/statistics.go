package graphtest

import "github.com/greedgraph/greed/graph"

// Statistic returns a statistic of package nn of every node, found the slow way: "node",
// "degree", "ball2" to "ball4", "ring", "core" or "triangles".
func Statistic(g *graph.Graph, name string) []int {
	n := g.N()
	near, degree := make([][]bool, n), make([]int, n)
	for v := range n {
		near[v] = make([]bool, n)
	}
	for e := range g.Edges() {
		near[e.From][e.To], near[e.To][e.From] = true, true
		degree[e.From]++
		degree[e.To]++
	}
	value := make([]int, n)
	for v := range n {
		switch name {
		case "node":
			value[v] = 1
		case "degree":
			value[v] = degree[v]
		case "ball2", "ball3", "ball4":
			value[v] = ball(near, v, int(name[4]-'0'))
		case "core":
			value[v] = core(g, v)
		case "triangles":
			for u := range n {
				for w := range u {
					if near[v][u] && near[u][w] && near[w][v] {
						value[v]++
					}
				}
			}
		case "ring":
			shortest, _ := Cycles(g)
			if shortest[v] > 0 {
				value[v] = 10 - min(9, shortest[v])
			}
		}
	}
	return value
}

// ball counts the other nodes within a radius of v.
func ball(near [][]bool, v, radius int) int {
	in := make([]bool, len(near))
	in[v] = true
	count := 0
	for range radius {
		next := append([]bool(nil), in...)
		for u := range near {
			for w := range near {
				if in[u] && near[u][w] && !next[w] {
					next[w] = true
					count++
				}
			}
		}
		in = next
	}
	return count
}

// core returns the core number of v: the largest k for which it stays where nodes with
// fewer than k edges go, one by one.
func core(g *graph.Graph, v int) int {
	for k := 1; ; k++ {
		in := make([]bool, g.N())
		for u := range in {
			in[u] = true
		}
		for gone := true; gone; {
			gone = false
			degree := make([]int, g.N())
			for e := range g.Edges() {
				if in[e.From] && in[e.To] {
					degree[e.From]++
					degree[e.To]++
				}
			}
			for u := range in {
				if in[u] && degree[u] < k {
					in[u], gone = false, true
				}
			}
		}
		if !in[v] {
			return k - 1
		}
	}
}
