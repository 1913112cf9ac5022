package sample

import "github.com/greedgraph/greed/graph"

// Trace collects the nodes and edges of a subgraph in the order in which a
// sampler meets them.
type Trace struct {
	g      *graph.Graph
	Nodes  []int           // in the order in which they were met
	number map[int]int     // of a node of g in the subgraph
	edges  map[[3]int]bool // by ends in g, as the edge is stored there, and number among those between them
	order  [][3]int
}

// NewTrace begins a subgraph at a node.
func NewTrace(g *graph.Graph, start int) *Trace {
	t := &Trace{g: g, number: make(map[int]int), edges: make(map[[3]int]bool)}
	t.Visit(start)
	return t
}

// Visit adds node v and reports whether it is new.
func (t *Trace) Visit(v int) bool {
	if _, ok := t.number[v]; ok {
		return false
	}
	t.number[v] = len(t.Nodes)
	t.Nodes = append(t.Nodes, v)
	return true
}

// Step is an edge as seen from the node where a sampler stands. edge names its
// ends as the graph stores them, smaller first if it is undirected, and which of parallel
// edges it is.
type Step struct {
	To   int
	edge [3]int
}

// Cross adds the edge of s and the node that it leads to, and reports whether
// the edge is new.
func (t *Trace) Cross(s Step) bool {
	t.Visit(s.To)
	if t.edges[s.edge] {
		return false
	}
	t.edges[s.edge] = true
	t.order = append(t.order, s.edge)
	return true
}

// Graph returns the subgraph, which has the nodes in the order of the trace
// and the edges crossed, no others.
func (t *Trace) Graph() *graph.Graph {
	b := graph.NewBuilder(t.g.Vocabulary(), t.g.Directed())
	for _, v := range t.Nodes {
		b.AddNodeLabel(t.g.Label(v))
	}
	for _, e := range t.order {
		b.MustAdd(t.number[e[0]], t.number[e[1]], t.g.Between(e[0], e[1])[e[2]].Label)
	}
	return b.MustBuild()
}

// StepAt returns step i of those that lead away from v: first along the edges
// that leave v, then back along those that enter it.
func StepAt(g *graph.Graph, v, i int) Step {
	out := g.Out(v)
	if i < len(out) {
		w := int(out[i].To)
		if !g.Directed() && w < v {
			return Step{w, [3]int{w, v, parallel(out, i)}}
		}
		return Step{w, [3]int{v, w, parallel(out, i)}}
	}
	in := g.In(v)
	i -= len(out)
	w := int(in[i].To)
	return Step{w, [3]int{w, v, parallel(in, i)}}
}

// parallel returns the number of arc i among those that lead to the same node.
func parallel(arcs []graph.Arc, i int) int {
	n := 0
	for n < i && arcs[i-n-1].To == arcs[i].To {
		n++
	}
	return n
}
