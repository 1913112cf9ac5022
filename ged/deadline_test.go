package ged_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// large returns a random graph of n nodes and about m edges with so many labels of
// either kind.
func large(r *rand.Rand, vocab *graph.Vocabulary, n, m, nodeLabels, edgeLabels int, directed bool) *graph.Graph {
	b := graph.NewBuilder(vocab, directed)
	for range n {
		b.AddNode("n" + strconv.Itoa(r.IntN(nodeLabels)))
	}
	seen := make(map[[2]int]bool)
	for i := range m {
		// A few nodes have many edges.
		u, v := r.IntN(n), r.IntN(n)
		if r.IntN(4) == 0 {
			u = r.IntN(1 + n/50)
		}
		if !directed && u > v {
			u, v = v, u
		}
		if u == v || seen[[2]int{u, v}] {
			continue
		}
		seen[[2]int{u, v}] = true
		if err := b.AddEdge(u, v, "e"+strconv.Itoa(i%edgeLabels)); err != nil {
			panic(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return g
}

// TestDeadlines: a deadline holds for set-up, bounds and heuristics too, and so
// does the end of a context.
func TestDeadlines(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	limits := []time.Duration{100 * time.Millisecond, 20 * time.Millisecond, 400 * time.Millisecond}
	for _, shape := range []struct {
		n, m, edges, nodeLabels, edgeLabels int
		directed                            bool
		costs                               edit.Costs
	}{
		{n: 300, m: 300, edges: 700, nodeLabels: 3, edgeLabels: 2, costs: edit.Uniform()},
		{n: 1000, m: 1000, edges: 1500, nodeLabels: 5, edgeLabels: 3, costs: edit.Uniform()},
		{n: 1000, m: 900, edges: 5000, nodeLabels: 1, edgeLabels: 1, costs: edit.Uniform()},
		{n: 1000, m: 1000, edges: 3000, nodeLabels: 2, edgeLabels: 2, directed: true, costs: edit.Chem1()},
		{n: 1000, m: 1000, edges: 5000, nodeLabels: 5000, edgeLabels: 5000, costs: edit.Uniform()},
		{n: 1000, m: 1000, edges: 2000, nodeLabels: 20, edgeLabels: 20, costs: tabled()},
		{n: 4200, m: 3000, edges: 8000, nodeLabels: 6, edgeLabels: 1, costs: edit.Uniform().IgnoreEdgeLabels()},
		{n: 60, m: 60, edges: 1000, nodeLabels: 1, edgeLabels: 2, costs: edit.Uniform()},
	} {
		r := rand.New(rand.NewPCG(3, 3))
		vocab := graph.NewVocabulary()
		q := large(r, vocab, shape.n, shape.edges, shape.nodeLabels, shape.edgeLabels, shape.directed)
		g := large(r, vocab, shape.m, shape.edges, shape.nodeLabels, shape.edgeLabels, shape.directed)
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			for _, limit := range limits[:sweep.Trials(len(limits))] {
				t.Run(fmt.Sprintf("%d-%d %v %v", q.N(), g.N(), task, limit), func(t *testing.T) {
					s, err := ged.NewSolver(task, shape.costs)
					if err != nil {
						t.Fatal(err)
					}
					p, err := edit.Price(task, shape.costs, q, g)
					if err != nil {
						t.Fatal(err)
					}
					for name, run := range map[string]func() (ged.Result, error){
						"time": func() (ged.Result, error) { return s.Distance(context.Background(), q, g, ged.Options{Time: limit}) },
						"context": func() (ged.Result, error) {
							ctx, cancel := context.WithTimeout(context.Background(), limit)
							defer cancel()
							return s.Distance(ctx, q, g, ged.Options{})
						},
					} {
						var res ged.Result
						allowed := max(lateness, limit/10)
						late := gedtest.Late(t, limit, allowed, func() { res, err = run() })
						if err != nil {
							t.Fatal(err)
						}
						t.Logf("%s: [%v, %v], %v late", name, res.Lower, res.Upper, late.Round(10*time.Microsecond))
						if late > allowed {
							t.Errorf("%s: %v late", name, late)
						}
						if cost := edit.InducedCost(p, q, g, res.Map); cost < res.Lower || cost > res.Upper+1e-6 {
							t.Errorf("%s: map costs %v, bounds [%v, %v]", name, cost, res.Lower, res.Upper)
						}
					}
				})
			}
		}
	}
}

// lateness is the processor time that a search may use after its deadline; on a quiet
// machine it is at most 5 ms.
const lateness = 30 * time.Millisecond

// tabled returns costs whose every lookup goes through a table.
func tabled() edit.Costs {
	c := edit.Uniform()
	table := &edit.Table{Insert: map[string]float64{"n1": 2, "e1": 2}, Default: &edit.Default{Insert: 1, Delete: 1, Substitute: 1.5}}
	c.Nodes, c.Edges = table, table
	return c
}
