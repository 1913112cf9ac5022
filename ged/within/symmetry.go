package within

// exchange is an automorphism of a side that is its own reverse: two equal groups at a node, or
// the sides of a ring, change places. Package ged has the same of its own form of a graph.
type exchange struct {
	moved set
	to    [MaxNodes]int8
}

// The search for exchanges compares nodes by what is at most colourRounds edges away, and ends after
// mostTried arcs, sooner where it has found many, since each takes long to keep and to follow. Some may be
// missing, which costs states but no answers.
const (
	colourRounds = 4
	mostTried    = 1 << 14
)

// findTwins finds leaves with equal labels that are joined to the same node by edges of equal
// labels. Exchanging them does not change the graph.
func (s *side) findTwins() {
	s.twins = false
	for v := range s.n {
		s.twin[v] = int8(v)
		if s.directed || s.start[v+1] != s.start[v]+1 {
			continue
		}
		stem := s.arcs[s.start[v]]
		for _, a := range s.of(int(stem.to)) {
			w := int(a.to)
			if w < v && s.start[w+1] == s.start[w]+1 && s.label[w] == s.label[v] &&
				s.arcs[s.start[w]].label == stem.label {
				s.twin[v] = s.twin[w]
				s.twins = true
				break
			}
		}
	}
}

// findExchanges finds symmetries of an undirected side that twins are not.
func (s *side) findExchanges() {
	if s.exchanges = s.exchanges[:0]; s.directed {
		return
	}
	colour := s.colours()
	tried := 0
	for v := range s.n {
		for w := range v {
			if colour[v] != colour[w] || s.twin[v] == s.twin[w] || s.exchanged(v, w) {
				continue
			}
			s.exchanges = append(s.exchanges, exchange{})
			ok, cost := s.grow(&s.exchanges[len(s.exchanges)-1], &colour, w, v)
			if !ok {
				s.exchanges = s.exchanges[:len(s.exchanges)-1]
			}
			if tried += cost + len(s.exchanges)/4; tried > mostTried {
				return
			}
		}
	}
}

// colours gives nodes that a symmetry may exchange the same colour.
func (s *side) colours() (colour [MaxNodes]uint64) {
	for v := range s.n {
		colour[v] = uint64(s.label[v]) + 2 // no wildcard is 0
	}
	for range colourRounds {
		before := colour
		for v := range s.n {
			sum := before[v] * 0x9e3779b97f4a7c15
			for _, a := range s.of(v) {
				x := (before[a.to] ^ uint64(a.label)<<32) * 0xff51afd7ed558ccd
				sum += x ^ x>>29
			}
			colour[v] = sum ^ sum>>31
		}
	}
	return colour
}

// exchanged reports whether v and w change places in one of the exchanges found.
func (s *side) exchanged(v, w int) bool {
	for i := range s.exchanges {
		if int(s.exchanges[i].to[v]) == w {
			return true
		}
	}
	return false
}

// grow makes x the exchange of v and w with those that it entails: where a neighbour of the one is none
// of the other, it changes places with one that can stand for it. It reports whether that is a symmetry,
// and how many arcs it looked at.
func (s *side) grow(x *exchange, colour *[MaxNodes]uint64, v, w int) (ok bool, tried int) {
	for u := range s.n {
		x.to[u] = int8(u)
	}
	var list [MaxNodes]int8
	n := 0
	exchange := func(v, w int) {
		x.moved.add(v)
		x.moved.add(w)
		x.to[v], x.to[w] = int8(w), int8(v)
		list[n], list[n+1] = int8(v), int8(w)
		n += 2
	}
	for exchange(v, w); tried < n; tried++ {
		from, to := int(list[tried]), int(list[tried^1])
		for _, a := range s.of(from) {
			if x.moved.has(int(a.to)) || s.joined(to, int(a.to), a.label) {
				continue
			}
			end := -1
			for _, b := range s.of(to) {
				if y := int(b.to); b.label == a.label && !x.moved.has(y) && colour[y] == colour[a.to] &&
					!s.joined(from, y, a.label) {
					end = y
					break
				}
			}
			if end < 0 {
				return false, n
			}
			exchange(int(a.to), end)
		}
	}
	for _, from := range list[:n] { // arcs lead to arcs of the same label
		to := int(x.to[from])
		if s.label[from] != s.label[to] || len(s.of(int(from))) != len(s.of(to)) {
			return false, n
		}
		for _, a := range s.of(int(from)) {
			if !s.joined(to, int(x.to[a.to]), a.label) {
				return false, n
			}
		}
	}
	return true, n
}

// joined reports whether an edge of this label joins v and w.
func (s *side) joined(v, w int, label int32) bool {
	for _, a := range s.of(v) {
		if int(a.to) == w {
			return a.label == label
		}
	}
	return false
}

// rigid reports whether no symmetry is known.
func (s *side) rigid() bool { return !s.twins && len(s.exchanges) == 0 }

// orbit returns the nodes that symmetries lead to from v, which is not fixed: those found that move no fixed
// node, one after another.
func (s *side) orbit(v int, fixed *set) (orbit set) {
	var list [MaxNodes]int8
	n := 0
	add := func(w int) {
		if !orbit.has(w) {
			orbit.add(w)
			list[n] = int8(w)
			n++
		}
	}
	add(v)
	for at := 0; at < n; at++ {
		x := int(list[at])
		if s.twins {
			for w := range s.n {
				if s.twin[w] == s.twin[x] && !fixed.has(w) {
					add(w)
				}
			}
		}
		for i := range s.exchanges {
			if e := &s.exchanges[i]; e.moved.disjoint(fixed) {
				add(int(e.to[x]))
			}
		}
	}
	return orbit
}
