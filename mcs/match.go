package mcs

import "math/bits"

// match looks for different images of all unmapped nodes in their domains, edges aside,
// and reports whether there are such. It stores them in choice. This is a bipartite
// matching by augmenting paths.
func (m *Matcher) match() bool {
	clear(m.taken)
	for x := range m.choice {
		m.choice[x] = -1
	}
	complete := true
	for x, image := range m.image {
		if m.spend(1) {
			complete = false
			break
		}
		if image >= 0 || m.seat(x) {
			continue
		}
		clear(m.seen)
		if !m.augment(x) {
			complete = false
			break
		}
	}
	for _, w := range m.choice {
		if w >= 0 {
			m.owner[w] = -1
		}
	}
	return complete
}

// seat gives x the first free image of its domain, which mostly spares the search for a
// path.
func (m *Matcher) seat(x int) bool {
	for k, word := range m.of(x) {
		if free := word &^ m.taken[k]; free != 0 {
			m.assign(x, k*64+bits.TrailingZeros64(free))
			return true
		}
	}
	return false
}

// augment gives x an image and moves other nodes to other images where it must.
func (m *Matcher) augment(x int) bool {
	if m.spend(m.words) {
		return false
	}
	for k, word := range m.of(x) {
		for rest := word &^ m.seen[k]; rest != 0; rest = word &^ m.seen[k] {
			w := k*64 + bits.TrailingZeros64(rest)
			m.seen[k] |= 1 << (w % 64)
			if y := m.owner[w]; y < 0 || m.augment(int(y)) {
				m.assign(x, w)
				return true
			}
		}
	}
	return false
}

func (m *Matcher) assign(x, w int) {
	m.choice[x], m.owner[w] = int32(w), int32(x)
	m.taken[w/64] |= 1 << (w % 64)
}
