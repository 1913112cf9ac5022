package mcs

import "github.com/greedgraph/greed/graph"

// plan is the order in which the nodes of a query are mapped by a quick search: each, but for
// the first of a component, next to one that is mapped already.
type plan struct {
	q     *graph.Graph
	steps []step
}

// step maps node. Its image is sought among the neighbours of that of via, -1: everywhere.
type step struct {
	node, via int
	label     graph.Label // of the edge to via
	back      bool        // which leads from node to via
	rest      []tie
}

// tie is an edge between the node of a step and one that is mapped before.
type tie struct {
	node  int
	label graph.Label
	back  bool // it leads from the node of the step
}

// mostQuick bounds the nodes of queries that are searched quickly, and quickTries how many
// nodes of the target are tried for each node of both graphs. The domains of a Matcher then
// cost less than going on.
const (
	mostQuick  = 64
	quickTries = 8
)

// planned returns the plan of the query, which is made once for all its targets.
func (m *Matcher) planned() *plan {
	if m.plan.q == m.q {
		return &m.plan
	}
	q := m.q
	n := q.N()
	m.plan = plan{q: q}
	count := make(map[graph.Label]int)
	for _, l := range q.Labels() {
		count[l]++
	}
	mapped, ties := make([]bool, n), make([]int, n)
	for range n {
		best := -1
		for v := range n {
			if mapped[v] {
				continue
			}
			// Rings are closed as soon as they can be; what is rare fails early.
			if best < 0 || ties[v] > ties[best] || ties[v] == ties[best] && (count[q.Label(v)] < count[q.Label(best)] ||
				count[q.Label(v)] == count[q.Label(best)] && q.Degree(v) > q.Degree(best)) {
				best = v
			}
		}
		s := step{node: best, via: -1}
		see := func(arcs []graph.Arc, back bool) {
			for _, a := range arcs {
				switch u := int(a.To); {
				case !mapped[u]:
					ties[u]++
				case s.via < 0:
					s.via, s.label, s.back = u, a.Label, back
				default:
					s.rest = append(s.rest, tie{u, a.Label, back})
				}
			}
		}
		mapped[best] = true
		see(q.Out(best), true)
		if q.Directed() {
			see(q.In(best), false)
		}
		m.plan.steps = append(m.plan.steps, s)
	}
	return &m.plan
}

// quick looks for a map by mapping node after node, and reports whether it found one and
// whether it could decide that in a few tries. Most pairs of molecules are.
func (m *Matcher) quick(tries int) (found, decided bool) {
	if m.q.N() > mostQuick {
		return false, false
	}
	p := m.planned()
	m.image = resize(m.image, m.q.N())
	m.taken = resize(m.taken, (m.t.N()+63)/64)
	clear(m.taken)
	m.tries = tries * (m.q.N() + m.t.N())
	found = m.mapSteps(p.steps)
	return found, m.tries >= 0
}

// mapSteps maps the nodes of steps and reports whether it could.
func (m *Matcher) mapSteps(steps []step) bool {
	if len(steps) == 0 {
		return true
	}
	s := &steps[0]
	if s.via < 0 {
		for w := range m.t.N() {
			if m.try(steps, w) {
				return true
			}
			if m.tries < 0 {
				return false
			}
		}
		return false
	}
	arcs := m.t.Out(int(m.image[s.via]))
	if s.back && m.q.Directed() {
		arcs = m.t.In(int(m.image[s.via]))
	}
	for i, a := range arcs {
		if m.agree(s.label, a.Label) && m.try(steps, int(a.To)) {
			return true
		}
		if i%64 == 63 {
			m.tries-- // that edges have other labels takes time, too
		}
		if m.tries < 0 {
			return false
		}
	}
	return false
}

// try maps the node of the first step to w, and the others.
func (m *Matcher) try(steps []step, w int) bool {
	s, q, t := &steps[0], m.q, m.t
	m.tries--
	v := s.node
	if m.taken[w/64]>>(w%64)&1 != 0 || q.Label(v) != t.Label(w) && q.Label(v) != graph.Wildcard ||
		len(q.Out(v)) > len(t.Out(w)) || q.Directed() && len(q.In(v)) > len(t.In(w)) {
		return false
	}
	for _, x := range s.rest {
		from, to := int(m.image[x.node]), w
		if x.back {
			from, to = to, from
		}
		if l, ok := t.Edge(from, to); !ok || !m.agree(x.label, l) {
			return false
		}
	}
	m.image[v] = int32(w)
	m.taken[w/64] |= 1 << (w % 64)
	if m.mapSteps(steps[1:]) {
		return true
	}
	m.taken[w/64] &^= 1 << (w % 64)
	return false
}
