package within

import "github.com/greedgraph/greed/graph"

// side is one graph.
type side struct {
	n, m  int
	most  int // the greatest number of arcs at a node
	label [MaxNodes]int32
	start [MaxNodes + 1]int32
	arcs  []arc
	back  []int32        // the reverse of every arc
	kind  []int32        // what kind every arc is of
	kinds []arc          // one arc of each direction and label
	edges []edge         // every edge once
	links []int16        // [n, n] the kind of the edge from one node to another plus 1, or 0
	twin  [MaxNodes]int8 // the first leaf that can be exchanged with this one
	twins bool           // whether any two nodes are twins

	exchanges []exchange // the other symmetries
	directed  bool
	known     bool // whether twins and exchanges were looked for
}

// arc is one end of an edge. In directed graphs an edge leaves one node (way 0)
// and enters the other (way 1).
type arc struct {
	to, way uint8
	label   int32
}

// edge is an edge from one node to another, in undirected graphs from the lesser one.
type edge struct {
	from, to uint8
	kind     int16
}

// wildcard represents [graph.Wildcard] in the query of SED, which matches every label.
const wildcard = -1

func (s *side) of(v int) []arc { return s.arcs[s.start[v]:s.start[v+1]] }

// read sets s to g. Its arcs are sorted by direction and node. Edges have no label unless labelled; wild says whether
// [graph.Wildcard] is one.
func (s *side) read(g *graph.Graph, labelled, wild bool) {
	s.n, s.m, s.most = g.N(), g.M(), 0
	s.arcs, s.kind, s.kinds, s.edges = s.arcs[:0], s.kind[:0], s.kinds[:0], s.edges[:0]
	s.links = resize(s.links, s.n*s.n)
	clear(s.links)
	s.directed, s.known = g.Directed(), false
	for v := range s.n {
		s.label[v] = labelOf(g.Label(v), wild)
		s.start[v] = int32(len(s.arcs))
		s.add(v, g.Out(v), 0, labelled, wild)
		if s.directed {
			s.add(v, g.In(v), 1, labelled, wild)
		}
		s.most = max(s.most, len(s.arcs)-int(s.start[v]))
	}
	s.start[s.n] = int32(len(s.arcs))
	s.findReverses(ways(g))
}

// ways returns the number of directions that edges of g have.
func ways(g *graph.Graph) uint8 {
	if g.Directed() {
		return 2
	}
	return 1
}

func labelOf(l graph.Label, wild bool) int32 {
	if wild && l == graph.Wildcard {
		return wildcard
	}
	return int32(l)
}

// add adds the arcs of node v in one direction, and the edges.
func (s *side) add(v int, arcs []graph.Arc, way uint8, labelled, wild bool) {
	for _, a := range arcs {
		x := arc{to: uint8(a.To), way: way}
		if labelled {
			x.label = labelOf(a.Label, wild)
		}
		kind := s.kindOf(x)
		s.arcs, s.kind = append(s.arcs, x), append(s.kind, kind)
		if way > 0 {
			continue
		}
		s.links[v*s.n+int(a.To)] = int16(kind) + 1
		if s.directed || v < int(a.To) {
			s.edges = append(s.edges, edge{uint8(v), x.to, int16(kind)})
		}
	}
}

// kindOf returns the number of the kind of x.
func (s *side) kindOf(x arc) int32 {
	for kind := range s.kinds {
		if s.kinds[kind].label == x.label && s.kinds[kind].way == x.way {
			return int32(kind)
		}
	}
	s.kinds = append(s.kinds, x)
	return int32(len(s.kinds) - 1)
}

// findReverses finds the reverse of every arc: the nodes that it may come from have it in
// their order.
func (s *side) findReverses(ways uint8) {
	s.back = resize(s.back, len(s.arcs))
	var next [2][MaxNodes]int32 // reverses to come, by direction
	for v := range s.n {
		next[0][v] = s.start[v]
		if ways == 2 {
			x := s.start[v]
			for x < s.start[v+1] && s.arcs[x].way == 0 {
				x++
			}
			next[1][v] = x
		}
	}
	for v := range s.n {
		for x := s.start[v]; x < s.start[v+1]; x++ {
			a := &s.arcs[x]
			at := &next[ways-1-a.way][a.to] // undirected edges have no way but 0
			s.back[x] = *at
			*at++
		}
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
