package anchor

import (
	"cmp"
	"slices"
)

// pairRest pairs the nodes that are left: those of the same colours first, then of the same label, by degree, then
// any, unless that costs more than to delete and to insert them.
func (s *matcher) pairRest() {
	for r := len(s.q.coarse) - 1; r >= 0; r-- {
		s.pairBy(func(v int32) uint64 { return s.q.coarse[r][v] }, func(w int32) uint64 { return s.t.coarse[r][w] })
	}
	one := func(int32) uint64 { return 0 }
	s.pairBy(one, one)
}

// pairBy pairs free nodes of the same class in order, which is that of degrees.
func (s *matcher) pairBy(q, t func(int32) uint64) {
	free := make(map[uint64][]int32)
	for w := range int32(s.t.n) {
		if s.inverse[w] == none {
			free[t(w)] = append(free[t(w)], w)
		}
	}
	for v := range int32(s.q.n) {
		if s.m[v] != none {
			continue
		}
		if list := free[q(v)]; len(list) > 0 && s.worth(v, list[0]) >= 0 {
			s.pair(v, list[0])
			free[q(v)] = list[1:]
		}
	}
}

// improve maps nodes elsewhere, one or two at a time, as long as that pays.
func (s *matcher) improve() {
	queue := make([]int32, 0, s.q.n)
	queued := make([]bool, s.q.n)
	push := func(v int32) {
		if !queued[v] {
			queued[v] = true
			queue = append(queue, v)
		}
	}
	for v := range int32(s.q.n) {
		if !s.perfect(v) {
			push(v)
		}
	}
	s.votes.sum = resize(s.votes.sum, s.t.n)
	for next := 0; next < len(queue) && !s.clock.Ended(); next++ {
		v := queue[next]
		queued[v] = false
		if changed := s.move(v); changed[0] >= 0 {
			for _, x := range changed {
				if x < 0 {
					continue
				}
				push(x)
				for _, a := range s.q.of(x) {
					if !s.perfect(a.to) {
						push(a.to)
					}
				}
			}
		}
		if len(queue) > mostMoves*s.q.n {
			return
		}
	}
}

// mostMoves is how often a node is looked at, on average.
const mostMoves = 20

// perfect reports whether nothing of v could be better.
func (s *matcher) perfect(v int32) bool {
	w := s.m[v]
	if s.held[v] {
		return true
	}
	if w < 0 || s.q.label[v] != s.t.label[w] || s.q.degree(v) != s.t.degree(w) {
		return false
	}
	for _, a := range s.q.of(v) {
		x := s.m[a.to]
		if x < 0 {
			return false
		}
		if typ, ok := s.t.between(w, x, a.way); !ok || typ != a.typ {
			return false
		}
	}
	return true
}

// tries is how many places a node is tried at, those first that earn most.
const tries = 8

// move maps v to the place that pays most, in exchange for the node there, and returns what moved, or none first.
func (s *matcher) move(v int32) [2]int32 {
	x := &s.votes
	for _, w := range x.voted {
		x.sum[w] = 0
	}
	x.voted = x.voted[:0]
	old := s.m[v]
	for _, a := range s.q.of(v) {
		image := s.m[a.to]
		if image < 0 || s.t.degree(image) > mostVotes || a.to == v {
			continue
		}
		for _, b := range s.t.of(image) {
			if b.way == a.way == s.directed || b.to == old || s.heldT[b.to] {
				continue
			}
			if x.sum[b.to] == 0 {
				x.voted = append(x.voted, b.to)
			}
			x.sum[b.to] += s.prices.edge(a.typ, b.typ)
		}
	}
	s.clock.Spend(100 + 20*len(x.voted))
	now := 0.0
	if old != none {
		now = s.worth(v, old)
	}
	places := slices.Clone(x.voted)
	for _, w := range places {
		x.sum[w] += s.prices.node(s.q.label[v], s.t.label[w])
	}
	slices.SortFunc(places, func(a, b int32) int {
		if c := cmp.Compare(x.sum[b], x.sum[a]); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	bestGain, best := 1e-9, int32(none)
	for _, w := range places[:min(len(places), tries)] {
		if gain := s.gain(v, old, w, now); gain > bestGain {
			bestGain, best = gain, w
		}
	}
	if best == none {
		return [2]int32{none, none}
	}
	r := s.inverse[best]
	s.put(v, r, old, best)
	return [2]int32{v, r}
}

// gain returns what is gained if v moves from old to w, in exchange for the node there.
func (s *matcher) gain(v, old, w int32, now float64) float64 {
	r := s.inverse[w]
	before := now
	if r != none {
		before += s.worth(r, w) - s.shared(v, r)
	}
	s.put(v, r, old, w)
	after := s.worth(v, w)
	if r != none && old != none {
		after += s.worth(r, old) - s.shared(v, r)
	}
	s.put(v, r, w, old)
	return after - before
}

// put maps v to w and r, unless it is none, to old.
func (s *matcher) put(v, r, old, w int32) {
	s.m[v] = w
	if r != none {
		s.m[r] = old
	}
	if old != none {
		s.inverse[old] = r
	}
	if w != none {
		s.inverse[w] = v
	}
}

// shared returns the profit of the edges between two nodes, which the worth of each has.
func (s *matcher) shared(v, r int32) (total float64) {
	if s.m[v] < 0 || s.m[r] < 0 {
		return 0
	}
	for way := range uint8(2) {
		if typ, ok := s.q.between(v, r, way); ok {
			if image, ok := s.t.between(s.m[v], s.m[r], way); ok {
				total += s.prices.edge(typ, image)
			}
		}
	}
	return total
}

// release frees the nodes for which too few of their edges speak, and reports whether there are any.
func (s *matcher) release() bool {
	var bad []int32
	for v, w := range s.m {
		if w < 0 || s.held[v] {
			continue
		}
		kept := 0
		for _, a := range s.q.of(int32(v)) {
			if x := s.m[a.to]; x >= 0 {
				if typ, ok := s.t.between(w, x, a.way); ok && typ == a.typ {
					kept++
				}
			}
		}
		if 4*kept < s.q.degree(int32(v))+s.t.degree(w) {
			bad = append(bad, int32(v))
		}
	}
	for _, v := range bad {
		s.inverse[s.m[v]] = none
		s.m[v] = none
	}
	return len(bad) > 0
}
