package graph

import "slices"

// Equal reports whether a and b are the same graph with the same numbering of nodes. It
// panics unless they have a [Common] vocabulary.
func Equal(a, b *Graph) bool {
	if Common(a.vocab, b.vocab) == nil {
		panic("graph: graphs of different vocabularies compared")
	}
	return a.directed == b.directed && slices.Equal(a.labels, b.labels) && slices.Equal(a.out.start, b.out.start) &&
		slices.Equal(a.out.arcs, b.out.arcs)
}
