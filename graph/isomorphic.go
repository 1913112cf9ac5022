package graph

import (
	"container/heap"
	"context"
)

// Isomorphic reports whether a and b are the same graph, with labels and directions, up
// to the numbering of nodes. It panics unless they have a [Common] vocabulary. It is
// exact: it tries nodes of equal colour by backtracking.
func Isomorphic(a, b *Graph) bool {
	_, ok := Isomorphism(a, b)
	return ok
}

// Isomorphism returns the node map of an isomorphism, [n], in which m[v] is the node of
// b for node v of a, and whether there is one.
func Isomorphism(a, b *Graph) ([]int, bool) {
	m, _ := FindIsomorphism(context.Background(), a, b, 0)
	return m, m != nil
}

// FindIsomorphism is [Isomorphism] with limits: it gives up after a number of candidates
// (0: no limit) or when ctx ends, and then decided is false. The map is nil unless one
// was found. Nearly all graphs take about one candidate a node. Graphs whose nodes
// colour refinement hardly tells apart may take any number.
func FindIsomorphism(ctx context.Context, a, b *Graph, candidates int64) (m []int, decided bool) {
	if Common(a.vocab, b.vocab) == nil {
		panic("graph: graphs of different vocabularies compared")
	}
	n := a.N()
	if n != b.N() || a.M() != b.M() || a.directed != b.directed {
		return nil, true
	}
	if a.multi != b.multi {
		return nil, true
	}
	if a.multi {
		bundles := NewBundles()
		a, b = bundles.Bundle(a), bundles.Bundle(b)
		if a.M() != b.M() {
			return nil, true
		}
	}
	s := isoSearch{ctx: ctx, left: candidates, limited: candidates > 0, a: a, b: b}
	if !s.colour() {
		return nil, !s.stopped
	}
	s.order, s.anchor = s.connectedOrder()
	s.toB = make([]int, n)
	s.taken = make([]bool, n)
	for v := range s.toB {
		s.toB[v] = -1
	}
	if !s.extend(0) {
		return nil, !s.stopped
	}
	return s.toB, true
}

type isoSearch struct {
	ctx     context.Context
	left    int64 // candidates that may still be tried, if limited
	limited bool
	stopped bool

	a, b             *Graph
	colourA, colourB []uint64
	classes          map[uint64][]int32 // nodes of b by colour
	order, anchor    []int32
	toB              []int
	taken            []bool
}

// colour refines both graphs and reports whether that tells them apart.
func (s *isoSearch) colour() bool {
	colourA, storyA, okA := s.a.refine(s.ctx)
	colourB, storyB, okB := s.b.refine(s.ctx)
	s.colourA, s.colourB, s.stopped = colourA, colourB, !okA || !okB
	s.classes = make(map[uint64][]int32)
	for w, c := range colourB {
		s.classes[c] = append(s.classes[c], int32(w))
	}
	return !s.stopped && storyA == storyB
}

// connectedOrder lists the nodes of a in the order of the search. If possible, a node
// comes after a neighbour, its anchor (-1: none), and rare colours come first: both leave
// few candidates.
func (s *isoSearch) connectedOrder() (order, anchor []int32) {
	n := s.a.N()
	order, anchor = make([]int32, 0, n), make([]int32, n)
	queue := make(rarest, 0, n)
	for v := range n {
		queue = append(queue, waiting{int32(v), -1, len(s.classes[s.colourA[v]])})
	}
	heap.Init(&queue)
	placed, anchored := make([]bool, n), make([]bool, n)
	for len(queue) > 0 {
		next := heap.Pop(&queue).(waiting)
		if placed[next.node] {
			continue
		}
		placed[next.node] = true
		order = append(order, next.node)
		anchor[next.node] = next.anchor
		for _, arcs := range s.a.around(int(next.node)) {
			for _, arc := range arcs {
				if !placed[arc.To] && !anchored[arc.To] {
					anchored[arc.To] = true
					heap.Push(&queue, waiting{arc.To, next.node, len(s.classes[s.colourA[arc.To]])})
				}
			}
		}
	}
	return order, anchor
}

// waiting is a node to be placed: by itself, or next to its anchor.
type waiting struct {
	node, anchor int32
	class        int // nodes of its colour
}

// rarest is a heap of them: those next to placed nodes first, then rare colours.
type rarest []waiting

func (q rarest) Len() int { return len(q) }
func (q rarest) Less(i, j int) bool {
	a, b := q[i], q[j]
	if (a.anchor < 0) != (b.anchor < 0) {
		return b.anchor < 0
	}
	return a.class < b.class || a.class == b.class && a.node < b.node
}
func (q rarest) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *rarest) Push(x any)   { *q = append(*q, x.(waiting)) }
func (q *rarest) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}

func (s *isoSearch) extend(depth int) bool {
	if depth == len(s.order) {
		return true
	}
	v := int(s.order[depth])
	if x := s.anchor[v]; x >= 0 {
		// Its image is a neighbour of the anchor's.
		for _, arcs := range s.b.around(s.toB[x]) {
			for _, arc := range arcs {
				if s.try(depth, v, int(arc.To)) {
					return true
				}
			}
		}
		return false
	}
	for _, w := range s.classes[s.colourA[v]] {
		if s.try(depth, v, int(w)) {
			return true
		}
	}
	return false
}

// try maps v to w and all after it.
func (s *isoSearch) try(depth, v, w int) bool {
	if s.stopped || s.taken[w] || s.colourA[v] != s.colourB[w] {
		return false
	}
	if s.left--; s.limited && s.left < 0 || s.left%clockInterval == 0 && s.ctx.Err() != nil {
		s.stopped = true
		return false
	}
	if !s.consistent(v, w) {
		return false
	}
	s.toB[v], s.taken[w] = w, true
	if s.extend(depth + 1) {
		return true
	}
	s.toB[v], s.taken[w] = -1, false
	return false
}

// clockInterval is the number of candidates between two looks at the context.
const clockInterval = 1024

// consistent reports whether mapping v to w preserves every edge between v and
// the nodes mapped so far. Equal colours have equal degrees, and edge counts
// agree, so no edge of b is left over once all nodes are mapped.
func (s *isoSearch) consistent(v, w int) bool {
	for _, arc := range s.a.Out(v) {
		if x := s.toB[arc.To]; x >= 0 {
			if l, ok := s.b.Edge(w, x); !ok || l != arc.Label {
				return false
			}
		}
	}
	if !s.a.directed {
		return true
	}
	for _, arc := range s.a.In(v) {
		if x := s.toB[arc.To]; x >= 0 {
			if l, ok := s.b.Edge(x, w); !ok || l != arc.Label {
				return false
			}
		}
	}
	return true
}
