package within

import (
	"encoding/binary"
	"math/bits"

	"github.com/greedgraph/greed/graph"
)

// side is one graph.
type side struct {
	n, m   int
	label  [MaxNodes]int32
	class  [MaxNodes]int32
	start  [MaxNodes + 1]int32
	arcs   []arc
	next   [2][MaxNodes]uint64     // neighbours, by direction
	around [MaxNodes]uint64        // neighbours in any direction
	kind   [kinds][MaxNodes]uint64 // neighbours, by kind of edge
	wild   [2][MaxNodes]uint64     // neighbours through wildcards, by direction
	twin   [MaxNodes]int8          // the first leaf that can be exchanged with this one
	twins  bool                    // whether any two nodes are twins
}

// arc is one end of an edge. In directed graphs an edge leaves one node (way 0)
// and enters the other (way 1).
type arc struct {
	to, way uint8
	kind    int8 // of edges with this label in this direction, or -1 of a wildcard
	label   int32
}

// kinds is the greatest number of kinds of edges; more make a pair unsupported.
const kinds = 16

// wildcard stands for the label that matches every label: [graph.Wildcard] in the query
// of SED.
const wildcard = -1

func (s *side) of(v int) []arc { return s.arcs[s.start[v]:s.start[v+1]] }

// read sets s to g and reports whether its edges are not of too many kinds.
func (d *Decider) read(s *side, g *graph.Graph, wild bool) bool {
	s.n, s.m = g.N(), g.M()
	s.arcs = s.arcs[:0]
	for v := range s.n {
		s.label[v] = labelOf(g.Label(v), wild)
		s.start[v] = int32(len(s.arcs))
		s.next[0][v], s.next[1][v], s.wild[0][v], s.wild[1][v] = 0, 0, 0, 0
		for k := range s.kind {
			s.kind[k][v] = 0
		}
		if !d.add(s, v, g.Out(v), 0, wild) || g.Directed() && !d.add(s, v, g.In(v), 1, wild) {
			return false
		}
		s.around[v] = s.next[0][v] | s.next[1][v]
	}
	s.start[s.n] = int32(len(s.arcs))
	s.findTwins(g.Directed())
	for v := range s.n {
		s.class[v] = d.classes.of(s.label[v], s.of(v))
	}
	return true
}

func labelOf(l graph.Label, wild bool) int32 {
	if wild && l == graph.Wildcard {
		return wildcard
	}
	return int32(l)
}

// add adds the arcs of node v in one direction and reports whether their kinds are not
// too many.
func (d *Decider) add(s *side, v int, arcs []graph.Arc, way uint8, wild bool) bool {
	for _, a := range arcs {
		to := uint64(1) << uint(a.To)
		s.next[way][v] |= to
		x := arc{to: uint8(a.To), way: way, kind: -1}
		if d.costs.edgeSub > 0 {
			x.label = labelOf(a.Label, wild)
		}
		if x.label == wildcard {
			s.wild[way][v] |= to
		} else {
			if x.kind = d.classes.kind(x.label, way); x.kind < 0 {
				return false
			}
			s.kind[x.kind][v] |= to
		}
		s.arcs = append(s.arcs, x)
	}
	return true
}

// findTwins finds leaves of equal labels at the same node, joined by edges of equal
// labels. Exchanging them does not change the graph.
func (s *side) findTwins(directed bool) {
	s.twins = false
	for v := range s.n {
		s.twin[v] = int8(v)
		if directed || s.start[v+1] != s.start[v]+1 {
			continue
		}
		stem := s.arcs[s.start[v]]
		for rest := s.around[stem.to] & (1<<uint(v) - 1); rest != 0; rest &= rest - 1 {
			w := bits.TrailingZeros64(rest)
			if s.start[w+1] == s.start[w]+1 && s.label[w] == s.label[v] && s.arcs[s.start[w]].label == stem.label {
				s.twin[v] = s.twin[w]
				s.twins = true
				break
			}
		}
	}
}

// classes numbers branches. Nodes of one class have the same label and edges of the same
// labels, so the cost of substituting one class for another is computed once.
type classes struct {
	number map[string]int32
	label  []int32
	arcs   [][]arc // by class, sorted by way and label; ends mean nothing
	cost   []int32 // [class, classes of the query]
	known  int     // number of classes that have a row in cost
	query  []int32 // classes of the query
	index  []int32 // by class: its index in query, plus one; 0 if it is not there
	kinds  []arc   // one of every kind
	sorted []arc
	key    []byte
}

// kind returns the number of a kind of edge, by label and direction; -1 if there are
// too many.
func (c *classes) kind(label int32, way uint8) int8 {
	for k, a := range c.kinds {
		if a.label == label && a.way == way {
			return int8(k)
		}
	}
	if len(c.kinds) == kinds {
		return -1
	}
	c.kinds = append(c.kinds, arc{label: label, way: way})
	return int8(len(c.kinds) - 1)
}

func newClasses() classes { return classes{number: make(map[string]int32)} }

// mostClasses is the number of classes beyond which a decider forgets them and starts
// anew, to bound its memory.
const mostClasses = 1 << 15

// of returns the class of a node.
func (c *classes) of(label int32, arcs []arc) int32 {
	c.sorted = append(c.sorted[:0], arcs...)
	for i := range c.sorted { // few: by insertion
		for k := i; k > 0 && c.sorted[k].rank() < c.sorted[k-1].rank(); k-- {
			c.sorted[k], c.sorted[k-1] = c.sorted[k-1], c.sorted[k]
		}
	}
	c.key = binary.LittleEndian.AppendUint32(c.key[:0], uint32(label))
	for _, a := range c.sorted {
		c.key = append(binary.LittleEndian.AppendUint32(c.key, uint32(a.label)), a.way)
	}
	if k, ok := c.number[string(c.key)]; ok {
		return k
	}
	k := int32(len(c.label))
	c.number[string(c.key)] = k
	c.label = append(c.label, label)
	c.arcs = append(c.arcs, append([]arc(nil), c.sorted...))
	return k
}

func (a arc) rank() int64 { return int64(a.way)<<32 + int64(a.label) }
