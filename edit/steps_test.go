package edit_test

import (
	"iter"
	"slices"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"pgregory.net/rapid"
)

// TestStepsEndAtTheTarget: one valid graph after each edit of the path, each
// unlike the one before, the last one isomorphic to the target or, for SED, as
// large as the part of it that the map keeps.
func TestStepsEndAtTheTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, g := drawPair(t, 5)
		if rapid.Bool().Draw(t, "multi") {
			q, g = drawMulti(t, q), drawMulti(t, g)
		}
		m := drawMap(t, q, g)
		p := drawPricing(t, q, g)
		path := edit.Path(p, q, g, m)
		total := 0.0
		for _, op := range path {
			total += op.Cost
		}
		if cost := edit.InducedCost(p, q, g, m); total != cost {
			t.Fatalf("the path costs %v, the map %v", total, cost)
		}
		last, at := q, 0
		for op, after := range steps(p, q, g, m) {
			if op.String() != path[at].String() {
				t.Fatalf("step %d is %s, the path says %s", at, op, path[at])
			}
			if err := after.Check(); err != nil {
				t.Fatalf("after %s: %v", op, err)
			}
			nodes, edges := after.N()-last.N(), after.M()-last.M()
			want := map[edit.Kind][2]int{
				edit.EdgeDeletion: {0, -1}, edit.NodeDeletion: {-1, 0}, edit.NodeInsertion: {1, 0}, edit.EdgeInsertion: {0, 1},
			}[op.Kind]
			if want != [2]int{nodes, edges} {
				t.Fatalf("%s changed the numbers of nodes and edges by %d and %d", op, nodes, edges)
			}
			last = after
			at++
		}
		if at != len(path) {
			t.Fatalf("%d steps for a path of %d", at, len(path))
		}
		if p.Task() == edit.GED && !graph.Isomorphic(last, g) {
			t.Fatal("the last graph is not the target")
		}
	})
}

// drawMulti returns g with some of its edges repeated, with other labels or the same, and
// with self-loops.
func drawMulti(t *rapid.T, g *graph.Graph) *graph.Graph {
	b := graph.NewBuilder(g.Vocabulary(), g.Directed())
	repeat := func(u, v int) {
		for range rapid.IntRange(0, 2).Draw(t, "more") {
			b.MustAdd(u, v, g.Vocabulary().Edge(rapid.SampledFrom([]string{"1", "2"}).Draw(t, "label")))
		}
	}
	for v, l := range g.Labels() {
		b.AddNodeLabel(l)
		repeat(v, v)
	}
	for e := range g.Edges() {
		b.MustAdd(e.From, e.To, e.Label)
		repeat(e.From, e.To)
	}
	return b.MustBuild()
}

// steps yields the edits of [edit.Path] in order, each with the graph after it: the
// first edit is made to q, and the last graph is isomorphic to t or, for [edit.SED],
// to a subgraph of t. Nodes of q that are left keep their order and come before
// those inserted, which are in the order of their insertion.
//
// It panics unless m is a node map between q and t.
func steps(p *edit.Pricing, q, t *graph.Graph, m edit.NodeMap) iter.Seq2[edit.Operation, *graph.Graph] {
	return func(yield func(edit.Operation, *graph.Graph) bool) {
		w := newWorkpiece(q, t, m)
		for _, op := range edit.Path(p, q, t, m) {
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
	inv    edit.NodeMap
	nodes  []int
	labels map[int]graph.Label
	edges  map[[2]int][]string // the labels of those between two nodes
}

func newWorkpiece(q, t *graph.Graph, m edit.NodeMap) *workpiece {
	w := &workpiece{
		q: q, t: t, inv: m.Inverse(t),
		labels: make(map[int]graph.Label), edges: make(map[[2]int][]string),
	}
	for v := range q.N() {
		w.nodes = append(w.nodes, v)
		w.labels[v] = q.Label(v)
	}
	for e := range q.Edges() {
		k := w.key(e.From, e.To)
		w.edges[k] = append(w.edges[k], q.Vocabulary().EdgeText(e.Label))
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
	if v := w.inv[x]; v != edit.Deleted {
		return v
	}
	return w.q.N() + x
}

func (w *workpiece) apply(op edit.Operation) {
	switch op.Kind {
	case edit.EdgeDeletion:
		w.remove(op)
	case edit.NodeDeletion:
		w.nodes = slices.DeleteFunc(w.nodes, func(v int) bool { return v == op.Query[0] })
	case edit.NodeSubstitution:
		w.labels[op.Query[0]] = w.t.Label(op.Target[0])
	case edit.NodeInsertion:
		v := w.name(op.Target[0])
		w.nodes = append(w.nodes, v)
		w.labels[v] = w.t.Label(op.Target[0])
	case edit.EdgeSubstitution, edit.EdgeInsertion:
		if op.Kind == edit.EdgeSubstitution {
			w.remove(op)
		}
		k := w.key(w.name(op.Target[0]), w.name(op.Target[1]))
		w.edges[k] = append(w.edges[k], op.To)
	}
}

// remove takes out the edge of the query that op names.
func (w *workpiece) remove(op edit.Operation) {
	k := w.key(op.Query[0], op.Query[1])
	i := slices.Index(w.edges[k], op.From)
	if i < 0 {
		panic("edit: " + op.String() + ": there is no such edge")
	}
	w.edges[k] = slices.Delete(w.edges[k], i, i+1)
}

func (w *workpiece) graph() *graph.Graph {
	b := graph.NewBuilder(graph.Common(w.q.Vocabulary(), w.t.Vocabulary()), w.q.Directed())
	number := make(map[int]int)
	for _, v := range w.nodes {
		number[v] = b.AddNodeLabel(w.labels[v])
	}
	for ends, labels := range w.edges {
		for _, text := range labels {
			if err := b.AddEdge(number[ends[0]], number[ends[1]], text); err != nil {
				panic("edit: " + err.Error())
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		panic("edit: " + err.Error())
	}
	return g
}
