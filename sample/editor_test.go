package sample

import (
	"slices"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"pgregory.net/rapid"
)

func TestEditKeepsGraphsSimpleAndConnected(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := newRand(rapid.Uint64().Draw(t, "seed"))
		directed := rapid.Bool().Draw(t, "directed")
		vocab := graph.NewVocabulary()
		var collection []*graph.Graph
		for range 5 {
			collection = append(collection, graphtest.Random(rng, vocab, 1+rng.IntN(8), rng.Float64(), directed))
		}
		maxNodes := rapid.IntRange(0, 9).Draw(t, "max nodes")
		m := rapid.IntRange(0, 12).Draw(t, "m")
		g := collection[0]
		h, edits := NewEditor(collection, maxNodes).Edit(rng, g, m)
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
		if edits > m {
			t.Fatalf("%d edits, at most %d were asked for", edits, m)
		}
		if edits == 0 && !graph.Isomorphic(g, h) {
			t.Fatal("changed by no edit")
		}
		if maxNodes > 0 && h.N() > max(maxNodes, g.N()) || h.N() == 0 {
			t.Fatalf("%d nodes", h.N())
		}
		edgeless := !slices.ContainsFunc(collection, func(g *graph.Graph) bool { return g.M() > 0 })
		_, before := g.Components()
		if _, after := h.Components(); after > before && !edgeless {
			t.Fatalf("%d components became %d", before, after)
		}
		if d := h.N() - g.N(); max(d, -d) > edits {
			t.Fatalf("%d nodes became %d by %d edits", g.N(), h.N(), edits)
		}
		if d := h.M() - g.M(); max(d, -d) > edits {
			t.Fatalf("%d edges became %d by %d edits", g.M(), h.M(), edits)
		}
	})
}

// TestSingleEdits carries out one edit at a time, so that counting tells which
// it was.
func TestSingleEdits(t *testing.T) {
	vocab := graph.NewVocabulary()
	rng := newRand(3)
	var collection []*graph.Graph
	for range 50 {
		collection = append(collection, graphtest.Random(rng, vocab, 1+rng.IntN(8), rng.Float64(), false))
	}
	e := NewEditor(collection, 0)
	kinds := make(map[[3]int]int)
	for range 2000 {
		g := collection[rng.IntN(len(collection))]
		h, edits := e.Edit(rng, g, 1)
		if edits != 1 {
			t.Fatalf("%d edits", edits)
		}
		relabelled := 0
		if g.N() == h.N() && g.M() == h.M() {
			for v := range g.N() {
				if g.Label(v) != h.Label(v) {
					relabelled++
				}
			}
			for e := range g.Edges() {
				if l, ok := h.Edge(e.From, e.To); !ok || l != e.Label {
					relabelled++
				}
			}
		}
		kinds[[3]int{h.N() - g.N(), h.M() - g.M(), relabelled}]++
	}
	want := [][3]int{{0, 0, 1}, {0, 1, 0}, {0, -1, 0}, {-1, 0, 0}}
	for _, k := range want {
		if kinds[k] == 0 {
			t.Errorf("no edit changed the numbers of nodes, edges and labels by %v", k)
		}
		delete(kinds, k)
	}
	if len(kinds) > 0 {
		t.Errorf("edits that are none: %v", kinds)
	}
}

func TestEditWhereNothingIsPossible(t *testing.T) {
	lone := path(1)
	if h, edits := NewEditor([]*graph.Graph{lone}, 1).Edit(newRand(1), lone, 5); edits != 0 || h.N() != 1 {
		t.Errorf("%d edits of a graph that allows none", edits)
	}
}

// TestNodesThatComeAlone: an inserted node has no edge in an empty graph, and in a collection without edges; each
// counts as one edit.
func TestNodesThatComeAlone(t *testing.T) {
	empty := path(0)
	for seed := range uint64(20) {
		one, edits := NewEditor([]*graph.Graph{path(3)}, 0).Edit(newRand(seed), graph.NewBuilder(path(3).Vocabulary(), false).MustBuild(), 1)
		if edits != 1 || one.N() != 1 || one.M() != 0 {
			t.Fatalf("%d edits made %d nodes and %d edges of an empty graph", edits, one.N(), one.M())
		}
		lone := path(1)
		h, edits := NewEditor([]*graph.Graph{lone, empty}, 5).Edit(newRand(seed), lone, 1)
		if edits != 1 || h.N() == 1 || h.M() != 0 {
			t.Fatalf("%d edits made %d nodes and %d edges of one node", edits, h.N(), h.M())
		}
	}
}

// TestNodesThatComeWithAnEdge: two edits are enough for a node and its edge.
func TestNodesThatComeWithAnEdge(t *testing.T) {
	two, seen := path(2), 0
	one := two.Induced([]int{0})
	e := NewEditor([]*graph.Graph{two}, 2)
	for seed := range uint64(50) {
		if h, edits := e.Edit(newRand(seed), one, 2); h.N() == 2 {
			seen++
			if edits != 2 || h.M() != 1 {
				t.Fatalf("%d edits, %d edges", edits, h.M())
			}
		}
	}
	if seen == 0 {
		t.Error("no node was inserted")
	}
}

func TestAlphabetFollowsTheCollection(t *testing.T) {
	a := newAlphabet(map[graph.Label]int{3: 1, 5: 2, 9: 7})
	rng := newRand(1)
	seen := make(map[graph.Label]int)
	const draws = 20000
	for range draws {
		seen[a.draw(rng)]++
	}
	for l, share := range map[graph.Label]float64{3: 0.1, 5: 0.2, 9: 0.7} {
		if got := float64(seen[l]) / draws; got < share-0.02 || got > share+0.02 {
			t.Errorf("label %d drawn with frequency %.3f, want %.1f", l, got, share)
		}
	}
}
