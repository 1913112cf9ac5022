package ged_test

import (
	"math/rand/v2"
	"slices"
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

// TestFixedPairsAreTakenOut: where all nodes but a few are fixed, the rest is exact within little memory, however large
// the graphs are, and costs what all of its node maps cost at least. Ties of both directions count.
func TestFixedPairsAreTakenOut(t *testing.T) {
	for _, directed := range []bool{false, true} {
		r := rand.New(rand.NewPCG(5, 60))
		vocab := graph.NewVocabulary()
		shape := gedtest.Shape{MinNodes: 3000, MaxNodes: 3000, Density: 0.001, NodeLabels: 2, EdgeLabels: 2, Directed: directed}
		q := gedtest.Graph(r, vocab, shape)
		// The target has the nodes in another order, 1,000 edges less, and new labels of the last 6 nodes.
		to := r.Perm(q.N())
		from := make([]int, q.N())
		for v, w := range to {
			from[w] = v
		}
		b := graph.NewBuilder(vocab, directed)
		for w := range q.N() {
			if v := from[w]; v < q.N()-6 {
				b.AddNodeLabel(q.Label(v))
			} else {
				b.AddNode("new")
			}
		}
		for e := range q.Edges() {
			if r.IntN(9) > 0 {
				b.MustAdd(to[e.From], to[e.To], e.Label)
			}
		}
		g := b.MustBuild()
		var fixed [][2]int
		for v := range q.N() - 6 {
			fixed = append(fixed, [2]int{v, to[v]})
		}
		for task := range edit.Task(2) {
			s, err := ged.NewSolver(task, edit.Uniform())
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Distance(t.Context(), q, g, ged.Options{Fixed: fixed, Memory: 1 << 20})
			if err != nil || !got.Exact {
				t.Fatalf("%v: %+v, %v", task, got.Stopped, err)
			}
			p, err := edit.Price(task, edit.Uniform(), q, g)
			if err != nil {
				t.Fatal(err)
			}
			m, least := slices.Clone(got.Map), got.Upper+1
			last := []int{-6, -5, -4, -3, -2, -1}
			for permutation := range permutations(last) {
				for i, v := range last {
					m[q.N()+v] = to[q.N()+permutation[i]]
				}
				least = min(least, edit.InducedCost(p, q, g, m))
			}
			if least != got.Upper || edit.InducedCost(p, q, g, got.Map) != got.Upper {
				t.Errorf("%v, directed %v: %v, the least of complete maps is %v", task, directed, got.Upper, least)
			}
		}
	}
}

// permutations yields all orders of a list, in a slice that it changes.
func permutations(list []int) func(yield func([]int) bool) {
	p := slices.Clone(list)
	var visit func(k int, yield func([]int) bool) bool
	visit = func(k int, yield func([]int) bool) bool {
		if k == len(p) {
			return yield(p)
		}
		for i := k; i < len(p); i++ {
			p[k], p[i] = p[i], p[k]
			if !visit(k+1, yield) {
				return false
			}
			p[k], p[i] = p[i], p[k]
		}
		return true
	}
	return func(yield func([]int) bool) { visit(0, yield) }
}
