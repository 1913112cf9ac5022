package ged

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// TestWideGap: of a dense pair whose bounds are far apart, the plain search leaves everything to
// local search and the strong search. The map is better than that of its many states, and than
// that of a search that has no time for the strong one.
func TestWideGap(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	vocab := graph.NewVocabulary()
	shape := gedtest.Shape{MinNodes: 40, MaxNodes: 40, Density: 0.4, NodeLabels: 2, EdgeLabels: 1}
	q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
	s, err := NewSolver(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	few, err := s.Distance(context.Background(), q, g, Options{States: 2})
	if err != nil || !s.search.plain.gaveUp {
		t.Fatalf("the plain search goes on, %v", err)
	}
	f := &s.search
	first := f.bestProfit
	for _, other := range []func(){
		func() { f.plain.visit(0) },
		func() { f.anneal.run(lonelyAnneal * f.p.row.n * f.p.col.n) },
	} {
		f.begin(&s.problem, unlimited)
		f.plain.begin(math.MaxInt64)
		f.plain.start()
		f.budget = budget{states: 20_000}
		f.plain.assign.solve(f.plain.levels[0], math.MinInt/2)
		f.plain.price(f.plain.levels[0])
		other()
		if f.bestProfit > first || few.Stopped != StopStates {
			t.Errorf("profit %d, and %d otherwise; %+v", first, f.bestProfit, few)
		}
	}
}

// TestAnnealKeepsMaps anneals block by block and checks after each that the map is one,
// and that profits and owners are those of the map: for
// directed, disconnected and unlabelled graphs, costs under which rows may be left out,
// and graphs too large for a matrix of types.
func TestAnnealKeepsMaps(t *testing.T) {
	for name, costs := range gedtest.Costs() {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(8, 18))
			for trial := range 8 {
				vocab := graph.NewVocabulary()
				shape := gedtest.Shape{MinNodes: 22, MaxNodes: 26, Density: 0.09, NodeLabels: 3, EdgeLabels: 2, Directed: trial%2 == 0}
				if trial%4 == 1 {
					shape.NodeLabels, shape.EdgeLabels, shape.Density = 1, 1, 0.02
				}
				q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
				s, err := NewSolver(edit.Task(trial/4), costs(r))
				if err != nil {
					t.Fatal(err)
				}
				var fixed [][2]int
				if trial%3 == 0 {
					fixed = [][2]int{{1, 2}, {3, 1}}
				}
				if _, err := s.Distance(context.Background(), q, g, Options{Fixed: fixed, States: 1}); err != nil {
					t.Fatal(err)
				}
				f := &s.search
				if trial%4 == 3 {
					f.p.row.dense, f.p.col.dense = nil, nil
				}
				before := f.bestProfit
				f.anneal.begin(&f.climber)
				f.anneal.heat()
				for range sweep.Trials(60) {
					f.anneal.cool()
					checkAnnealing(t, &f.anneal)
				}
				f.anneal.run(30 * blockTime)
				if f.bestProfit < before || f.p.profit(f.best) != f.bestProfit {
					t.Fatalf("best profit %d, was %d, the map earns %d", f.bestProfit, before, f.p.profit(f.best))
				}
			}
		})
	}
}

func checkAnnealing(t *testing.T, z *annealing) {
	t.Helper()
	s, p := z.climber, z.climber.p
	if profit := p.profit(z.f); profit != z.profit {
		t.Fatalf("profit %d, the map earns %d", z.profit, profit)
	}
	if owner := s.owners(nil, z.f); !slices.Equal(owner, z.owner) {
		t.Fatalf("owners %v, want %v", z.owner, owner)
	}
	for i, j := range z.f {
		worth := 0
		if j >= 0 {
			worth = p.profitAt(z.f, i)
			if int(z.owner[j]) != i {
				t.Fatalf("column %d is that of rows %d and %d", j, i, z.owner[j])
			}
		} else if p.full {
			t.Fatalf("row %d has no column", i)
		}
		if worth != z.worth[i] {
			t.Fatalf("row %d is worth %d, not %d", i, worth, z.worth[i])
		}
	}
}
