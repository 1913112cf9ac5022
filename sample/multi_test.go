package sample_test

import (
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/sample"
)

// TestMultigraphs: a sample that follows every edge has all self-loops and parallel edges, and any
// sample is a part of its graph.
func TestMultigraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(58, 2))
	s, err := ged.NewSolver(edit.SED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	for trial := range 200 {
		g := gedtest.Graph(r, graph.NewVocabulary(), gedtest.Shape{
			MinNodes: 1, MaxNodes: 5, Density: 0.6, NodeLabels: 2, EdgeLabels: 2, Directed: trial%2 == 0, Multi: 0.4,
		})
		if _, parts := g.Components(); parts == 1 {
			if all := (sample.BFS{Depth: 9, Keep: 1}).Draw(r, g, 0); !graph.Isomorphic(all, g) {
				t.Fatalf("all of %s is %s", gedtest.Text(g), gedtest.Text(all))
			}
		}
		part := (sample.BFS{Depth: 9, Keep: 0.6}).Draw(r, g, 0)
		if d, err := s.Distance(t.Context(), part, g, ged.Options{}); err != nil || d.Upper > 0 {
			t.Fatalf("%s is no part of %s: %v, %v", gedtest.Text(part), gedtest.Text(g), d, err)
		}
	}
}
