package graph

// Isomorphic tells whether a and b are the same graph up to the numbering of
// their nodes: labels, direction and all. Both must have a [Common] vocabulary;
// otherwise it panics. It is exact: candidates are limited to nodes of equal
// colour and tried by backtracking.
func Isomorphic(a, b *Graph) bool {
	_, ok := Isomorphism(a, b)
	return ok
}

// Isomorphism returns a node map m, [n], with m[v] the node of b that v of a
// corresponds to, and whether there is one.
func Isomorphism(a, b *Graph) ([]int, bool) {
	if Common(a.vocab, b.vocab) == nil {
		panic("graph: graphs of different vocabularies compared")
	}
	n := a.N()
	if n != b.N() || a.M() != b.M() || a.directed != b.directed {
		return nil, false
	}
	s := isoSearch{a: a, b: b, colourA: a.Colours(), colourB: b.Colours()}
	count := make(map[uint64]int)
	for v := range n {
		count[s.colourA[v]]++
		count[s.colourB[v]]--
	}
	for _, c := range count {
		if c != 0 {
			return nil, false
		}
	}
	for v := range n {
		count[s.colourA[v]]++
	}
	s.order = s.connectedOrder(count)
	s.toB = make([]int, n)
	s.taken = make([]bool, n)
	for v := range s.toB {
		s.toB[v] = -1
	}
	if !s.extend(0) {
		return nil, false
	}
	return s.toB, true
}

type isoSearch struct {
	a, b             *Graph
	colourA, colourB []uint64
	order            []int
	toB              []int
	taken            []bool
}

// connectedOrder lists the nodes of a so that each, where it can, comes after
// a neighbour, and rare colours come first.
func (s *isoSearch) connectedOrder(classSize map[uint64]int) []int {
	n := s.a.N()
	order := make([]int, 0, n)
	placed := make([]bool, n)
	near := make([]bool, n)
	for len(order) < n {
		best := -1
		for v := range n {
			if placed[v] {
				continue
			}
			if best < 0 || near[v] && !near[best] ||
				near[v] == near[best] && classSize[s.colourA[v]] < classSize[s.colourA[best]] {
				best = v
			}
		}
		placed[best] = true
		order = append(order, best)
		for _, arcs := range s.a.around(best) {
			for _, arc := range arcs {
				near[arc.To] = true
			}
		}
	}
	return order
}

func (s *isoSearch) extend(depth int) bool {
	if depth == len(s.order) {
		return true
	}
	v := s.order[depth]
	for w := range s.b.N() {
		if s.taken[w] || s.colourA[v] != s.colourB[w] || !s.consistent(v, w) {
			continue
		}
		s.toB[v], s.taken[w] = w, true
		if s.extend(depth + 1) {
			return true
		}
		s.toB[v], s.taken[w] = -1, false
	}
	return false
}

// consistent tells whether mapping v to w preserves every edge between v and
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
