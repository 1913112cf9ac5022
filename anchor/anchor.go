// Package anchor finds a good node map between two large graphs in nearly linear time, as a start for searches.
//
// Nodes that are alone in their colour are anchors: unique names, then unique neighbourhoods (colour refinement,
// Weisfeiler and Leman 1968). From there on, pairs of nodes are voted for by their neighbours that are mapped
// already, as in percolation graph matching (Yartseva and Grossglauser 2013). What is left is paired by colour and
// degree, and local search mends the map. No step depends on the numbering of nodes, except among nodes that colour
// refinement does not tell apart.
package anchor

import (
	"cmp"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// Map returns a node map from q to t that contains the fixed pairs, in which a node beside [edit.Deleted] has no
// partner. The pairs must be consistent, and the graphs simple; see [edit.Pricing.Ready]. Map ends early when the
// clock does, with the map found so far.
func Map(p *edit.Pricing, q, t *graph.Graph, fixed [][2]int, c *clock.Clock) edit.NodeMap {
	s := &matcher{clock: c, directed: q.Directed()}
	s.prices.read(p)
	s.q.read(q)
	s.t.read(t)
	s.m, s.inverse = filled(q.N()), filled(t.N())
	s.hold(fixed)
	s.colour()
	for range propagations {
		s.propagate()
		if !s.recolour() {
			break
		}
	}
	s.pairRest()
	s.improve()
	best, most := slices.Clone(s.m), s.profit()
	for range repairs {
		if c.Ended() {
			break
		}
		if !s.release() {
			break
		}
		s.propagate()
		s.pairRest()
		s.improve()
		if profit := s.profit(); profit > most {
			best, most = append(best[:0], s.m...), profit
		} else {
			s.restore(best)
			break
		}
	}
	// Back to the numbers of the graphs.
	m := make(edit.NodeMap, q.N())
	for v := range m {
		m[v] = edit.Deleted
	}
	for v, w := range best {
		if w >= 0 {
			m[s.q.number[v]] = int(s.t.number[w])
		}
	}
	return m
}

const (
	propagations = 8 // rounds of votes and new colours
	repairs      = 12
)

func filled(n int) []int32 {
	m := make([]int32, n)
	for i := range m {
		m[i] = none
	}
	return m
}

// What a node has that has no partner.
const (
	none = -1 // yet
	gone = -2 // as is fixed
)

// hold maps the fixed pairs.
func (s *matcher) hold(fixed [][2]int) {
	s.held, s.heldT = make([]bool, s.q.n), make([]bool, s.t.n)
	if len(fixed) == 0 {
		return
	}
	q, t := s.q.places(), s.t.places()
	for _, pair := range fixed {
		v, w := int32(gone), int32(gone)
		if pair[0] != edit.Deleted {
			v = q[pair[0]]
			s.held[v] = true
		}
		if pair[1] != edit.Deleted {
			w = t[pair[1]]
			s.heldT[w] = true
			s.inverse[w] = v
		}
		if v >= 0 {
			s.m[v] = w
		}
	}
}

// places returns the place of each node of the graph.
func (s *side) places() []int32 {
	at := make([]int32, s.n)
	for i, v := range s.number {
		at[v] = int32(i)
	}
	return at
}

// matcher is a node map between two graphs while it is made.
type matcher struct {
	clock    *clock.Clock
	prices   prices
	directed bool
	q, t     side
	m        []int32 // the node of t for each of q, or none
	inverse  []int32
	held     []bool // nodes that are fixed
	heldT    []bool

	votes votes
}

// side is a graph whose nodes are in an order that does not depend on their numbers, but among nodes that colours do
// not tell apart.
type side struct {
	n      int
	number []int32 // of each node in the graph
	label  []graph.Label
	start  []int32
	arcs   []arc // of each node, by end and way
	colour []uint64
	coarse [][]uint64 // the colours of each round of refinement
}

// arc is an edge as one of its ends sees it.
type arc struct {
	to  int32
	way uint8 // 1: it enters
	typ graph.Label
}

func (s *side) of(v int32) []arc { return s.arcs[s.start[v]:s.start[v+1]] }

func (s *side) degree(v int32) int { return int(s.start[v+1] - s.start[v]) }

// between returns the arc from v to w that goes the given way.
func (s *side) between(v, w int32, way uint8) (graph.Label, bool) {
	arcs := s.of(v)
	i, ok := slices.BinarySearchFunc(arcs, arc{to: w, way: way}, compareArcs)
	if !ok {
		return 0, false
	}
	return arcs[i].typ, true
}

func compareArcs(a, b arc) int {
	if a.to != b.to {
		return int(a.to) - int(b.to)
	}
	return int(a.way) - int(b.way)
}

// rounds is how often colours are refined.
const rounds = 4

// read sets s to g, with nodes in the order of their colours.
func (s *side) read(g *graph.Graph) {
	n := g.N()
	nodes, edges := hashes{text: g.Vocabulary().NodeText}, hashes{text: g.Vocabulary().EdgeText}
	colour := make([]uint64, n)
	for v := range colour {
		colour[v] = nodes.of(g.Label(v))
	}
	history := [][]uint64{colour}
	for range rounds {
		next := make([]uint64, n)
		for v := range next {
			sum := mix(colour[v])
			for _, e := range g.Out(v) {
				sum += mix(colour[e.To] ^ edges.of(e.Label))
			}
			if g.Directed() {
				for _, e := range g.In(v) {
					sum += mix(colour[e.To] ^ edges.of(e.Label) ^ entering)
				}
			}
			next[v] = mix(sum)
		}
		colour = next
		history = append(history, colour)
	}
	order := make([]int32, n)
	for v := range order {
		order[v] = int32(v)
	}
	slices.SortStableFunc(order, func(v, w int32) int {
		if c := cmp.Compare(g.Degree(int(w)), g.Degree(int(v))); c != 0 {
			return c
		}
		return cmp.Compare(colour[v], colour[w])
	})
	at := make([]int32, n)
	for i, v := range order {
		at[v] = int32(i)
	}
	*s = side{n: n, number: order, label: make([]graph.Label, n), start: make([]int32, 1, n+1)}
	for i, v := range order {
		s.label[i] = g.Label(int(v))
		first := len(s.arcs)
		for _, e := range g.Out(int(v)) {
			s.arcs = append(s.arcs, arc{at[e.To], 0, e.Label})
		}
		if g.Directed() {
			for _, e := range g.In(int(v)) {
				s.arcs = append(s.arcs, arc{at[e.To], 1, e.Label})
			}
		}
		slices.SortFunc(s.arcs[first:], compareArcs)
		s.start = append(s.start, int32(len(s.arcs)))
	}
	for _, c := range history {
		sorted := make([]uint64, n)
		for i, v := range order {
			sorted[i] = c[v]
		}
		s.coarse = append(s.coarse, sorted)
	}
	s.colour = slices.Clone(s.coarse[rounds])
}

const entering = 0x5851f42d4c957f2d

// hashes are those of the texts of labels, whose numbers depend on the order in which files were read. Bundles have
// no text, so their numbers count.
type hashes struct {
	text  func(graph.Label) string
	known map[graph.Label]uint64
}

func (h *hashes) of(l graph.Label) uint64 {
	x, known := h.known[l]
	if known {
		return x
	}
	if h.known == nil {
		h.known = make(map[graph.Label]uint64)
	}
	if x = uint64(l); !graph.Bundled(l) {
		x = hashText(h.text(l))
	}
	h.known[l] = x
	return x
}

func hashText(text string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 0x100000001b3
	}
	return mix(h)
}

// mix is the finaliser of splitmix64 (Steele, Lea and Flood, 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (s *matcher) pair(v, w int32) { s.m[v], s.inverse[w] = w, v }

// restore makes m the map.
func (s *matcher) restore(m []int32) {
	copy(s.m, m)
	for w := range s.inverse {
		if s.inverse[w] >= 0 {
			s.inverse[w] = none
		}
	}
	for v, w := range s.m {
		if w >= 0 {
			s.inverse[w] = int32(v)
		}
	}
}
