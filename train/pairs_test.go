package train_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/train"
)

// TestPairsAtMost: a plan never makes more pairs for training than it says, however few those
// are, and makes some.
func TestPairsAtMost(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	vocab := graph.NewVocabulary()
	var all []*graph.Graph
	for range 40 {
		all = append(all, ring(vocab, rng, 7))
	}
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		for _, graphs := range [][]*graph.Graph{all[:3], all} {
			for _, edits := range []int{0, 8} {
				for _, most := range []int{1, 2, 3, 5, 9, 100, 255, 256, 495, 496, 1000} {
					plan := train.DefaultPlan(task, edit.Uniform())
					plan.Pairs, plan.Edits, plan.Valid, plan.Solver.States = most, edits, 10, 5
					data, err := plan.Prepare(context.Background(), graphs, graphs[:2])
					if err != nil {
						t.Fatalf("%v, %d pairs of %d graphs, %d edits: %v", task, most, len(graphs), edits, err)
					}
					pairs := 0
					for _, b := range data.Train {
						if n := len(b.Queries); task == edit.GED {
							pairs += n * (n - 1) / 2
						} else {
							pairs += b.Pairs()
						}
					}
					if pairs == 0 || pairs > most {
						t.Errorf("%v, %d graphs, %d edits: %d pairs, want at most %d", task, len(graphs), edits, pairs, most)
					}
				}
			}
		}
	}
}
