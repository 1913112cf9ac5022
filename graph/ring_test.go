package graph_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
)

// otherWay reports whether a way between the ends of an edge goes without it, whatever
// the directions.
func otherWay(g *graph.Graph, u, v int) bool {
	joined := func(x, y int) bool {
		_, out := g.Edge(x, y)
		_, in := g.Edge(y, x)
		return (out || in) && (x != u || y != v) && (x != v || y != u)
	}
	seen := map[int]bool{u: true}
	for queue := []int{u}; len(queue) > 0; queue = queue[1:] {
		for w := range g.N() {
			if !seen[w] && joined(queue[0], w) {
				seen[w] = true
				queue = append(queue, w)
			}
		}
	}
	return seen[v]
}

func TestMarkRings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vocab := graph.NewVocabulary()
		shape := graphtest.Shape{MaxNodes: 9, NodeLabels: 1, EdgeLabels: 2, Directed: rapid.Bool().Draw(t, "directed")}
		g := graphtest.Graph(vocab, shape).Draw(t, "graph")
		h := g.MarkRings()
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
		if h.MarkRings() != h || g.MarkRings() == g {
			t.Fatal("a marked graph was marked again")
		}
		for e := range g.Edges() {
			got, _ := h.Edge(e.From, e.To)
			want := e.Label
			if otherWay(g, e.From, e.To) && want != graph.Wildcard {
				want |= graph.InRing
			}
			if got != want {
				t.Fatalf("edge %d-%d is labelled %#x, want %#x", e.From, e.To, got, want)
			}
		}
		perm := graphtest.Permutation(g.N()).Draw(t, "permutation")
		if !graph.Isomorphic(h.Permute(perm), g.Permute(perm).MarkRings()) {
			t.Fatal("marks depend on the numbering")
		}
		nodes := perm[:rapid.IntRange(0, len(perm)).Draw(t, "nodes")]
		part := h.Induced(nodes)
		if err := part.Check(); err != nil || part.MarkRings() != part {
			t.Fatalf("a part of a marked graph: %v", err)
		}
		for e := range part.Edges() {
			if whole, _ := h.Edge(nodes[e.From], nodes[e.To]); whole != e.Label {
				t.Fatalf("edge %d-%d of the part is labelled %#x, want %#x", e.From, e.To, e.Label, whole)
			}
		}
		for e := range graph.In(graph.NewVocabulary(), h).Edges() {
			l, _ := h.Edge(e.From, e.To)
			if e.Label&graph.InRing != l&graph.InRing {
				t.Fatal("another vocabulary lost a mark")
			}
		}
	})
}

// TestMarkRingsDeep: a path of a million edges needs no stack.
func TestMarkRingsDeep(t *testing.T) {
	const n = 1_000_000
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	for range n {
		b.AddNode("0")
	}
	for v := range n - 1 {
		if err := b.AddEdge(v, v+1, "0"); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.AddEdge(n-3, n-1, "0"); err != nil {
		t.Fatal(err)
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	marked := 0
	for e := range g.MarkRings().Edges() {
		if e.Label&graph.InRing != 0 {
			marked++
		}
	}
	if marked != 3 {
		t.Errorf("%d edges in the only triangle", marked)
	}
}
