package sampler

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/sample"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func join(b *graph.Builder, u, v int, l graph.Label) {
	if err := b.AddEdgeLabel(u, v, l); err != nil {
		panic(err)
	}
}

// path returns a path of n nodes.
func path(n int) *graph.Graph {
	vocab := graph.NewVocabulary()
	b := graph.NewBuilder(vocab, false)
	for v := range n {
		b.AddNode("A")
		if v > 0 {
			join(b, v-1, v, vocab.Edge("a"))
		}
	}
	return graphtest.Must(b.Build())
}

func TestDrawsAreConnectedSubgraphs(t *testing.T) {
	for name, s := range map[string]sample.Sampler{
		"walk":     Walk{Diameter: 4},
		"restarts": Restarts{Length: 4, Walks: 3},
		"shadow":   Shadow{Depth: 2, Neighbours: 3},
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				rng := newRand(rapid.Uint64().Draw(t, "seed"))
				vocab := graph.NewVocabulary()
				g := distinct(graphtest.Random(rng, vocab, 1+rng.IntN(12), rng.Float64(), rapid.Bool().Draw(t, "directed")))
				start := rng.IntN(g.N())
				q := s.Draw(rng, g, start)
				if err := q.Check(); err != nil {
					t.Fatal(err)
				}
				if _, components := q.Components(); components != 1 {
					t.Fatalf("%d components", components)
				}
				if q.Label(0) != g.Label(start) {
					t.Fatal("the start is not node 0")
				}
				at := make(map[graph.Label]int)
				for v, l := range g.Labels() {
					at[l] = v
				}
				for e := range q.Edges() {
					l, ok := g.Edge(at[q.Label(e.From)], at[q.Label(e.To)])
					if !ok || l != e.Label {
						t.Fatalf("edge %v is not in the graph", e)
					}
				}
			})
		})
	}
}

// distinct returns g with every node labelled differently, so that a subgraph
// tells where it comes from.
func distinct(g *graph.Graph) *graph.Graph {
	b := graph.NewBuilder(g.Vocabulary(), g.Directed())
	for v := range g.N() {
		b.AddNode(string(rune('0' + v)))
	}
	for e := range g.Edges() {
		join(b, e.From, e.To, e.Label)
	}
	return graphtest.Must(b.Build())
}

func TestWalkEndsAtItsDiameter(t *testing.T) {
	for seed := range uint64(20) {
		if q := (Walk{Diameter: 4}).Draw(newRand(seed), path(50), 25); Diameter(q) != 4 {
			t.Errorf("diameter %d, want 4", Diameter(q))
		}
	}
	if q := (Walk{Diameter: 4}).Draw(newRand(1), path(3), 0); q.N() != 3 {
		t.Errorf("%d nodes of a graph of 3", q.N())
	}
}

func TestShadowIsInduced(t *testing.T) {
	vocab := graph.NewVocabulary()
	b := graph.NewBuilder(vocab, false)
	for v := range 6 {
		b.AddNode("A")
		for u := range v {
			join(b, u, v, vocab.Edge("a"))
		}
	}
	g := graphtest.Must(b.Build())
	if q := (Shadow{Depth: 1, Neighbours: 3}).Draw(newRand(1), g, 2); q.N() != 4 || q.M() != 6 {
		t.Errorf("%d nodes and %d edges of a clique, want 4 and 6", q.N(), q.M())
	}
}

func TestDiameter(t *testing.T) {
	for n := 1; n < 8; n++ {
		if d := Diameter(path(n)); d != n-1 {
			t.Errorf("diameter %d of a path of %d nodes", d, n)
		}
	}
}

func TestNeighbourhoods(t *testing.T) {
	s := AllNeighbourhoods(path(10), 2, 4)
	if len(s.Centres) != 4 { // the two nodes at either end see at most 4
		t.Fatalf("centres %v", s.Centres)
	}
	s = AllNeighbourhoods(path(10), 2, 0)
	if g := s.Target(5); s.Len() != 10 || g.N() != 5 || g.M() != 4 || g.Degree(s.Start(nil, 5, g)) != 2 {
		t.Fatalf("%d neighbourhoods, one of %d nodes and %d edges", s.Len(), g.N(), g.M())
	}
}
