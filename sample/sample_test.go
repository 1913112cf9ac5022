package sample

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"pgregory.net/rapid"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// path returns a path of n nodes.
func path(n int) *graph.Graph {
	vocab := graph.NewVocabulary()
	b := graph.NewBuilder(vocab, false)
	for v := range n {
		b.AddNode("A")
		if v > 0 {
			b.MustAdd(v-1, v, vocab.Edge("a"))
		}
	}
	return b.MustBuild()
}

func samplers() map[string]Sampler {
	return map[string]Sampler{
		"bfs":     BFS{Depth: 3, Keep: 0.5},
		"bfs all": BFS{Depth: 100, Keep: 1},
	}
}

func TestDrawsAreConnectedSubgraphs(t *testing.T) {
	for name, s := range samplers() {
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
		b.MustAdd(e.From, e.To, e.Label)
	}
	return b.MustBuild()
}

func TestBFSTakesTheComponentWhenItKeepsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := newRand(rapid.Uint64().Draw(t, "seed"))
		g := graphtest.Random(rng, graph.NewVocabulary(), 1+rng.IntN(10), rng.Float64(), rapid.Bool().Draw(t, "directed"))
		q := BFS{Depth: g.N(), Keep: 1}.Draw(rng, g, 0)
		of, _ := g.Components()
		var nodes []int
		for v := range of {
			if of[v] == of[0] {
				nodes = append(nodes, v)
			}
		}
		if !graph.Isomorphic(q, g.Induced(nodes)) {
			t.Fatal("not the component of the start")
		}
	})
}

func TestBFSDepth(t *testing.T) {
	if q := (BFS{Depth: 2, Keep: 1}).Draw(newRand(1), path(9), 4); q.N() != 5 {
		t.Errorf("%d nodes within 2 steps of the middle of a path, want 5", q.N())
	}
	if q := (BFS{Depth: 2, Keep: 0}).Draw(newRand(1), path(9), 4); q.N() != 1 {
		t.Errorf("%d nodes with nothing kept, want 1", q.N())
	}
}

func TestQueriesAreWithinLimits(t *testing.T) {
	rng := newRand(7)
	vocab := graph.NewVocabulary()
	var graphs []*graph.Graph
	for range 30 {
		graphs = append(graphs, graphtest.Random(rng, vocab, 1+rng.IntN(40), rng.Float64(), false))
	}
	limits := PaperLimits()
	queries, err := Queries(newRand(1), Whole(graphs), BFS{Depth: 3, Keep: 0.3}, limits, 200)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Queries(newRand(1), Whole(graphs), BFS{Depth: 3, Keep: 0.3}, limits, 200)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range queries {
		if !limits.Admit(q.Graph) {
			t.Errorf("query of %d nodes and %d edges", q.Graph.N(), q.Graph.M())
		}
		if q.Target != again[i].Target || q.Graph.Hash() != again[i].Graph.Hash() {
			t.Fatalf("query %d differs from run to run", i)
		}
	}
}

func TestQueriesGiveUp(t *testing.T) {
	for name, source := range map[string]Source{
		"no targets": Whole(nil), "too small": Whole{path(4)}, "empty": Whole{path(0)},
	} {
		if _, err := Queries(newRand(1), source, BFS{3, 1}, PaperLimits(), 1); !errors.Is(err, ErrNoQuery) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
