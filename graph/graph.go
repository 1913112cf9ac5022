// Package graph defines labelled graphs, directed or undirected, and everything about them
// that needs no edit distance: structure, renumbering, subgraphs, neighbourhoods, hashes
// and isomorphism.
package graph

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"sort"
)

// MaxNodes bounds the number of nodes of one graph.
const MaxNodes = 1 << 30

// Graph is a graph G = (V, E, L) with labelled nodes and edges. It may have self-loops and
// parallel edges; a graph that has neither is simple. Nodes are numbered from 0. Whether
// edges have a direction is a property of the whole graph.
//
// A Graph never changes once built, so it may be used concurrently. It is made
// with a [Builder].
type Graph struct {
	vocab    *Vocabulary
	directed bool
	labels   []Label // [n]
	out      csr     // undirected: every edge from both ends
	in       csr     // directed only
	edges    int
	marked   bool // labels of edges may have InRing
	multi    bool // there are self-loops or parallel edges
}

// Form is what a graph is made of: a [Graph], or a [Builder] that has not built it, which takes less time.
type Form interface {
	Vocabulary() *Vocabulary
	Directed() bool
	N() int
	LabelText(v int) string
	M() int
	Edges() iter.Seq[Edge]
}

// csr lists the arcs of node v as arcs[start[v]:start[v+1]], by increasing To, then Label. A
// self-loop is listed once.
type csr struct {
	start []int32
	arcs  []Arc
}

func (c csr) of(v int) []Arc { return c.arcs[c.start[v]:c.start[v+1]:c.start[v+1]] }

// Arc is one end of an edge as seen from the other end.
type Arc struct {
	To    int32
	Label Label
}

// Edge is an edge From → To; of an undirected graph, From ≤ To.
type Edge struct {
	From, To int
	Label    Label
}

// Vocabulary returns the vocabulary that the graph's labels belong to.
func (g *Graph) Vocabulary() *Vocabulary { return g.vocab }

// Directed reports whether the edges have a direction.
func (g *Graph) Directed() bool { return g.directed }

// N returns the number of nodes.
func (g *Graph) N() int { return len(g.labels) }

// Simple reports whether there are neither self-loops nor parallel edges. Two edges of
// opposite directions are not parallel.
func (g *Graph) Simple() bool { return !g.multi }

// M returns the number of edges, an undirected edge and each of parallel edges counted once.
func (g *Graph) M() int { return g.edges }

// Label returns the label of node v.
func (g *Graph) Label(v int) Label { return g.labels[v] }

// Labels returns the labels of all nodes, [n]. The slice belongs to the graph
// and must not be changed.
func (g *Graph) Labels() []Label { return g.labels }

// LabelText returns the text of the label of node v.
func (g *Graph) LabelText(v int) string { return g.vocab.NodeText(g.labels[v]) }

// Out returns the edges that leave v, by increasing To, then Label; in an undirected graph
// all edges at v, a self-loop once. The slice belongs to the graph and must not be changed.
func (g *Graph) Out(v int) []Arc { return g.out.of(v) }

// In returns the edges that enter v, by increasing To, then Label; To here names the
// node that the edge comes from; in an undirected graph the same as
// [Graph.Out]. The slice belongs to the graph and must not be changed.
func (g *Graph) In(v int) []Arc {
	if g.directed {
		return g.in.of(v)
	}
	return g.out.of(v)
}

// Degree returns the number of edges at v, in either direction. A self-loop of a directed
// graph counts twice.
func (g *Graph) Degree(v int) int {
	if g.directed {
		return len(g.out.of(v)) + len(g.in.of(v))
	}
	return len(g.out.of(v))
}

// Edge returns the label of the edge u → v (of an undirected graph: between u
// and v) and whether there is one. Of parallel edges it is the least label; see [Graph.Between].
func (g *Graph) Edge(u, v int) (Label, bool) {
	arcs := g.out.of(u)
	i := sort.Search(len(arcs), func(i int) bool { return int(arcs[i].To) >= v })
	if i < len(arcs) && int(arcs[i].To) == v {
		return arcs[i].Label, true
	}
	return 0, false
}

// Between returns the edges u → v (of an undirected graph: between u and v), by increasing
// Label. The slice belongs to the graph and must not be changed.
func (g *Graph) Between(u, v int) []Arc {
	arcs := g.out.of(u)
	i := sort.Search(len(arcs), func(i int) bool { return int(arcs[i].To) >= v })
	j := i
	for j < len(arcs) && int(arcs[j].To) == v {
		j++
	}
	return arcs[i:j]
}

// Edges yields every edge once, by increasing From, then To, then Label.
func (g *Graph) Edges() iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for u := range g.labels {
			for _, a := range g.out.of(u) {
				if !g.directed && int(a.To) < u {
					continue
				}
				if !yield(Edge{u, int(a.To), a.Label}) {
					return
				}
			}
		}
	}
}

// Check verifies everything that a Graph promises and returns the first
// violation. Graphs made by a [Builder] pass.
func (g *Graph) Check() error {
	n := g.N()
	for v, l := range g.labels {
		if !g.vocab.nodes.has(l) {
			return fmt.Errorf("graph: node %d has unknown label %d", v, l)
		}
	}
	loops := 0
	sides := []csr{g.out}
	if g.directed {
		sides = append(sides, g.in)
	}
	for _, c := range sides {
		if len(c.start) != n+1 || c.start[0] != 0 || int(c.start[n]) != len(c.arcs) {
			return fmt.Errorf("graph: adjacency offsets do not cover %d nodes", n)
		}
		for v := range n {
			prev := Arc{To: -1}
			for _, a := range c.of(v) {
				switch {
				case int(a.To) >= n || a.To < 0:
					return fmt.Errorf("graph: node %d is joined to %d, outside 0..%d", v, a.To, n-1)
				case !g.multi && int(a.To) == v:
					return fmt.Errorf("graph: self-loop at node %d of a simple graph", v)
				case a.To < prev.To, a.To == prev.To && (!g.multi || a.Label < prev.Label):
					return fmt.Errorf("graph: edges at node %d are not in strict order", v)
				case !g.vocab.edges.has(a.Label &^ InRing), !g.marked && a.Label&InRing != 0:
					return fmt.Errorf("graph: edge %d-%d has unknown label %d", v, a.To, a.Label)
				}
				prev = a
				if int(a.To) == v && !g.directed {
					loops++
				}
			}
		}
	}
	want := g.edges
	if !g.directed {
		want += want - loops
	}
	if len(g.out.arcs) != want {
		return fmt.Errorf("graph: %d arcs for %d edges", len(g.out.arcs), g.edges)
	}
	for v := range n {
		out := g.Out(v)
		for i, a := range out {
			if i > 0 && a == out[i-1] {
				continue
			}
			if occurrences(out, a) != occurrences(g.In(int(a.To)), Arc{int32(v), a.Label}) {
				return fmt.Errorf("graph: edge %d-%d is not the same from both ends", v, a.To)
			}
		}
	}
	return nil
}

// occurrences returns how often arcs, in their order, have a.
func occurrences(arcs []Arc, a Arc) int {
	i, _ := slices.BinarySearchFunc(arcs, a, compareArcs)
	n := i
	for n < len(arcs) && arcs[n] == a {
		n++
	}
	return n - i
}

// compareArcs orders arcs by To, then Label.
func compareArcs(a, b Arc) int {
	if a.To != b.To {
		return int(a.To) - int(b.To)
	}
	return cmp.Compare(a.Label, b.Label)
}
