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

// TestManyFixed: what many nodes cost that are fixed as deleted is in no bound that is false,
// though costs have no common unit and are far apart.
func TestManyFixed(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 3))
	for trial := range 40 {
		vocab := graph.NewVocabulary()
		rest := gedtest.Graph(r, vocab, gedtest.Shape{MinNodes: 3, MaxNodes: 3, Density: 0.5, NodeLabels: 2, EdgeLabels: 1})
		target := gedtest.Graph(r, vocab, gedtest.Shape{MinNodes: 5, MaxNodes: 5, Density: 0.5, NodeLabels: 2, EdgeLabels: 1})
		small := 0.3 + r.Float64()/3
		costs := edit.Costs{NodeInsert: small * 9e5 * r.Float64(), NodeDelete: small, NodeSubstitute: small * (1 + r.Float64()), EdgeInsert: small * 9e5, EdgeDelete: small * 1.1, EdgeSubstitute: small}
		p, err := edit.Price(edit.SED, costs)
		if err != nil {
			t.Fatal(err)
		}
		truth, _ := gedtest.BruteForce(p, rest, target)
		b := graph.NewBuilder(vocab, false)
		for v := range rest.N() {
			b.AddNodeLabel(rest.Label(v))
		}
		for e := range rest.Edges() {
			if err := b.AddEdgeLabel(e.From, e.To, e.Label); err != nil {
				t.Fatal(err)
			}
		}
		var fixed [][2]int
		for range 400 { // a path, which costs an edge and a node each
			v := b.AddNode("0")
			if err := b.AddEdge(v-1, v, "a"); err != nil {
				t.Fatal(err)
			}
			fixed = append(fixed, [2]int{v, edit.Deleted})
		}
		q, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		truth += 400 * (costs.NodeDelete + costs.EdgeDelete)
		s, err := ged.NewSolver(edit.SED, costs)
		if err != nil {
			t.Fatal(err)
		}
		for _, opt := range []ged.Options{{}, {Time: time.Microsecond}, {States: 1}, {Upper: truth}} {
			opt.Fixed = fixed
			for _, tau := range []float64{truth, truth * 0.999, truth * 1.001} {
				res, err := s.Within(t.Context(), q, target, tau, opt)
				if err != nil {
					t.Fatal(err)
				}
				if res.Lower > truth*(1+1e-13) || res.Upper < truth*(1-1e-13) {
					t.Errorf("trial %d, %+v within %v: [%.17g, %.17g] of %.17g", trial, opt.Time, tau, res.Lower, res.Upper, truth)
				}
				if within, known := res.Within(tau); known && within != (tau >= truth) {
					t.Errorf("trial %d: %v is within %v: %v", trial, truth, tau, within)
				}
			}
		}
	}
}
