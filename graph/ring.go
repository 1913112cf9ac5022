package graph

// InRing is added to the label of an edge by [Graph.MarkRings] if the edge lies in a
// ring. It is beyond all numbers of labels, those of extensions included.
const InRing Label = 1 << 31

// ringText follows the text of the label of a marked edge.
const ringText = " in a ring"

// MarkRings returns g with [InRing] added to the label of every edge that lies in a ring:
// in a cycle of at least three nodes, directions ignored. These are the edges that are no
// bridges, those between the same two nodes taken as one, and no self-loops. The label [Wildcard] stays as it is. A
// graph whose edges are marked is
// returned as it is, and so are parts of one, which keep the marks of the whole.
func (g *Graph) MarkRings() *Graph {
	if g.marked {
		return g
	}
	h := *g
	h.marked = true
	if g.edges == 0 {
		return &h
	}
	up := g.bridges()
	h.out = g.out.markRings(up)
	if g.directed {
		h.in = g.in.markRings(up)
	}
	return &h
}

// Ringed returns a function that reports of an edge, by its ends, whether it is in a ring,
// directions aside.
func (g *Graph) Ringed() func(u, v int) bool {
	up := g.bridges()
	return func(u, v int) bool { return u != v && up[u] != int32(v) && up[v] != int32(u) }
}

// markRings adds InRing to the labels of edges that are no bridges.
func (c csr) markRings(up []int32) csr {
	arcs := make([]Arc, len(c.arcs))
	for v := range len(c.start) - 1 {
		for i := c.start[v]; i < c.start[v+1]; i++ {
			a := c.arcs[i]
			if a.Label != Wildcard && int(a.To) != v && up[v] != a.To && up[a.To] != int32(v) {
				a.Label |= InRing
			}
			arcs[i] = a
		}
	}
	return csr{c.start, arcs}
}

// bridges returns for every node the node at the other end of the bridge that a
// depth-first search reached it by, or -1. It lists every bridge once. The search is
// Tarjan's (1974), without recursion.
func (g *Graph) bridges() []int32 {
	n := g.N()
	up := make([]int32, n)
	first := make([]int32, n) // when a node was reached, from 1; 0: not yet
	low := make([]int32, n)   // the first node that its subtree has an edge to
	next := make([]int32, n)  // the arc of the node to follow next
	var path []int32
	time := int32(0)
	reach := func(v, from int32) {
		time++
		first[v], low[v], up[v] = time, time, from
		path = append(path, v)
	}
	for s := range int32(n) {
		if first[s] != 0 {
			continue
		}
		reach(s, -1)
		for len(path) > 0 {
			v := path[len(path)-1]
			if w, ok := g.neighbour(v, next[v]); ok {
				next[v]++
				switch {
				case first[w] == 0:
					reach(w, v)
				case w != up[v]:
					low[v] = min(low[v], first[w])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) == 0 {
				break
			}
			parent := path[len(path)-1]
			low[parent] = min(low[parent], low[v])
			if low[v] <= first[parent] {
				up[v] = -1 // another way leads up
			}
		}
	}
	return up
}

// neighbour returns the node at the other end of arc i of v, arcs that leave first, and
// whether there is one.
func (g *Graph) neighbour(v, i int32) (int32, bool) {
	out := g.out.of(int(v))
	if int(i) < len(out) {
		return out[i].To, true
	}
	if g.directed {
		if in := g.in.of(int(v)); int(i) < len(out)+len(in) {
			return in[int(i)-len(out)].To, true
		}
	}
	return 0, false
}
