package ged_test

import (
	"context"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// TestImproved: maps that are told cost what is said, each less than the one before, and
// the last is that of the result.
func TestImproved(t *testing.T) {
	vocab := graph.NewVocabulary()
	ring := func(n, step int) *graph.Graph {
		b := graph.NewBuilder(vocab, false)
		for v := range n {
			b.AddNode(string(rune('a' + v*step%5)))
		}
		for v := range n {
			b.AddEdge(v, (v+1)%n, "1")
			if v%step == 0 && v+n/2 < n {
				b.AddEdge(v, v+n/2, "2")
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	q, u := ring(30, 3), ring(33, 4)
	for name, fixed := range map[string][][2]int{"free": nil, "fixed": {{2, 5}, {3, edit.Deleted}}} {
		s, err := ged.NewSolver(edit.GED, edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		told, last := 0, 0.0
		r, err := s.Distance(context.Background(), q, u, ged.Options{
			States: 300, Fixed: fixed,
			Improved: func(upper float64, m edit.NodeMap) {
				p, err := edit.Price(edit.GED, edit.Uniform(), q, u)
				if err != nil {
					t.Fatal(err)
				}
				if cost := edit.InducedCost(p, q, u, m); cost != upper || told > 0 && upper >= last {
					t.Errorf("%s: told %v after %v of a map that costs %v", name, upper, last, cost)
				}
				told, last = told+1, upper
			},
		})
		if err != nil || told < 2 || r.Upper != last {
			t.Errorf("%s: %d maps, the last costs %v, the result %v, error %v", name, told, last, r.Upper, err)
		}
	}
}
