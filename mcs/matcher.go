package mcs

import (
	"context"
	"math/bits"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Kind says what counts as finding the query in the target. The zero value asks for a
// subgraph, not necessarily induced, with equal labels. There is one if and only if the
// SED under positive costs is 0.
type Kind struct{ IgnoreEdgeLabels bool }

// Matcher finds queries in targets. The zero value is ready for use. It keeps
// memory, but no results, from call to call, and is not safe for concurrent use.
//
// Every query node has a domain: the set of target nodes that can still be its image,
// one bit each. The node with the smallest domain is mapped next. Its image leaves the
// other domains, and the domains of its neighbours shrink to the neighbours of the
// image. A branch ends as soon as the nodes can no longer have different images, which
// is a matching problem, and not only when a domain is empty. Nodes whose neighbours are
// all mapped constrain no others, so that matching also finds their images.
//
// Before any of this, a search node by node decides what takes a few tries, as most pairs
// of molecules do.
type Matcher struct {
	kind  Kind
	q, t  *graph.Graph
	words int

	domain []uint64 // [n_q, words]
	size   []int32  // [n_q] bits set in each domain
	image  []int32  // [n_q] −1: not mapped yet
	open   []int32  // [n_q] edges to nodes not mapped yet

	choice []int32  // [n_q] image in the matching
	owner  []int32  // [n_t] the query node whose choice it is, or −1
	taken  []uint64 // [words] images used by the matching
	seen   []uint64 // [words] images tried by augment

	trail []change
	saved []uint64

	plan  plan // of the last query
	tries int  // left to a quick search

	ctx     context.Context
	limit   int64 // of states; 0: none
	states  int64
	work    int // words of domains since the last look at the context
	stopped bool
}

// change records how to undo one change of the domain of node. It lost bit; or, if bit is
// negative, the words at the end of saved are the domain before.
type change struct {
	node, bit, size int32
}

// workInterval is the number of words of domains that are read between two looks at the
// clock or the context: some tens of microseconds.
const workInterval = 1 << 14

// Find returns a node map from q into t that keeps all labels and edges, and
// whether there is one. [graph.Wildcard] as a label in q matches any label. The
// error wraps [ErrIncomparable], or is that of ctx if it ended before the
// question was decided, or [ErrUndecided] if so many states of the search do not
// decide it; 0 sets no limit. It is [ErrNotSimple] for graphs with self-loops or parallel edges.
func (m *Matcher) Find(ctx context.Context, q, t *graph.Graph, kind Kind, states int64) (edit.NodeMap, bool, error) {
	return m.find(ctx, q, t, kind, states, quickTries)
}

// find is Find with so many tries of a quick search for each node.
func (m *Matcher) find(ctx context.Context, q, t *graph.Graph, kind Kind, states int64,
	tries int) (edit.NodeMap, bool, error) {
	if err := Comparable(q, t); err != nil {
		return nil, false, err
	}
	if !q.Simple() || !t.Simple() {
		return nil, false, ErrNotSimple
	}
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	if q.N() > t.N() || q.M() > t.M() {
		return nil, false, nil
	}
	m.ctx, m.kind, m.q, m.t = ctx, kind, q, t
	m.states, m.limit, m.work, m.stopped = 0, states, 0, false
	defer func() { m.ctx, m.q, m.t = nil, nil, nil }()
	found, decided := m.quick(tries)
	if !decided {
		found = m.start() && m.extend()
	}
	if m.stopped {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		return nil, false, ErrUndecided
	}
	if !found {
		return nil, false, nil
	}
	result := make(edit.NodeMap, q.N())
	for v, w := range m.image {
		result[v] = int(w)
	}
	return result, true, nil
}

// start sets the domains by labels and degrees, and then removes candidates without
// support. It reports whether every node has a candidate left.
func (m *Matcher) start() bool {
	n := m.q.N()
	m.words = (m.t.N() + 63) / 64
	m.domain = resize(m.domain, n*m.words)
	m.size, m.image = resize(m.size, n), resize(m.image, n)
	m.open, m.choice = resize(m.open, n), resize(m.choice, n)
	m.taken, m.seen = resize(m.taken, m.words), resize(m.seen, m.words)
	m.owner = resize(m.owner, m.t.N())
	for w := range m.owner {
		m.owner[w] = -1
	}
	m.trail, m.saved = m.trail[:0], m.saved[:0]
	clear(m.domain)
	for v := range n {
		m.image[v], m.size[v], m.open[v] = -1, 0, int32(m.q.Degree(v))
		a, out, in := m.q.Label(v), len(m.q.Out(v)), len(m.q.In(v))
		d := m.of(v)
		for w, b := range m.t.Labels() {
			if (a == b || a == graph.Wildcard) && out <= len(m.t.Out(w)) && in <= len(m.t.In(w)) {
				d[w/64] |= 1 << (w % 64)
				m.size[v]++
			}
		}
		if m.size[v] == 0 || m.spend(m.t.N()/8) {
			return false
		}
	}
	for v := range n {
		if m.spend(int(m.size[v])) || !m.supported(v) {
			return false
		}
	}
	return true
}

// supported removes the candidates of v that have no neighbour to which some neighbour
// of v could be mapped, and reports whether any is left.
func (m *Matcher) supported(v int) bool {
	d := m.of(v)
	for k := range d {
		for rest := d[k]; rest != 0; rest &= rest - 1 {
			w := k*64 + bits.TrailingZeros64(rest)
			if m.spend((len(m.q.Out(v)) + len(m.q.In(v))) / 8) {
				return false
			}
			if m.hasSupport(m.q.Out(v), m.t.Out(w)) && (!m.q.Directed() || m.hasSupport(m.q.In(v), m.t.In(w))) {
				continue
			}
			d[k] &^= 1 << (w % 64)
			m.size[v]--
		}
	}
	return m.size[v] > 0
}

func (m *Matcher) hasSupport(query, target []graph.Arc) bool {
	for _, x := range query {
		found := false
		for i, y := range target {
			if m.has(int(x.To), int(y.To)) && m.agree(x.Label, y.Label) {
				found = true
				m.spend(i / 8)
				break
			}
		}
		if !found {
			m.spend(len(target) / 8)
			return false
		}
	}
	return true
}

func (m *Matcher) of(v int) []uint64 { return m.domain[v*m.words : (v+1)*m.words] }

func (m *Matcher) has(v, w int) bool { return m.domain[v*m.words+w/64]>>(w%64)&1 != 0 }

// agree reports whether a query edge labelled a may be a target edge labelled b.
func (m *Matcher) agree(a, b graph.Label) bool {
	return a == b || a == graph.Wildcard || m.kind.IgnoreEdgeLabels
}

// extend looks for images of all unmapped nodes and reports whether it found them.
func (m *Matcher) extend() bool {
	if m.states == m.limit && m.limit > 0 {
		m.stopped = true
	}
	m.states++
	if m.spend(m.q.N() * m.words) {
		return false
	}
	if !m.match() {
		return false
	}
	v := m.next()
	if v < 0 {
		// No unmapped node constrains another, so the matching is the rest of the map.
		for x, w := range m.image {
			if w < 0 {
				m.image[x] = m.choice[x]
			}
		}
		return true
	}
	m.close(v, 1)
	for k, word := range m.of(v) {
		for ; word != 0; word &= word - 1 {
			w := k*64 + bits.TrailingZeros64(word)
			mark := len(m.trail)
			m.image[v] = int32(w)
			if m.propagate(v, w) && m.extend() {
				return true
			}
			m.undo(mark)
			m.image[v] = -1
			if m.stopped {
				return false
			}
		}
	}
	m.close(v, -1)
	return false
}

// spend adds to the words of domains read so far, and reports whether the search has to
// stop.
func (m *Matcher) spend(words int) bool {
	if m.work += words; m.work >= workInterval {
		m.work = 0
		m.stopped = m.stopped || m.ctx.Err() != nil
	}
	return m.stopped
}

// close subtracts edges from the open edges of every neighbour of v: 1 when v is mapped,
// −1 to undo that.
func (m *Matcher) close(v int, edges int32) {
	for _, a := range m.q.Out(v) {
		m.open[a.To] -= edges
	}
	if m.q.Directed() {
		for _, a := range m.q.In(v) {
			m.open[a.To] -= edges
		}
	}
}

// next returns the unmapped node with the smallest domain and, among equal ones, the
// highest degree. It leaves out nodes that no longer constrain others, and returns −1
// if there is no other node.
func (m *Matcher) next() int {
	best := -1
	for v, w := range m.image {
		if w >= 0 || m.open[v] == 0 {
			continue
		}
		if best < 0 || m.size[v] < m.size[best] || m.size[v] == m.size[best] && m.q.Degree(v) > m.q.Degree(best) {
			best = v
		}
	}
	return best
}

func resize[T any](a []T, n int) []T {
	if cap(a) < n {
		return make([]T, n)
	}
	return a[:n]
}
