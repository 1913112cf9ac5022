package ged

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// sparseGraph returns a connected graph of n nodes with a few cycles.
func sparseGraph(r *rand.Rand, vocab *graph.Vocabulary, n int) *graph.Graph {
	b := graph.NewBuilder(vocab, false)
	for v := range n {
		b.AddNode(string(rune('A' + r.IntN(3))))
		if v > 0 {
			if err := b.AddEdge(max(0, v-1-r.IntN(3)), v, string(rune('a'+r.IntN(2)))); err != nil {
				panic(err)
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return g
}

// TestWanderKeepsMaps moves pieces of node maps and climbs, many times, and checks
// after each that the map is one, and that the profit is what the map earns.
func TestWanderKeepsMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 21))
	for trial := range sweep.Trials(40) {
		vocab := graph.NewVocabulary()
		q, g := sparseGraph(r, vocab, largeRows+2+r.IntN(12)), sparseGraph(r, vocab, largeRows+2+r.IntN(12))
		task, costs := edit.GED, edit.Chem2()
		if trial%2 == 1 {
			task, costs = edit.SED, edit.Uniform() // which leave no row out, either
		}
		s, err := NewSolver(task, costs)
		if err != nil {
			t.Fatal(err)
		}
		var fixed [][2]int
		if trial%3 == 0 {
			fixed = [][2]int{{1, 2}, {3, 1}}
		}
		first, err := s.Distance(context.Background(), q, g, Options{Fixed: fixed, States: 3})
		if err != nil {
			t.Fatal(err)
		}
		f := &s.search.wander
		before := f.bestProfit
		for range 200 {
			copy(f.trial, f.best)
			f.clearQueue()
			f.graft(3 + f.random.below(graftSize))
			checkTrial(t, f)
			was := f.p.profit(f.trial)
			f.climbOn()
			checkTrial(t, f)
			if now := f.p.profit(f.trial); now < was {
				t.Fatalf("climbing lost %d", was-now)
			} else {
				f.note(f.trial, now)
			}
		}
		f.run(50)
		if f.bestProfit < before {
			t.Fatal("the best map was lost")
		}
		walked := f.walkProfit
		for _, j := range []int{1, 20} {
			copy(f.trial, f.best)
			f.clearQueue()
			f.shuffle(j)
			f.polish(3)
			if f.walkProfit < walked || f.walkProfit != f.p.profit(f.walk) {
				t.Fatalf("a walk of %d is one of %d, which earns %d, after polishing", walked, f.walkProfit, f.p.profit(f.walk))
			}
		}
		rest, err := takeOut(q, g, fixed, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		again := s.found()
		s.finish(&again, &rest, true, math.Inf(-1))
		p, err := edit.Price(task, costs, q, g)
		if err != nil {
			t.Fatal(err)
		}
		if cost := edit.InducedCost(p, q, g, again.Map); cost-again.Upper > 1e-9 || again.Upper-cost > 1e-9 || again.Upper > first.Upper {
			t.Fatalf("upper bound %v, then %v, the map costs %v", first.Upper, again.Upper, cost)
		}
	}
}

func checkTrial(t *testing.T, s *wanderer) {
	t.Helper()
	seen := make(map[int32]bool)
	for i, j := range s.trial {
		if j < 0 || int(j) >= s.p.col.n || seen[j] {
			t.Fatalf("row %d has column %d: %v", i, j, s.trial)
		}
		seen[j] = true
	}
}
