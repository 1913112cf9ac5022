package ged_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// checkFinished fails unless the upper bound is the cost of the map and no more than that of deleting and inserting
// everything.
func checkFinished(t *testing.T, task edit.Task, costs edit.Costs, q, g *graph.Graph, r ged.Result, fixed bool) {
	t.Helper()
	p, err := edit.Price(task, costs, q, g)
	if err != nil {
		t.Fatal(err)
	}
	none := make(edit.NodeMap, q.N())
	for v := range none {
		none[v] = edit.Deleted
	}
	cost, all := edit.InducedCost(p, q, g, r.Map), edit.InducedCost(p, q, g, none)
	if r.Upper < cost-1e-9*cost || r.Upper > cost+1e-9*cost || !fixed && r.Upper > all*(1+1e-12) || r.Lower > r.Upper {
		t.Fatalf("%v of %d and %d nodes: %v to %v, the map costs %v and deleting everything %v", task, q.N(), g.N(), r.Lower, r.Upper, cost, all)
	}
}

// TestUpperIsOfAMap: whenever a search ends, what leaves the solver is a map and its cost.
func TestUpperIsOfAMap(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 0))
	vocab := graph.NewVocabulary()
	for _, n := range []int{24, 40, 140} {
		for _, density := range []float64{1, 0.2} {
			shape := gedtest.Shape{MinNodes: n, MaxNodes: n, Density: density, NodeLabels: 2, EdgeLabels: 1}
			q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
			for _, task := range []edit.Task{edit.GED, edit.SED} {
				for name, costs := range map[string]edit.Costs{"uniform": edit.Uniform(), "mces": edit.MCES(), "chem2": edit.Chem2(), "rings": edit.Rings()} {
					s, err := ged.NewSolver(task, costs)
					if err != nil {
						t.Fatal(name, err)
					}
					for limit := time.Microsecond; limit < 8*time.Millisecond; limit *= 2 {
						for _, fixed := range [][][2]int{nil, {{0, 5}}, {{0, 5}, {7, edit.Deleted}, {edit.Deleted, 0}}} {
							if name == "mces" && fixed != nil {
								continue // the costs may rule it out
							}
							got, err := s.Distance(t.Context(), q, g, ged.Options{Time: limit, Fixed: fixed})
							if err != nil {
								t.Fatal(name, err)
							}
							checkFinished(t, task, costs, q, g, got, fixed != nil)
							if !got.Exact && got.Stopped != ged.StopTime && got.Stopped != ged.StopRounding {
								t.Fatalf("%s, %v: stopped by %q", name, limit, got.Stopped)
							}
						}
					}
				}
			}
		}
	}
}

// TestImpossible: without any time, no node becomes what the costs rule out, and a pair that asks for it is an error.
func TestImpossible(t *testing.T) {
	vocab := graph.NewVocabulary()
	of := func(labels ...string) *graph.Graph {
		b := graph.NewBuilder(vocab, false)
		for _, l := range labels {
			b.AddNode(l)
		}
		if err := b.AddEdge(0, 1, "1"); err != nil {
			t.Fatal(err)
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	q, g := of("N", "N"), of("C", "C", "C")
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		s, err := ged.NewSolver(task, edit.MCES())
		if err != nil {
			t.Fatal(err)
		}
		for _, opt := range []ged.Options{{Time: 1}, {Memory: 1}, {States: 1}, {}} {
			r, err := s.Distance(t.Context(), q, g, opt)
			if err != nil || r.Upper > 2 {
				t.Errorf("%v, %+v: at most %v, error %v", task, opt, r.Upper, err)
			}
		}
		if _, err := s.Distance(t.Context(), q, g, ged.Options{Fixed: [][2]int{{1, 2}}}); err == nil {
			t.Errorf("%v: N became C", task)
		}
	}
}

// TestRoundingClosed: where costs have no common unit, a distance that no other sum of costs is near to is exact.
func TestRoundingClosed(t *testing.T) {
	const seed = 4
	r := rand.New(rand.NewPCG(seed, 0))
	vocab := graph.NewVocabulary()
	shape := gedtest.Shape{MinNodes: 3, MaxNodes: 5, Density: 0.5, NodeLabels: 2, EdgeLabels: 2}
	for trial := range 2000 {
		costs := edit.Uniform()
		for _, c := range []*float64{&costs.NodeInsert, &costs.NodeDelete, &costs.NodeSubstitute, &costs.EdgeInsert, &costs.EdgeDelete, &costs.EdgeSubstitute} {
			*c = 1000 * r.Float64()
		}
		costs.NodeSubstitute, costs.EdgeSubstitute = 0.001*(1+r.Float64()), 0.001*(1+r.Float64())
		s, err := ged.NewSolver(edit.GED, costs)
		if err != nil {
			t.Fatal(err)
		}
		q := gedtest.Graph(r, vocab, shape)
		g := gedtest.Graph(r, vocab, shape)
		if trial%2 == 0 {
			g = gedtest.Shuffle(r, q)
			b := graph.NewBuilder(vocab, false)
			change := r.IntN(g.N())
			for v := range g.N() {
				label := g.LabelText(v)
				if v == change {
					label = "other"
				}
				b.AddNode(label)
			}
			for e := range g.Edges() {
				if err := b.AddEdge(e.From, e.To, vocab.EdgeText(e.Label)); err != nil {
					t.Fatal(err)
				}
			}
			if g, err = b.Build(); err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.Distance(t.Context(), q, g, ged.Options{})
		if err != nil || !got.Exact {
			t.Fatalf("seed %d, trial %d: %v to %v, %q, %v", seed, trial, got.Lower, got.Upper, got.Stopped, err)
		}
	}
}
