package train_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// TestOpenPairsAreExpected: where the solver stops early, training pairs are
// where the distances are on average, and validation pairs keep their bounds.
func TestOpenPairsAreExpected(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	vocab := graph.NewVocabulary()
	var graphs []*graph.Graph
	for range 40 {
		graphs = append(graphs, ring(vocab, rng, 10))
	}
	plan := train.DefaultPlan(edit.GED, edit.Uniform())
	plan.Pairs, plan.Edits, plan.Solver.States = 2000, 0, 5
	told := 0
	plan.Note = func(string) { told++ }
	data, err := plan.Prepare(context.Background(), graphs, nil)
	if err != nil {
		t.Fatal(err)
	}
	if told != 1 {
		t.Errorf("%d notes, want one on the open pairs", told)
	}
	solver, err := truth.NewSolver(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	// Of every pair among the first graphs: how far the label, and both bounds
	// that it is made from, are from the distance.
	var label, lower, upper float64
	open := 0
	b := data.Train[0]
	for i := range 12 {
		for j := range i {
			k := i*len(b.Targets) + j
			if b.Lower[k] != b.Upper[k] {
				t.Fatalf("pair %d, %d has bounds %v and %v", i, j, b.Lower[k], b.Upper[k])
			}
			q, g := data.Graphs[b.Queries[i]], data.Graphs[b.Targets[j]]
			// The plan's own pairs are of the lower number with the higher.
			early, err := solver.Distance(context.Background(), g, q, plan.Solver)
			if err != nil {
				t.Fatal(err)
			}
			exact, err := solver.Distance(context.Background(), g, q, ged.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if early.Exact {
				if float64(b.Lower[k]) != exact.Upper {
					t.Errorf("pair %d, %d is learnt as %v, it is %v", i, j, b.Lower[k], exact.Upper)
				}
				continue
			}
			open++
			label += float64(b.Lower[k]) - exact.Upper
			lower += early.Lower - exact.Upper
			upper += early.Upper - exact.Upper
		}
	}
	if open < 20 {
		t.Fatalf("only %d open pairs", open)
	}
	if off := math.Abs(label); off > math.Abs(lower)/3 || off > math.Abs(upper)/3 {
		t.Errorf("of %d open pairs labels are off by %v, lower bounds by %v, upper by %v", open, label, lower, upper)
	}
	wide := 0
	for _, b := range data.Valid {
		for k, l := range b.Lower {
			if l < b.Upper[k] {
				wide++
			}
		}
	}
	if wide == 0 {
		t.Error("no pair to validate with has bounds apart")
	}
}
