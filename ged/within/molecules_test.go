package within_test

import (
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/within"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/sample"
)

// TestMolecules: molecules and copies of them after a few edits, of up to 90 nodes, are
// decided at every limit as the solver's distance says.
func TestMolecules(t *testing.T) {
	vocab := graph.NewVocabulary()
	records, err := bundle.Records(vocab)
	if err != nil {
		t.Fatal(err)
	}
	var all []*graph.Graph
	for _, r := range records {
		if r.Graph.N() <= 90 {
			all = append(all, r.Graph)
		}
	}
	editor := sample.NewEditor(all, within.MaxNodes)
	rng := rand.New(rand.NewPCG(6, 1))
	costs := []edit.Costs{edit.Uniform(), edit.Uniform().IgnoreEdgeLabels(), edit.Chem1(), {NodeInsert: 1.5, NodeDelete: 0.7, NodeSubstitute: 1.2, EdgeInsert: 0.9, EdgeDelete: 0.6, EdgeSubstitute: 0.3}}
	large, largest := 0, 0
	for number, c := range costs {
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			p, err := edit.Price(task, c)
			if err != nil {
				t.Fatal(err)
			}
			d := within.New(p, nil)
			if d == nil {
				continue // insertion is free, and substitution dearer than deletion
			}
			s, err := ged.NewSolver(task, c)
			if err != nil {
				t.Fatal(err)
			}
			for trial := range 15 {
				q := all[rng.IntN(len(all))]
				for trial%3 == 0 && q.N() <= 32 {
					q = all[rng.IntN(len(all))]
				}
				g, _ := editor.Edit(rng, q, rng.IntN(6))
				if max(q.N(), g.N()) > 32 {
					large++
				}
				largest = max(largest, q.N())
				want, err := s.Distance(t.Context(), q, g, ged.Options{Upper: 8})
				if err != nil {
					t.Fatal(err)
				}
				for tau := 0.0; tau < 7; tau++ {
					r, ok := d.Decide(q, g, tau, within.Limits{})
					if !ok {
						t.Fatalf("costs %d, %v: %d and %d nodes are not taken", number, task, q.N(), g.N())
					}
					if in := want.Exact && want.Upper <= tau; in && (!r.Exact || r.Upper < want.Upper-1e-9 || r.Upper > want.Upper+1e-9) || !in && r.Lower <= tau {
						t.Fatalf("costs %d, %v, limit %v: bounds [%v, %v] where the solver has [%v, %v]", number, task, tau, r.Lower, r.Upper, want.Lower, want.Upper)
					}
					if cost := edit.InducedCost(p, q, g, r.Map); cost < r.Upper-1e-9 || cost > r.Upper+1e-9 {
						t.Fatalf("costs %d, %v, limit %v: the map costs %v, not %v", number, task, tau, cost, r.Upper)
					}
				}
			}
		}
	}
	if large < 25 || largest <= 64 {
		t.Errorf("%d pairs of more than 32 nodes, the largest graph of %d", large, largest)
	}
}
