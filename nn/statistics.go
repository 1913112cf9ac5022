package nn

import (
	"cmp"
	"math"
	"slices"
)

// Statistic is a number, of a node or an edge of a graph, that never falls when nodes and
// edges are added. Only StatDegree, StatTowards and StatEdge see directions, if the rows do.
type Statistic string

// The statistics.
const (
	StatNode      Statistic = "node"      // 1 of every node
	StatDegree    Statistic = "degree"    // edges of the node
	StatTowards   Statistic = "towards"   // edges of a label to neighbours of a label
	StatBall2     Statistic = "ball2"     // other nodes within two edges
	StatBall3     Statistic = "ball3"     // within three
	StatBall4     Statistic = "ball4"     // within four
	StatRing      Statistic = "ring"      // shortest cycle: 1 for long ones, 2 for 8 nodes, up to 7 for 3
	StatCore      Statistic = "core"      // most edges that each node of a subgraph with this node keeps
	StatTriangles Statistic = "triangles" // triangles with the node
	StatEdge      Statistic = "edge"      // 1 of every edge between nodes of two labels
)

// Statistics lists all statistics.
func Statistics() []Statistic {
	return []Statistic{StatNode, StatDegree, StatBall2, StatBall3, StatBall4, StatRing, StatCore, StatTriangles,
		StatTowards, StatEdge}
}

// Indices into Statistics.
const (
	atNode = iota
	atDegree
	atBall2
	atBall3
	atBall4
	atRing
	atCore
	atTriangles
	atTowards
	atEdge
)

const (
	// mostStatistic is the value at which statistics are capped.
	mostStatistic = 32
	radii         = 3 // of balls: 2 to 4
	leastRadius   = 2
)

// observer computes the statistics of a graph.
type observer struct {
	*orderer // which has read the graph
	rings    cycles
	ball     [radii]int32
	queue    []int32
	seen     []int32 // the node, plus one, from which a node was seen last
	left     []int32 // edges of nodes that are not gone yet
	core     []int32 // by node
	threes   []int32 // triangles by node
	around   []tallied
}

// tallied is what a statistic applies to: the nodes with a label, or all if it is 0; for
// StatTowards and StatEdge, edges with a row to nodes with another label.
type tallied struct {
	stat               uint8 // its place in Statistics
	label, other, edge int32
}

// observe calls add with every non-zero statistic of the nodes and edges of the graph that o
// has read: for the label of the node, and for label 0, which stands for any.
func (s *observer) observe(o *orderer, directed bool, rows Rows, add func(of tallied, value int32)) {
	s.orderer = o
	n := len(o.label)
	s.rings.load(o, n)
	s.cores(n)
	s.triangles(n)
	s.seen = zeros(s.seen, n)
	for v := range int32(n) {
		s.balls(v)
		ring := int32(0)
		if length := s.rings.shortest(v, math.MaxInt32); length > 0 {
			ring = longestCycle + 2 - length
		}
		values := [...]int32{
			atNode: 1, atDegree: o.start[v+1] - o.start[v], atBall2: s.ball[0], atBall3: s.ball[1], atBall4: s.ball[2],
			atRing: ring, atCore: s.core[v], atTriangles: s.threes[v],
		}
		for stat, x := range values {
			s.report(tallied{stat: uint8(stat)}, v, x, add)
		}
		s.edges(v, directed, rows, add)
	}
}

func (s *observer) report(of tallied, v, value int32, add func(of tallied, value int32)) {
	if value == 0 {
		return
	}
	value = min(value, mostStatistic)
	add(of, value)
	if of.label = s.label[v]; of.label > 0 {
		add(of, value)
	}
}

