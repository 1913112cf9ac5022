package graph_test

import (
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// TestScratch builds graphs of all kinds one after another in the same memory, in any order of edges: each is what a
// builder of its own makes.
func TestScratch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	vocab := graph.NewVocabulary()
	var scratch graph.Scratch
	for trial := range 500 {
		directed := rng.IntN(2) == 0
		own, in := graph.NewBuilder(vocab, directed), scratch.Builder(vocab, directed)
		n := rng.IntN(20)
		for range n {
			l := vocab.Node(string(rune('a' + rng.IntN(3))))
			own.AddNodeLabel(l)
			in.AddNodeLabel(l)
		}
		for range rng.IntN(n*n/3 + 1) {
			u, v, l := rng.IntN(n), rng.IntN(n), vocab.Edge(string(rune('x'+rng.IntN(2))))
			own.MustAdd(u, v, l)
			in.MustAdd(u, v, l)
		}
		want := own.MustBuild()
		got, err := scratch.Build()
		if err != nil {
			t.Fatal(err)
		}
		if err := got.Check(); err != nil || !graph.Equal(got, want) || got.Simple() != want.Simple() || got.M() != want.M() {
			t.Fatalf("trial %d: %v, of %d nodes and %d edges", trial, err, got.N(), got.M())
		}
		for v := range n {
			if got.Degree(v) != want.Degree(v) {
				t.Fatalf("trial %d: node %d has degree %d, want %d", trial, v, got.Degree(v), want.Degree(v))
			}
		}
	}
	scratch.Builder(vocab, false).AddNode("left")
	if b := scratch.Builder(vocab, true); b.N() != 0 || !b.Directed() {
		t.Error("a builder has what was added before")
	}
}
