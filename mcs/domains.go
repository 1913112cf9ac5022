package mcs

import "github.com/greedgraph/greed/graph"

// propagate shrinks the domains of unmapped nodes after v was mapped to w, and reports
// whether none of them is empty.
func (m *Matcher) propagate(v, w int) bool {
	for x, image := range m.image {
		if image < 0 && m.has(x, w) && !m.drop(x, w) {
			return false
		}
	}
	return m.join(m.q.Out(v), m.t.Out(w)) && (!m.q.Directed() || m.join(m.q.In(v), m.t.In(w)))
}

// drop removes candidate w from the domain of x and reports whether any is left.
func (m *Matcher) drop(x, w int) bool {
	m.trail = append(m.trail, change{int32(x), int32(w), m.size[x]})
	m.domain[x*m.words+w/64] &^= 1 << (w % 64)
	m.size[x]--
	return m.size[x] > 0
}

// join restricts the domains of the ends of query edges to the ends of target edges
// whose labels agree.
func (m *Matcher) join(query, target []graph.Arc) bool {
	for _, a := range query {
		x := int(a.To)
		if m.image[x] >= 0 {
			continue
		}
		if m.spend(m.words + len(target)/8) {
			return false
		}
		d := m.of(x)
		m.trail = append(m.trail, change{int32(x), -1, m.size[x]})
		at := len(m.saved)
		m.saved = append(m.saved, d...)
		old := m.saved[at:]
		clear(d)
		m.size[x] = 0
		for _, b := range target {
			word, bit := b.To/64, uint64(1)<<(b.To%64)
			if old[word]&bit != 0 && m.agree(a.Label, b.Label) {
				d[word] |= bit
				m.size[x]++
			}
		}
		if m.size[x] == 0 {
			return false
		}
	}
	return true
}

// undo undoes all changes since the trail had length mark.
func (m *Matcher) undo(mark int) {
	for i := len(m.trail) - 1; i >= mark; i-- {
		c := m.trail[i]
		x := int(c.node)
		m.size[x] = c.size
		if c.bit >= 0 {
			m.domain[x*m.words+int(c.bit)/64] |= 1 << (c.bit % 64)
			continue
		}
		at := len(m.saved) - m.words
		copy(m.of(x), m.saved[at:])
		m.saved = m.saved[:at]
	}
	m.trail = m.trail[:mark]
}
