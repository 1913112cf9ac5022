package sample

import "github.com/greedgraph/greed/graph"

// trace collects the nodes and edges of a subgraph in the order in which a
// sampler meets them.
type trace struct {
	g      *graph.Graph
	nodes  []int
	number map[int]int     // of a node of g in the subgraph
	edges  map[[2]int]bool // by ends in g, as the edge is stored there
	order  [][2]int
}

func newTrace(g *graph.Graph, start int) *trace {
	t := &trace{g: g, number: make(map[int]int), edges: make(map[[2]int]bool)}
	t.node(start)
	return t
}

// node adds node v and reports whether it is new.
func (t *trace) node(v int) bool {
	if _, ok := t.number[v]; ok {
		return false
	}
	t.number[v] = len(t.nodes)
	t.nodes = append(t.nodes, v)
	return true
}

// step is an edge as seen from the node where a sampler stands. Edge names its
// ends as the graph stores them, smaller first if it is undirected.
type step struct {
	to   int
	edge [2]int
}

// cross adds the edge of s and the node that it leads to, and reports whether
// the node is new.
func (t *trace) cross(s step) bool {
	if !t.edges[s.edge] {
		t.edges[s.edge] = true
		t.order = append(t.order, s.edge)
	}
	return t.node(s.to)
}

// graph returns the subgraph, which has the nodes in the order of the trace
// and the edges crossed, no others.
func (t *trace) graph() *graph.Graph {
	b := graph.NewBuilder(t.g.Vocabulary(), t.g.Directed())
	for _, v := range t.nodes {
		b.AddNodeLabel(t.g.Label(v))
	}
	for _, e := range t.order {
		label, _ := t.g.Edge(e[0], e[1])
		mustAdd(b, t.number[e[0]], t.number[e[1]], label)
	}
	return mustBuild(b)
}

// stepAt returns step i of those that lead away from v: first along the edges
// that leave v, then back along those that enter it.
func stepAt(g *graph.Graph, v, i int) step {
	out := g.Out(v)
	if i < len(out) {
		w := int(out[i].To)
		if !g.Directed() && w < v {
			return step{w, [2]int{w, v}}
		}
		return step{w, [2]int{v, w}}
	}
	w := int(g.In(v)[i-len(out)].To)
	return step{w, [2]int{w, v}}
}

func mustAdd(b *graph.Builder, u, v int, l graph.Label) {
	if err := b.AddEdgeLabel(u, v, l); err != nil {
		panic("sample: " + err.Error())
	}
}

func mustBuild(b *graph.Builder) *graph.Graph {
	g, err := b.Build()
	if err != nil {
		panic("sample: " + err.Error())
	}
	return g
}
