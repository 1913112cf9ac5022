package graph

import (
	"fmt"
	"slices"
)

// Permute returns the graph with node v renumbered perm[v]. It panics unless
// perm is a permutation of 0..n-1.
func (g *Graph) Permute(perm []int) *Graph {
	n := g.N()
	if len(perm) != n {
		panic(fmt.Sprintf("graph: permutation of %d for %d nodes", len(perm), n))
	}
	labels := make([]Label, n)
	seen := make([]bool, n)
	for v, w := range perm {
		if w < 0 || w >= n || seen[w] {
			panic("graph: not a permutation")
		}
		seen[w] = true
		labels[w] = g.labels[v]
	}
	b := NewBuilder(g.vocab, g.directed)
	b.labels, b.marked = labels, g.marked
	for e := range g.Edges() {
		b.MustAdd(perm[e.From], perm[e.To], e.Label)
	}
	return b.MustBuild()
}

// Induced returns the subgraph on the given nodes, renumbered in the order
// given, with every edge between them. It panics if a node is repeated or does
// not exist.
func (g *Graph) Induced(nodes []int) *Graph {
	b := NewBuilder(g.vocab, g.directed)
	b.marked = g.marked
	number := make(map[int]int, len(nodes))
	for i, v := range nodes {
		if _, ok := number[v]; ok {
			panic(fmt.Sprintf("graph: node %d given twice", v))
		}
		number[v] = i
		b.AddNodeLabel(g.labels[v])
	}
	for i, v := range nodes {
		for _, a := range g.Out(v) {
			if j, ok := number[int(a.To)]; ok && (g.directed || i <= j) {
				b.MustAdd(i, j, a.Label)
			}
		}
	}
	return b.MustBuild()
}

// Neighbourhood returns the nodes within k hops of centre, in the order of a
// breadth-first search that takes neighbours by increasing number. The centre comes
// first. Directed edges are followed in both directions.
//
// If limit > 0, the search stops at limit nodes; truncated reports whether it did.
func (g *Graph) Neighbourhood(centre, k, limit int) (nodes []int, truncated bool) {
	seen := map[int]struct{}{centre: {}}
	nodes = []int{centre}
	begin := 0
	for range k {
		end := len(nodes)
		for _, v := range nodes[begin:end] {
			for _, arcs := range g.around(v) {
				for _, a := range arcs {
					w := int(a.To)
					if _, ok := seen[w]; ok {
						continue
					}
					if limit > 0 && len(nodes) == limit {
						return nodes, true
					}
					seen[w] = struct{}{}
					nodes = append(nodes, w)
				}
			}
		}
		begin = end
	}
	return nodes, false
}

// Components returns, for every node, the number of its connected component
// (directions ignored), and how many components there are.
func (g *Graph) Components() (of []int, count int) {
	of = slices.Repeat([]int{-1}, g.N())
	var stack []int
	for s := range of {
		if of[s] >= 0 {
			continue
		}
		of[s] = count
		stack = append(stack[:0], s)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, arcs := range g.around(v) {
				for _, a := range arcs {
					if of[a.To] < 0 {
						of[a.To] = count
						stack = append(stack, int(a.To))
					}
				}
			}
		}
		count++
	}
	return of, count
}

// Relabel returns the graph over another vocabulary, with labels mapped by
// node and edge; the structure is shared with g.
func (g *Graph) Relabel(vocab *Vocabulary, node, edge func(Label) Label) *Graph {
	h := &Graph{vocab: vocab, directed: g.directed, edges: g.edges, marked: g.marked, multi: g.multi}
	h.labels = make([]Label, len(g.labels))
	for v, l := range g.labels {
		h.labels[v] = node(l)
	}
	h.out = g.out.relabel(edge, g.multi)
	if g.directed {
		h.in = g.in.relabel(edge, g.multi)
	}
	return h
}

// In returns g over vocab: the same labels by text, numbered there. Labels
// that vocab lacks are added to it. It returns g itself if vocab is its own.
func In(vocab *Vocabulary, g *Graph) *Graph {
	if g.vocab == vocab {
		return g
	}
	keep := func(l Label, text func(Label) string, add func(string) Label) Label {
		if l == Wildcard {
			return l
		}
		return add(text(l))
	}
	return g.Relabel(vocab,
		func(l Label) Label { return keep(l, g.vocab.NodeText, vocab.Node) },
		func(l Label) Label { return keep(l&^InRing, g.vocab.EdgeText, vocab.Edge) | l&InRing })
}

func (c csr) relabel(edge func(Label) Label, multi bool) csr {
	arcs := make([]Arc, len(c.arcs))
	for i, a := range c.arcs {
		arcs[i] = Arc{a.To, edge(a.Label)}
	}
	if multi {
		for v := range len(c.start) - 1 {
			slices.SortFunc(arcs[c.start[v]:c.start[v+1]], compareArcs)
		}
	}
	return csr{c.start, arcs}
}

// around returns the arcs at v in both directions, each edge in one of them.
func (g *Graph) around(v int) [2][]Arc {
	if g.directed {
		return [2][]Arc{g.out.of(v), g.in.of(v)}
	}
	return [2][]Arc{g.out.of(v)}
}
