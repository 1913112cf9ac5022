package train

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

func randomTree(vocab *graph.Vocabulary, rng *rand.Rand, n int) *graph.Graph {
	b := graph.NewBuilder(vocab, false)
	for v := range n {
		b.AddNode(string(rune('A' + rng.IntN(3))))
		if v > 0 {
			if err := b.AddEdge(rng.IntN(v), v, "e"); err != nil {
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

// TestFairSolver: small pairs get the states of the plan, larger ones fewer, huge
// ones none; bounds hold for all.
func TestFairSolver(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	vocab := graph.NewVocabulary()
	const states = 200
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		s, err := newSolver(task, edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		plain, err := ged.NewSolver(task, edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{8, 15, 20, 30, 320} {
			q, x := randomTree(vocab, rng, n), randomTree(vocab, rng, n)
			r, err := s.Distance(context.Background(), q, x, ged.Options{States: states})
			if err != nil {
				t.Fatal(err)
			}
			most := min(states, states*250/int64(n*n))
			if n == 320 {
				most = 0
			}
			if r.States > most {
				t.Errorf("%v, %d nodes: %d states, want at most %d", task, n, r.States, most)
			}
			if n > 20 {
				continue
			}
			exact, err := plain.Distance(context.Background(), q, x, ged.Options{States: 100_000})
			if err != nil {
				t.Fatal(err)
			}
			if r.Lower > exact.Upper || r.Upper < exact.Lower {
				t.Errorf("%v, %d nodes: bounds %v to %v, want those of %v to %v", task, n, r.Lower, r.Upper, exact.Lower, exact.Upper)
			}
		}
	}
}
