package ged_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// TestSearchesAgree compares the plain search with the strong one on graphs
// beyond the reach of brute force: sparse and dense, with many twins or none.
func TestSearchesAgree(t *testing.T) {
	shapes := []gedtest.Shape{
		{MinNodes: 5, MaxNodes: 9, Density: 0.25, NodeLabels: 3, EdgeLabels: 2},
		{MinNodes: 5, MaxNodes: 8, Density: 0.7, NodeLabels: 1, EdgeLabels: 1},
		{MinNodes: 3, MaxNodes: 11, Density: 0.15, NodeLabels: 2, EdgeLabels: 1},
		{MinNodes: 4, MaxNodes: 7, Density: 0.3, NodeLabels: 2, EdgeLabels: 2, Directed: true},
		{MinNodes: 4, MaxNodes: 8, Density: 0.3, NodeLabels: 2, EdgeLabels: 2, Wildcards: 0.2},
	}
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		for name, costs := range gedtest.Costs() {
			t.Run(fmt.Sprintf("%v/%s", task, name), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(13, 13))
				for i := range sweep.Trials(60) * len(shapes) {
					shape := shapes[i%len(shapes)]
					vocab := graph.NewVocabulary()
					q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
					c := costs(r)
					var got [2]float64
					for k, patience := range []int64{math.MaxInt32, 0} {
						s, err := ged.NewSolver(task, c)
						if err != nil {
							t.Fatal(err)
						}
						s.SetPatience(patience)
						res, err := s.Distance(context.Background(), q, g, ged.Options{States: 20000})
						if err != nil {
							t.Fatal(err)
						}
						if !res.Exact {
							t.Skipf("pair %d is too hard: [%v, %v]", i, res.Lower, res.Upper)
						}
						got[k] = res.Upper
					}
					if math.Abs(got[0]-got[1]) > gedtest.Tolerance {
						t.Fatalf("pair %d: plain %v, strong %v\nquery %s\ntarget %s", i, got[0], got[1], gedtest.Text(q), gedtest.Text(g))
					}
				}
			})
		}
	}
}
