package graph

import "slices"

// Equal reports whether a and b are the same graph with the same numbering of nodes. It
// panics unless they have a [Common] vocabulary.
func Equal(a, b *Graph) bool {
	if Common(a.vocab, b.vocab) == nil {
		panic("graph: graphs of different vocabularies compared")
	}
	return a.directed == b.directed && slices.Equal(a.labels, b.labels) && slices.Equal(a.out.start, b.out.start) && slices.Equal(a.out.arcs, b.out.arcs)
}

// Digest returns a hash of the graph as it is numbered: that of [Equal] graphs is the
// same. See [Graph.Hash] for one that is the same however nodes are numbered.
func (g *Graph) Digest() uint64 {
	h := uint64(len(g.labels))<<1 + 1
	if g.directed {
		h++
	}
	for v, l := range g.labels {
		h = (h ^ uint64(l) ^ uint64(g.out.start[v+1])<<32) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	i := uint64(1) // apart from h, so that a processor computes both at a time
	for _, a := range g.out.arcs {
		i = (i ^ uint64(a.To) ^ uint64(a.Label)<<32) * 0x9e3779b97f4a7c15
		i ^= i >> 29
	}
	return mix(h ^ mix(i))
}
