package mcs

import (
	"cmp"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// class is a set of query nodes and a set of target nodes that may be mapped to each
// other. It is adjacent if its nodes have edges to mapped nodes.
type class struct {
	q, t     segment
	adjacent bool
}

// segment is a range of side.nodes.
type segment struct{ start, len int }

// after returns s without its beginning a.
func (s segment) after(a segment) segment {
	return segment{s.start + a.len, s.len - a.len}
}

// side is one graph, with its nodes renumbered by decreasing degree.
type side struct {
	n       int
	order   []int32       // [n] node of every number
	labels  []graph.Label // [n]
	joined  [][]joint     // [n]
	nodes   []int32       // [n] all nodes, those of a class together
	relates []uint64      // [n] scratch: the relation of each node to one node; 0: no edge
}

// joint is a neighbour and the relation to it: the labels of the edge to it, in the low
// half, and from it, in the high half, plus one each.
type joint struct {
	to       int32
	relation uint64
}

func newSide(g *graph.Graph, opt Options) side {
	n := g.N()
	s := side{
		n: n, order: make([]int32, n), labels: make([]graph.Label, n), joined: make([][]joint, n),
		nodes: make([]int32, n), relates: make([]uint64, n),
	}
	for v := range n {
		s.order[v] = int32(v)
		s.nodes[v] = int32(v)
	}
	slices.SortStableFunc(s.order, func(a, b int32) int { return cmp.Compare(g.Degree(int(b)), g.Degree(int(a))) })
	number := make([]int32, n)
	for i, v := range s.order {
		number[v] = int32(i)
		s.labels[i] = g.Label(int(v))
	}
	relation := func(a graph.Arc) uint64 {
		if opt.IgnoreEdgeLabels {
			return 1
		}
		return uint64(a.Label) + 1
	}
	for i, v := range s.order {
		for _, a := range g.Out(int(v)) {
			s.joined[i] = append(s.joined[i], joint{number[a.To], relation(a)})
		}
		if !g.Directed() {
			continue
		}
		for _, a := range g.In(int(v)) {
			// Arcs of a node are in the order of their ends.
			if k, ok := slices.BinarySearchFunc(g.Out(int(v)), a.To,
				func(b graph.Arc, to int32) int { return cmp.Compare(b.To, to) }); ok {
				s.joined[i][k].relation |= relation(a) << 32
			} else {
				s.joined[i] = append(s.joined[i], joint{number[a.To], relation(a) << 32})
			}
		}
	}
	return s
}

// labelClasses returns the classes of the first state: the nodes of each label that both
// graphs have.
func labelClasses(q, t *side) []class {
	byLabel := func(s *side) {
		slices.SortStableFunc(s.nodes, func(a, b int32) int { return cmp.Compare(s.labels[a], s.labels[b]) })
	}
	byLabel(q)
	byLabel(t)
	var classes []class
	i, j := 0, 0
	for i < q.n && j < t.n {
		a, b := q.labels[q.nodes[i]], t.labels[t.nodes[j]]
		lenQ, lenT := q.run(i), t.run(j)
		if a == b {
			classes = append(classes, class{q: segment{i, lenQ}, t: segment{j, lenT}})
		}
		if a <= b {
			i += lenQ
		}
		if b <= a {
			j += lenT
		}
	}
	return classes
}

// run returns the length of the run of nodes of the same label that begins at index i.
func (s *side) run(i int) int {
	k := i
	for k < s.n && s.labels[s.nodes[k]] == s.labels[s.nodes[i]] {
		k++
	}
	return k - i
}

func (s *side) of(x segment) []int32 { return s.nodes[x.start : x.start+x.len] }

// least returns the least number in x.
func (s *side) least(x segment) int32 { return slices.Min(s.of(x)) }

// take removes from x its least node above last and returns it; −1 if there is none. It
// moves the node to the end, so that a longer x would hold it again.
func (s *side) take(x *segment, last int32) int32 {
	nodes := s.of(*x)
	at := -1
	for i, v := range nodes {
		if v > last && (at < 0 || v < nodes[at]) {
			at = i
		}
	}
	if at < 0 {
		return -1
	}
	x.len--
	nodes[at], nodes[x.len] = nodes[x.len], nodes[at]
	return nodes[x.len]
}

// relate sets relates to the relations of all nodes to v. unrelate clears it.
func (s *side) relate(v int32) {
	for _, j := range s.joined[v] {
		s.relates[j.to] = j.relation
	}
}

func (s *side) unrelate(v int32) {
	for _, j := range s.joined[v] {
		s.relates[j.to] = 0
	}
}

// arrange sorts the nodes of x by relation. Most have none, so these go first and only
// the others are sorted.
func (s *side) arrange(x segment) {
	nodes := s.of(x)
	apart := 0
	for i, v := range nodes {
		if s.relates[v] == 0 {
			nodes[i], nodes[apart] = nodes[apart], v
			apart++
		}
	}
	if joined := nodes[apart:]; len(joined) > 1 {
		slices.SortFunc(joined, func(a, b int32) int { return cmp.Compare(s.relates[a], s.relates[b]) })
	}
}

// first returns the nodes at the beginning of x that have the same relation, and that
// relation. x is arranged and not empty.
func (s *side) first(x segment) (segment, uint64) {
	nodes := s.of(x)
	relation := s.relates[nodes[0]]
	k := 1
	for k < len(nodes) && s.relates[nodes[k]] == relation {
		k++
	}
	return segment{x.start, k}, relation
}
