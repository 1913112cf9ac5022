package nn_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/nn"
)

// TestBatchIgnoresNumbering: renumbered graphs of nodes that colour refinement
// tells apart give the same batch but for the numbers themselves, and every batch lists each arc once.
func TestBatchIgnoresNumbering(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	same := 0
	for range 300 {
		vocab := graph.NewVocabulary()
		g := graphtest.Random(rng, vocab, 1+rng.IntN(12), 0.3, rng.IntN(2) == 0)
		h := g.Permute(rng.Perm(g.N()))
		var a, b nn.Batch
		a.Reset()
		b.Reset()
		a.Add(g, rowsOf(vocab))
		b.Add(h, rowsOf(vocab))
		arcs := g.M() * 2
		if len(a.From) != arcs || len(a.Edge) != arcs || len(a.Back) != arcs || int(a.Start[g.N()]) != arcs {
			t.Fatalf("%d edges gave %d arcs", g.M(), len(a.From))
		}
		if discrete(g) {
			same++
			if diff := cmp.Diff(a, b, cmpopts.IgnoreUnexported(nn.Batch{}), cmpopts.IgnoreFields(nn.Batch{}, "Origin")); diff != "" {
				t.Fatal(diff)
			}
		}
	}
	if same < 50 {
		t.Fatalf("only %d graphs with nodes all apart", same)
	}
}

// discrete reports whether colour refinement tells all nodes apart.
func discrete(g *graph.Graph) bool {
	seen := make(map[uint64]bool)
	for _, c := range g.Colours() {
		seen[c] = true
	}
	return len(seen) == g.N()
}
