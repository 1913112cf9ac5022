package train_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
)

// arrows returns directed trees of two labels: they differ also by where
// their edges lead.
func arrows(t *testing.T, count int) []*graph.Graph {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 1))
	vocab := graph.NewVocabulary()
	var graphs []*graph.Graph
	for range count {
		b := graph.NewBuilder(vocab, true)
		for v := range 4 + rng.IntN(3) {
			b.AddNode(fmt.Sprint("n", rng.IntN(2)))
			if v == 0 {
				continue
			}
			from, to := rng.IntN(v), v
			if rng.IntN(2) == 0 {
				from, to = to, from
			}
			if err := b.AddEdge(from, to, "e"); err != nil {
				t.Fatal(err)
			}
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		graphs = append(graphs, g)
	}
	return graphs
}

// TestDirectionsAreLearnt: of directed graphs, models that keep in- and
// out-edges apart, as by default, learn what others cannot know.
func TestDirectionsAreLearnt(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and one worker")
	}
	graphs := arrows(t, 40)
	r := recipe(edit.GED, graphs)
	if !r.Config.Apart {
		t.Fatal("directions are not seen by default")
	}
	data, err := r.Plan.Prepare(context.Background(), graphs, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Config.Conv, r.Options.Steps = model.GIN, 300
	var last [2]float64
	for i, apart := range []bool{true, false} {
		r.Config.Apart = apart
		losses := run(t, r, graphs, data, 1, r.Options.Steps)
		last[i] = mean(losses[len(losses)-50:])
	}
	if last[0] > 0.8*last[1] {
		t.Errorf("loss %v with directions, %v without", last[0], last[1])
	}
}
