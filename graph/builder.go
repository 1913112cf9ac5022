package graph

import (
	"errors"
	"fmt"
	"iter"
	"slices"
)

// Errors of a [Builder] that refuses an edge, the last two one of simple graphs alone. Readers
// wrap them with the file and line.
var (
	ErrNodeRange     = errors.New("node does not exist")
	ErrSelfLoop      = errors.New("self-loop: graphs here are simple")
	ErrDuplicateEdge = errors.New("edge given twice: graphs here are simple")
)

// Builder collects the nodes and edges of one graph. The zero value is not
// usable; see [NewBuilder]. After [Builder.Build] it starts over, keeping its
// memory.
type Builder struct {
	vocab    *Vocabulary
	directed bool
	labels   []Label
	edges    []Edge
	simple   bool
	marked   bool // of the next graph
	loops    bool // the next graph has any
}

// NewBuilder returns a builder of graphs over vocab.
func NewBuilder(vocab *Vocabulary, directed bool) *Builder {
	return &Builder{vocab: vocab, directed: directed}
}

// Simple makes the builder refuse self-loops and parallel edges, and returns it.
func (b *Builder) Simple() *Builder {
	b.simple = true
	return b
}

// Grow makes room for that many more nodes and edges.
func (b *Builder) Grow(nodes, edges int) {
	b.labels = slices.Grow(b.labels, nodes)
	b.edges = slices.Grow(b.edges, edges)
}

// N returns how many nodes have been added.
func (b *Builder) N() int { return len(b.labels) }

// M returns how many edges have been added.
func (b *Builder) M() int { return len(b.edges) }

// Vocabulary returns the vocabulary that the labels belong to.
func (b *Builder) Vocabulary() *Vocabulary { return b.vocab }

// Directed reports whether the edges have a direction.
func (b *Builder) Directed() bool { return b.directed }

// LabelText returns the text of the label of node v.
func (b *Builder) LabelText(v int) string { return b.vocab.NodeText(b.labels[v]) }

// Edges yields the edges in the order in which they were added.
func (b *Builder) Edges() iter.Seq[Edge] { return slices.Values(b.edges) }

// AddNode adds a node and returns its number.
func (b *Builder) AddNode(label string) int { return b.AddNodeLabel(b.vocab.Node(label)) }

// AddNodeLabel adds a node whose label is already numbered.
func (b *Builder) AddNodeLabel(l Label) int {
	b.labels = append(b.labels, l)
	return len(b.labels) - 1
}

// AddEdge adds an edge u → v. It returns [ErrNodeRange] or, of simple graphs, [ErrSelfLoop],
// wrapped; a duplicate is found by [Builder.Build].
func (b *Builder) AddEdge(u, v int, label string) error {
	return b.AddEdgeLabel(u, v, b.vocab.Edge(label))
}

// AddEdgeLabel adds an edge whose label is already numbered.
func (b *Builder) AddEdgeLabel(u, v int, l Label) error {
	for _, w := range [2]int{u, v} {
		if w < 0 || w >= len(b.labels) {
			return fmt.Errorf("edge %d-%d: node %d: %w (the graph has nodes 0 to %d)", u, v, w, ErrNodeRange,
				len(b.labels)-1)
		}
	}
	if u == v {
		if b.simple {
			return fmt.Errorf("edge %d-%d: %w", u, v, ErrSelfLoop)
		}
		b.loops = true
	}
	if !b.directed && u > v {
		u, v = v, u
	}
	b.edges = append(b.edges, Edge{u, v, l})
	return nil
}

// Build returns the graph and empties the builder. Of simple graphs it returns
// [ErrDuplicateEdge], wrapped, if an edge was added twice (for an undirected
// graph in either direction).
func (b *Builder) Build() (*Graph, error) { return b.buildIn(new(Graph)) }

// buildIn is Build in the memory of a graph that nobody uses any more.
func (b *Builder) buildIn(g *Graph) (*Graph, error) {
	n := len(b.labels)
	defer b.Reset()
	if n > MaxNodes {
		return nil, fmt.Errorf("graph: %d nodes, at most %d are supported", n, MaxNodes)
	}
	*g = Graph{
		vocab:    b.vocab,
		directed: b.directed,
		labels:   append(g.labels[:0], b.labels...),
		out:      g.out,
		in:       g.in,
		edges:    len(b.edges),
		marked:   b.marked,
		multi:    b.loops,
	}
	g.out.fill(n, b.edges, true, !b.directed)
	if b.directed {
		g.in.fill(n, b.edges, false, true)
	}
	for v := range n {
		arcs := g.out.of(v)
		for i := 1; i < len(arcs); i++ {
			if arcs[i].To == arcs[i-1].To {
				if b.simple {
					return nil, fmt.Errorf("edge %d-%d: %w", v, arcs[i].To, ErrDuplicateEdge)
				}
				g.multi = true
			}
		}
	}
	return g, nil
}

// MustAdd is [Builder.AddEdgeLabel] for an edge that is known to be right. It panics if it is not.
func (b *Builder) MustAdd(u, v int, l Label) {
	if err := b.AddEdgeLabel(u, v, l); err != nil {
		panic("graph: " + err.Error())
	}
}

// MustBuild is [Builder.Build] for a graph that is known to be right. It panics if it is not.
func (b *Builder) MustBuild() *Graph {
	g, err := b.Build()
	if err != nil {
		panic("graph: " + err.Error())
	}
	return g
}

// Reset empties the builder, keeping its memory.
func (b *Builder) Reset() {
	b.labels = b.labels[:0]
	b.edges = b.edges[:0]
	b.marked, b.loops = false, false
}

// fill files every edge under its From end, its To end, or both, a self-loop once.
func (c *csr) fill(n int, edges []Edge, from, to bool) {
	// Two places further, so that start[v+1] is where the next arc of v goes and ends as where they end.
	start := slices.Grow(c.start[:0], n+2)[:n+2]
	clear(start)
	total := 0
	for i := range edges {
		e := &edges[i]
		if from {
			start[e.From+2]++
			total++
		}
		if to && !(from && e.From == e.To) {
			start[e.To+2]++
			total++
		}
	}
	for v := 2; v < n+2; v++ {
		start[v] += start[v-1]
	}
	arcs := slices.Grow(c.arcs[:0], total)[:total]
	for i := range edges {
		e := &edges[i]
		if from {
			arcs[start[e.From+1]] = Arc{int32(e.To), e.Label}
			start[e.From+1]++
		}
		if to && !(from && e.From == e.To) {
			arcs[start[e.To+1]] = Arc{int32(e.From), e.Label}
			start[e.To+1]++
		}
	}
	for v := range n {
		of := arcs[start[v]:start[v+1]]
		for i := 1; i < len(of); i++ { // edges mostly come in order
			if of[i].To <= of[i-1].To {
				slices.SortFunc(of, compareArcs)
				break
			}
		}
	}
	c.start, c.arcs = start[:n+1:n+1], arcs
}
