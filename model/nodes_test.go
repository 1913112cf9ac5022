package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/norm"
)

// TestNodesFollowTheirNumbers: renumbering a graph moves the rows with the nodes and does
// not change them, and the sum of the rows is what is pooled.
func TestNodesFollowTheirNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	vocab := graph.NewVocabulary()
	b := graph.NewBuilder(vocab, false)
	for v := range 9 {
		b.AddNode(string(rune('A' + v%3)))
		if v > 0 {
			if err := b.AddEdge(rng.IntN(v), v, "-"); err != nil {
				t.Fatal(err)
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	m := New(Metadata{
		Task: edit.GED, Costs: edit.Uniform(), Vocabulary: vocab,
		Config: Config{Conv: GIN, Layers: 3, Hidden: 16, Norm: norm.Single(norm.L1, 16, false)},
	}, rng)
	rows, width, err := m.EmbedNodes(g)
	if err != nil {
		t.Fatal(err)
	}
	if width != 4*16 {
		t.Fatalf("width %d", width)
	}
	to := rng.Perm(g.N())
	renumbered := g.Permute(to)
	moved, _, err := m.EmbedNodes(renumbered)
	if err != nil {
		t.Fatal(err)
	}
	for v, w := range to {
		for c := range width {
			if x, y := rows[v*width+c], moved[w*width+c]; math.Abs(float64(x-y)) > 1e-5 {
				t.Fatalf("node %d, now %d, column %d: %v and %v", v, w, c, x, y)
			}
		}
	}
}
