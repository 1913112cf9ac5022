package graph

import (
	"context"
	"slices"
)

// Colours returns a colour for every node, [n], by colour refinement (one-dimensional
// Weisfeiler-Leman). It ends after the first round that does not change the partition of
// the nodes, so colours depend on the edges even where labels alone tell all nodes
// apart. Colours are 64-bit hashes of label numbers: they can be compared between graphs
// that share a vocabulary, and do not depend on the numbering of the nodes. An
// isomorphism maps every node to one of equal colour.
func (g *Graph) Colours() []uint64 {
	colour, _ := g.colours(context.Background())
	return colour
}

// colours is Colours, and returns false if ctx ends first.
func (g *Graph) colours(ctx context.Context) ([]uint64, bool) {
	n := g.N()
	colour := make([]uint64, n)
	for v, l := range g.labels {
		colour[v] = mix(uint64(l) + 0x9e3779b97f4a7c15)
	}
	next := make([]uint64, n)
	classes := countDistinct(colour, next)
	for ctx.Err() == nil {
		g.refine(next, colour)
		colour, next = next, colour
		after := countDistinct(colour, next)
		if after == classes {
			return colour, true
		}
		classes = after
	}
	return nil, false
}

// refine sets dst[v] to a hash of colour[v] and the multiset of the colours
// around v with their edge labels and directions.
func (g *Graph) refine(dst, colour []uint64) {
	for v := range dst {
		sum := uint64(0)
		for _, a := range g.out.of(v) {
			sum += mix(colour[a.To] ^ mix(uint64(a.Label)+1))
		}
		if g.directed {
			for _, a := range g.in.of(v) {
				sum += mix(colour[a.To] ^ mix(uint64(a.Label)+1<<32))
			}
		}
		dst[v] = mix(colour[v] + mix(sum+1))
	}
}

// Hash returns a hash of the isomorphism class: equal for isomorphic graphs
// over one vocabulary, and different for most others. Graphs that colour
// refinement cannot tell apart share a hash; [Isomorphic] decides.
func (g *Graph) Hash() uint64 {
	h := mix(uint64(g.N())<<32 | uint64(g.M()))
	if g.directed {
		h = mix(h + 1)
	}
	sum := uint64(0)
	for _, c := range g.Colours() {
		sum += mix(c + h)
	}
	return mix(sum + h)
}

// mix is the finaliser of splitmix64 (Steele, Lea and Flood, 2014): a bijection
// whose output bits each depend on all input bits.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// countDistinct returns the number of distinct values of a, using scratch.
func countDistinct(a, scratch []uint64) int {
	copy(scratch, a)
	slices.Sort(scratch)
	count := 0
	for i, x := range scratch {
		if i == 0 || x != scratch[i-1] {
			count++
		}
	}
	return count
}
