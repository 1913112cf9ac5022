package ged

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// TestReverses checks that the half-edges of the relaxation know their reverses, also
// where fixed pairs have moved the other nodes.
func TestReverses(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 37))
	shape := gedtest.Shape{MinNodes: 6, MaxNodes: 9, Density: 0.6, NodeLabels: 2, EdgeLabels: 2}
	for trial := range 100 {
		shape.Directed = trial%2 == 1
		vocab := graph.NewVocabulary()
		q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
		s, err := NewSolver(edit.GED, edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		s.SetPatience(0)
		if _, err := s.Distance(context.Background(), q, g, Options{Fixed: [][2]int{{1, 0}, {0, 3}}}); err != nil {
			t.Fatal(err)
		}
		for _, side := range []*arcs{&s.search.strong.x.row, &s.search.strong.x.col} {
			for i, e := range side.list {
				if back := side.list[e.rev]; back.from != e.to || back.to != e.from || int(back.rev) != i {
					t.Fatalf("trial %d: the reverse of %+v is %+v", trial, e, back)
				}
			}
		}
	}
}