// edges reports the edges of v. Those whose labels the rows lack are left out, because they
// may be wildcards.
func (s *observer) edges(v int32, directed bool, rows Rows, add func(of tallied, value int32)) {
	seen := directed && rows.Edge != nil // directions are
	known := int32(0)
	if len(rows.Edge) > 0 {
		known = 1
		if directed {
			known = 2
		}
	}
	s.around = s.around[:0]
	for _, a := range s.arcsOf(int(v)) {
		if a.edge < known {
			continue
		}
		mine, other := s.label[v], s.label[a.from]
		if seen && a.edge%2 == 0 || !seen && v < a.from { // each edge once
			add(tallied{stat: atEdge, edge: a.edge}, 1)
			if mine > 0 && other > 0 {
				from, to := mine, other
				if !seen {
					from, to = min(mine, other), max(mine, other)
				}
				add(tallied{stat: atEdge, label: from, other: to, edge: a.edge}, 1)
			}
		}
		if other > 0 {
			s.around = append(s.around, tallied{stat: atTowards, other: other, edge: a.edge})
		}
	}
	slices.SortFunc(s.around, tallied.compare)
	for i := 0; i < len(s.around); {
		from := i
		for i < len(s.around) && s.around[i] == s.around[from] {
			i++
		}
		s.report(s.around[from], v, int32(i-from), add)
	}
}

func (t tallied) compare(u tallied) int {
	return cmp.Or(cmp.Compare(t.stat, u.stat), cmp.Compare(t.label, u.label), cmp.Compare(t.other, u.other),
		cmp.Compare(t.edge, u.edge))
}

// balls counts the other nodes within 2, 3 and 4 edges of v, up to mostStatistic.
func (s *observer) balls(v int32) {
	s.queue = append(s.queue[:0], v)
	s.seen[v] = v + 1
	begin := 0
	for depth := 1; depth < leastRadius+radii; depth++ {
		end := len(s.queue)
		for _, x := range s.queue[begin:end] {
			for _, a := range s.arcsOf(int(x)) {
				if len(s.queue) > mostStatistic {
					break
				}
				if s.seen[a.from] != v+1 {
					s.seen[a.from] = v + 1
					s.queue = append(s.queue, a.from)
				}
			}
		}
		begin = end
		if depth >= leastRadius {
			s.ball[depth-leastRadius] = int32(len(s.queue) - 1)
		}
	}
}

// cores computes core numbers, up to mostStatistic: for each k in turn, it removes nodes with
// fewer than k remaining edges (Seidman, 1983).
func (s *observer) cores(n int) {
	s.core = zeros(s.core, n)
	s.left = zeros(s.left, n)
	left := s.left
	gone := 0
	for v := range n {
		left[v] = s.start[v+1] - s.start[v]
	}
	for k := int32(1); k <= mostStatistic && gone < n; k++ {
		s.queue = s.queue[:0]
		drop := func(v int32) {
			if left[v] >= 0 && left[v] < k {
				left[v], s.core[v] = -1, k-1
				s.queue = append(s.queue, v)
			}
		}
		for v := range int32(n) {
			drop(v)
		}
		for at := 0; at < len(s.queue); at++ {
			gone++
			for _, a := range s.arcsOf(int(s.queue[at])) {
				left[a.from]--
				drop(a.from)
			}
		}
	}
	for v := range n {
		if left[v] >= 0 {
			s.core[v] = mostStatistic
		}
	}
}

// triangles counts the triangles of every node. It finds each at its node with the fewest
// edges on cycles.
func (s *observer) triangles(n int) {
	s.threes = zeros(s.threes, n)
	s.seen = zeros(s.seen, n)
	above := func(v, w int32) bool {
		return cmp.Or(cmp.Compare(s.rings.edges(v), s.rings.edges(w)), cmp.Compare(v, w)) < 0
	}
	for v := range int32(n) {
		near := s.rings.to[s.rings.start[v]:s.rings.start[v+1]]
		for _, w := range near {
			s.seen[w] = v + 1
		}
		for _, w := range near {
			if !above(v, w) {
				continue
			}
			for _, x := range s.rings.to[s.rings.start[w]:s.rings.start[w+1]] {
				if s.seen[x] == v+1 && above(w, x) {
					s.threes[v]++
					s.threes[w]++
					s.threes[x]++
				}
			}
		}
	}
}

// zeros returns n zeros, in the memory of list if it suffices.
func zeros(list []int32, n int) []int32 {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}
