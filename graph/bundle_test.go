package graph_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// multigraph returns a graph with random self-loops and parallel edges.
func multigraph(r *rand.Rand, vocab *graph.Vocabulary, directed bool, n int) *graph.Graph {
	b := graph.NewBuilder(vocab, directed)
	for range n {
		b.AddNode([]string{"A", "B"}[r.IntN(2)])
	}
	for range r.IntN(3 * n) {
		b.MustAdd(r.IntN(n), r.IntN(n), vocab.Edge([]string{"x", "y", "z"}[r.IntN(3)]))
	}
	return b.MustBuild()
}

// TestMultigraphs: what is made of a graph with self-loops and parallel edges has all of them.
func TestMultigraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 58))
	for trial := range 2000 {
		vocab, directed := graph.NewVocabulary(), trial%2 == 0
		n := 1 + r.IntN(5)
		g := multigraph(r, vocab, directed, n)
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
		edges := slices.Collect(g.Edges())
		if len(edges) != g.M() {
			t.Fatalf("%d edges of %d", len(edges), g.M())
		}
		simple := true
		for i, e := range edges {
			simple = simple && e.From != e.To && (i == 0 || e.From != edges[i-1].From || e.To != edges[i-1].To)
		}
		if g.Simple() != simple {
			t.Fatalf("simple is %v of %v", g.Simple(), edges)
		}
		perm := r.Perm(n)
		p := g.Permute(perm)
		if err := p.Check(); err != nil || p.M() != g.M() || !graph.Isomorphic(g, p) || g.Hash() != p.Hash() {
			t.Fatalf("renumbered by %v, %v is %v: %v", perm, edges, slices.Collect(p.Edges()), err)
		}
		other := graph.NewVocabulary() // whose labels have another order
		other.Edge("z")
		in := graph.In(other, g)
		if err := in.Check(); err != nil || !graph.Equal(graph.In(vocab, in), g) {
			t.Fatalf("%v in another vocabulary: %v", edges, err)
		}
		if h := multigraph(r, vocab, directed, n); graph.Isomorphic(g, h) != equalByForce(g, h) {
			t.Fatalf("isomorphic is %v: %v and %v", graph.Isomorphic(g, h), edges, slices.Collect(h.Edges()))
		}
	}
}

// equalByForce tries all numberings.
func equalByForce(a, b *graph.Graph) bool {
	n := a.N()
	perm := make([]int, 0, n)
	var try func() bool
	try = func() bool {
		if len(perm) == n {
			return graph.Equal(a.Permute(perm), b)
		}
		for v := range n {
			if !slices.Contains(perm, v) {
				perm = append(perm, v)
				if try() {
					return true
				}
				perm = perm[:len(perm)-1]
			}
		}
		return false
	}
	return n == b.N() && try()
}

// TestBundles: labels of bundles say what they are made of, and are equal where that is.
func TestBundles(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 58))
	for trial := range 500 {
		vocab, n := graph.NewVocabulary(), 1+r.IntN(5)
		bundles := graph.NewBundles()
		g := multigraph(r, vocab, trial%2 == 0, n)
		s := bundles.Bundle(g)
		if !s.Simple() || bundles.Bundle(s) != s {
			t.Fatal("a bundled graph is not simple")
		}
		back := graph.NewBuilder(vocab, g.Directed())
		for v, l := range s.Labels() {
			own, _ := bundles.Node(l)
			if back.AddNodeLabel(own) != v {
				t.Fatal("nodes are out of order")
			}
		}
		for v, l := range s.Labels() {
			_, loops := bundles.Node(l)
			for _, l := range loops {
				back.MustAdd(v, v, l)
			}
		}
		for e := range s.Edges() {
			for _, l := range bundles.Edges(e.Label) {
				back.MustAdd(e.From, e.To, l)
			}
		}
		if !graph.Equal(back.MustBuild(), g) {
			t.Fatalf("%v is not what its bundles stand for", slices.Collect(g.Edges()))
		}
		if again := bundles.Bundle(g.Permute(r.Perm(n))); again.M() != s.M() || !graph.Isomorphic(again, s) {
			t.Fatal("equal bundles have different labels")
		}
	}
}
