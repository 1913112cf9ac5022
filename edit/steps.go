package edit

import (
	"iter"
	"slices"

	"github.com/greedgraph/greed/graph"
)

// Steps yields the edits of [Path] in order, each with the graph after it: the
// first edit is made to q, and the last graph is isomorphic to t or, for [SED],
// to a subgraph of t. Nodes of q that are left keep their order and come before
// those inserted, which are in the order of their insertion.
//
// It panics unless m is a node map between q and t.
func Steps(p *Pricing, q, t *graph.Graph, m NodeMap) iter.Seq2[Operation, *graph.Graph] {
	return func(yield func(Operation, *graph.Graph) bool) {
		w := newWorkpiece(q, t, m)
		for _, op := range Path(p, q, t, m) {
			w.apply(op)
			if !yield(op, w.graph()) {
				return
			}
		}
	}
}

// workpiece is a graph being edited. Its nodes are named by their number in the
// query, or by the query's size plus their number in the target.
type workpiece struct {
	q, t   *graph.Graph
	inv    NodeMap
	nodes  []int
	labels map[int]graph.Label
	edges  map[[2]int]graph.Label
}

func newWorkpiece(q, t *graph.Graph, m NodeMap) *workpiece {
	w := &workpiece{
		q: q, t: t, inv: m.Inverse(t),
		labels: make(map[int]graph.Label), edges: make(map[[2]int]graph.Label),
	}
	for v := range q.N() {
		w.nodes = append(w.nodes, v)
		w.labels[v] = q.Label(v)
	}
	for e := range q.Edges() {
		w.edges[w.key(e.From, e.To)] = e.Label
	}
	return w
}

// key orders the ends of an edge if it has no direction.
func (w *workpiece) key(a, b int) [2]int {
	if !w.q.Directed() && a > b {
		a, b = b, a
	}
	return [2]int{a, b}
}

// name returns the name of the node that stands for target node x.
func (w *workpiece) name(x int) int {
	if v := w.inv[x]; v != Deleted {
		return v
	}
	return w.q.N() + x
}

func (w *workpiece) apply(op Operation) {
	switch op.Kind {
	case EdgeDeletion:
		delete(w.edges, w.key(op.Query[0], op.Query[1]))
	case NodeDeletion:
		w.nodes = slices.DeleteFunc(w.nodes, func(v int) bool { return v == op.Query[0] })
	case NodeSubstitution:
		w.labels[op.Query[0]] = w.t.Label(op.Target[0])
	case NodeInsertion:
		v := w.name(op.Target[0])
		w.nodes = append(w.nodes, v)
		w.labels[v] = w.t.Label(op.Target[0])
	case EdgeSubstitution, EdgeInsertion:
		l, _ := w.t.Edge(op.Target[0], op.Target[1])
		w.edges[w.key(w.name(op.Target[0]), w.name(op.Target[1]))] = l
	}
}

func (w *workpiece) graph() *graph.Graph {
	b := graph.NewBuilder(graph.Common(w.q.Vocabulary(), w.t.Vocabulary()), w.q.Directed())
	number := make(map[int]int)
	for _, v := range w.nodes {
		number[v] = b.AddNodeLabel(w.labels[v])
	}
	for ends, l := range w.edges {
		if err := b.AddEdgeLabel(number[ends[0]], number[ends[1]], l); err != nil {
			panic("edit: " + err.Error())
		}
	}
	g, err := b.Build()
	if err != nil {
		panic("edit: " + err.Error())
	}
	return g
}
