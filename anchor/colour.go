package anchor

// colour pairs the nodes that are alone in their colour in both graphs, for each round of refinement: those of the
// same unique label first, then those of the same unique neighbourhood.
func (s *matcher) colour() {
	for r := range s.q.coarse {
		s.pairUnique(s.q.coarse[r], s.t.coarse[r])
	}
}

// pairUnique pairs the free nodes that are the only free ones of their colour, and returns how many they are.
func (s *matcher) pairUnique(q, t []uint64) (paired int) {
	first, second := alone(q, s.m), alone(t, s.inverse)
	for v, c := range q {
		if s.m[v] != none || first[c] != int32(v) {
			continue
		}
		if w, ok := second[c]; ok && w != none {
			s.pair(int32(v), w)
			paired++
		}
	}
	return paired
}

// alone returns the free node of each colour, or none if there are several.
func alone(colour []uint64, m []int32) map[uint64]int32 {
	at := make(map[uint64]int32)
	for v, c := range colour {
		if m[v] != none {
			continue
		}
		if _, several := at[c]; several {
			at[c] = none
		} else {
			at[c] = int32(v)
		}
	}
	return at
}

// recolour refines the colours of free nodes with mapped ones as colours of their own, and pairs those that are alone
// in theirs. It reports whether there were any.
func (s *matcher) recolour() bool {
	q, t := make([]uint64, s.q.n), make([]uint64, s.t.n)
	for v := range q {
		q[v] = s.q.coarse[0][v]
	}
	for w := range t {
		t[w] = s.t.coarse[0][w]
	}
	paired := 0
	for range rounds {
		for v, w := range s.m {
			if w >= 0 {
				x := mix(uint64(w) + 1)
				q[v], t[w] = x, x
			}
		}
		q, t = s.q.refined(q), s.t.refined(t)
		paired += s.pairUnique(q, t)
		if s.clock.Spend(20 * (len(s.q.arcs) + len(s.t.arcs))) {
			return false
		}
	}
	return paired > 0
}

// refined returns the colours after one round of refinement.
func (s *side) refined(colour []uint64) []uint64 {
	next := make([]uint64, len(colour))
	for v := range next {
		sum := mix(colour[v])
		for _, a := range s.of(int32(v)) {
			sum += mix(colour[a.to] ^ uint64(a.typ)<<1 ^ uint64(a.way))
		}
		next[v] = mix(sum)
	}
	return next
}
