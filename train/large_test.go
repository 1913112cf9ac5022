package train_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/train"
)

// tree returns a random tree with labels drawn by name, grown into vocab.
func tree(vocab *graph.Vocabulary, rng *rand.Rand, n int, label func(v int) string) *graph.Graph {
	b := graph.NewBuilder(vocab, false)
	for v := range n {
		b.AddNode(label(v))
		if v > 0 {
			if err := b.AddEdge(rng.IntN(v), v, "e0"); err != nil {
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

func threeLabels(v int) string { return fmt.Sprint("n", v%3) }

// withLarge returns small graphs and a tree of n nodes among them.
func withLarge(small, n int) []*graph.Graph {
	graphs := []*graph.Graph{}
	if small > 0 {
		graphs = collection(small)
	}
	vocab := graph.NewVocabulary()
	if small > 0 {
		vocab = graphs[0].Vocabulary()
	}
	return append(graphs, tree(vocab, rand.New(rand.NewPCG(3, 1)), n, threeLabels))
}

func TestOneLargeGraph(t *testing.T) {
	for _, small := range []int{0, 30} {
		graphs := withLarge(small, 5000)
		r := recipe(edit.SED, graphs)
		r.Options.Steps = 60
		var notes []string
		r.Plan.Note = func(text string) { notes = append(notes, text) }
		info := fit(t, graphs, r).Metadata().Training
		if info.MaxNodes > train.DefaultNeighbourhoods().Nodes+r.Plan.Edits || info.Hops != 2 || info.Graphs < 500 || info.HeldOut < 50 {
			t.Errorf("with %d small graphs: %+v", small, info)
		}
		if info.QueryKeep == 0 || info.MaxQueryNodes > r.Plan.Limits.MaxNodes {
			t.Errorf("with %d small graphs: queries %+v", small, info)
		}
		if len(notes) != 1 || !strings.Contains(notes[0], "neighbourhoods of ") {
			t.Errorf("with %d small graphs: notes %q", small, notes)
		}
	}
}

// TestLargeGraphForGED: it is learnt as it is, if not exactly, and does not take
// over.
func TestLargeGraphForGED(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute under the race detector")
	}
	nodes := 1000 + sweep.Trials(2000) // 1,000 are not large
	graphs := withLarge(30, nodes)
	r := recipe(edit.GED, graphs)
	r.Options.Steps = 30
	r.Plan.Pairs = 500 // one block, in which all are
	var notes []string
	r.Plan.Note = func(text string) { notes = append(notes, text) }
	m := fit(t, graphs, r)
	if info := m.Metadata().Training; info.MaxNodes != nodes || len(notes) != 1 {
		t.Errorf("%+v, notes %q", info, notes)
	}
}

func TestGraphsBeyondAllBounds(t *testing.T) {
	graphs := withLarge(20, 20_001)
	r := recipe(edit.GED, graphs)
	r.Options.Steps = 30
	if info := fit(t, graphs, r).Metadata().Training; info.MaxNodes > 100 {
		t.Errorf("%+v", info)
	}
	_, err := train.Fit(context.Background(), graphs[19:], nil, recipe(edit.GED, graphs))
	if err == nil || !strings.Contains(err.Error(), "at least 2") {
		t.Errorf("one small and one that is too large: error %v", err)
	}
}

// TestCentresOfASplit: validation has the neighbourhoods that are named.
func TestCentresOfASplit(t *testing.T) {
	graphs := withLarge(0, 60)
	plan := train.DefaultPlan(edit.SED, edit.Uniform())
	plan.Pairs, plan.Edits = 500, 0
	for v := range 60 {
		if v%4 == 0 {
			plan.Check = append(plan.Check, v)
		} else {
			plan.Learn = append(plan.Learn, v)
		}
	}
	data, err := plan.Prepare(context.Background(), graphs, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(data.Learnt) != 45 || len(data.Unseen) != 15 || data.Hops != 2 {
		t.Errorf("%d learnt, %d held out, %d hops", len(data.Learnt), len(data.Unseen), data.Hops)
	}
	want, _ := graphs[0].Neighbourhood(1, 2, 0)
	if !graph.Isomorphic(data.Learnt[0], graphs[0].Induced(want)) {
		t.Error("another neighbourhood of node 1")
	}
}

func TestTenThousandLabels(t *testing.T) {
	vocab := graph.NewVocabulary()
	rng := rand.New(rand.NewPCG(8, 8))
	var graphs []*graph.Graph
	next := 0
	for range 1250 {
		graphs = append(graphs, tree(vocab, rng, 8, func(int) string { next++; return fmt.Sprint("n", next) }))
	}
	r := recipe(edit.GED, graphs)
	r.Options.Steps = 60
	m := fit(t, graphs, r)
	meta := m.Metadata()
	// Held-out graphs have labels of their own: nothing is learnt of those.
	if got, want := meta.Vocabulary.Nodes()-1, 8*meta.Training.Graphs; got != want || meta.Training.HeldOut < 100 {
		t.Errorf("%d labels of %d graphs, want %d; %d held out", got, meta.Training.Graphs, want, meta.Training.HeldOut)
	}
	unknown := tree(graph.NewVocabulary(), rng, 8, func(v int) string { return fmt.Sprint("m", v) })
	other := tree(unknown.Vocabulary(), rng, 8, func(v int) string { return fmt.Sprint("o", v) })
	if d, err := m.Predict(unknown, other); err != nil || !(d >= 0) {
		t.Errorf("prediction of unknown labels %v, %v", d, err)
	}
	if rmse := meta.Metrics[model.MetricRMSE]; !(rmse < 20) {
		t.Errorf("RMSE %v of distances up to 20", rmse)
	}
}

// TestSamplerSuitsTheGraphs: most of the queries are within the limits.
func TestSamplerSuitsTheGraphs(t *testing.T) {
	if testing.Short() {
		t.Skip("draws thousands of queries, in one goroutine")
	}
	rng := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct {
		nodes       int
		most, least float64 // of the share of edges followed
		min         int     // nodes of the smallest query
	}{{14, 0.8, 0.8, 5}, {400, 0.6, 0.1, 5}, {3, 0.8, 0.1, 2}} {
		vocab := graph.NewVocabulary()
		var graphs []*graph.Graph
		for range 20 {
			graphs = append(graphs, ring(vocab, rng, c.nodes))
		}
		plan := train.DefaultPlan(edit.SED, edit.Uniform())
		plan.Pairs, plan.Edits = 500, 0
		notes := 0
		plan.Note = func(text string) {
			if strings.Contains(text, "queries") {
				notes++
			}
		}
		plan.Solver.States = 100
		data, err := plan.Prepare(context.Background(), graphs, nil)
		if err != nil {
			t.Fatal(err)
		}
		if keep := data.Sampler.(sample.BFS).Keep; keep > c.most || keep < c.least {
			t.Errorf("%d nodes: follows %v of the edges", c.nodes, keep)
		}
		for _, b := range data.Train {
			for _, q := range b.Queries {
				if n := data.Graphs[q].N(); n < c.min || n > plan.Limits.MaxNodes {
					t.Fatalf("%d nodes: a query of %d", c.nodes, n)
				}
			}
		}
		if (notes > 0) != (c.nodes < plan.Limits.MinNodes) {
			t.Errorf("%d nodes: %d notes", c.nodes, notes)
		}
	}
}

// ring returns a ring of n nodes with as many random chords, less in small ones.
func ring(vocab *graph.Vocabulary, rng *rand.Rand, n int) *graph.Graph {
	b := graph.NewBuilder(vocab, false)
	edges := make(map[[2]int]bool)
	join := func(u, v int) {
		if u > v {
			u, v = v, u
		}
		if u != v && !edges[[2]int{u, v}] {
			edges[[2]int{u, v}] = true
			if err := b.AddEdge(u, v, "e0"); err != nil {
				panic(err)
			}
		}
	}
	for v := range n {
		b.AddNode(threeLabels(rng.IntN(3)))
		if v > 0 {
			join(v-1, v)
		}
	}
	join(0, n-1)
	if n > 100 {
		for range n {
			join(rng.IntN(n), rng.IntN(n))
		}
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return g
}
