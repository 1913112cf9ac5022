package mces

import "slices"

// block is a largest part of a graph that no single node separates: an edge, or rings that share edges.
type block struct {
	nodes []int32
	bonds [][]bond // [nodes]
}

// bond leads to another node of a block, by its place there, along edges whose half classes it lists.
type bond struct {
	to     int32
	halves []int32
}

// rank returns the number of independent rings.
func (b *block) rank() int {
	ends := 0
	for _, list := range b.bonds {
		ends += len(list)
	}
	return ends/2 - len(b.nodes) + 1
}

// blocks returns the blocks of a graph (Tarjan, SIAM J. Comput. 1, 1972), and of each node the numbers of those that
// it is in.
func (w *web) blocks() (all []block, at [][]int32) {
	n := len(w.arcs)
	at = make([][]int32, n)
	place := make([]int32, n) // in the order of the first visits, from 1
	low := make([]int32, n)
	var path []int32 // nodes that are in no block yet
	visits := int32(0)
	var visit func(v, from int32)
	visit = func(v, from int32) {
		visits++
		place[v], low[v] = visits, visits
		path = append(path, v)
		for _, a := range w.arcs[v] {
			switch {
			case a.to == from:
			case place[a.to] > 0:
				low[v] = min(low[v], place[a.to])
			default:
				visit(a.to, v)
				low[v] = min(low[v], low[a.to])
				if low[a.to] < place[v] {
					continue
				}
				start := len(path) - 1
				for path[start] != a.to {
					start--
				}
				nodes := append([]int32{v}, path[start:]...)
				path = path[:start]
				for _, u := range nodes {
					at[u] = append(at[u], int32(len(all)))
				}
				all = append(all, w.block(nodes))
			}
		}
	}
	for v := range w.arcs {
		if place[v] == 0 {
			path = path[:0]
			visit(int32(v), -1)
		}
	}
	return all, at
}

// block returns what nodes induce: two nodes of a block are in no other together.
func (w *web) block(nodes []int32) block {
	b := block{nodes: nodes, bonds: make([][]bond, len(nodes))}
	for i, v := range nodes {
		for _, a := range w.arcs[v] {
			to := int32(slices.Index(nodes, a.to))
			if to < 0 {
				continue
			}
			if last := len(b.bonds[i]) - 1; last >= 0 && b.bonds[i][last].to == to {
				b.bonds[i][last].halves = append(b.bonds[i][last].halves, a.half)
			} else {
				b.bonds[i] = append(b.bonds[i], bond{to, []int32{a.half}})
			}
		}
	}
	return b
}
