package ged_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// TestRenumbered: graphs are recognised under another numbering, and as parts of
// others, in milliseconds, whatever their size.
func TestRenumbered(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	vocab := graph.NewVocabulary()
	graphs := map[string]*graph.Graph{
		"grid":         grid(vocab, 12, 14),
		"random":       large(r, vocab, 500, 900, 4, 2, false),
		"directed":     large(r, vocab, 500, 900, 4, 2, true),
		"disconnected": large(r, vocab, 400, 250, 2, 1, false),
		"unlabelled":   large(r, vocab, 5000, 9000, 1, 1, false),
		"all labels":   large(r, vocab, 1000, 5000, 5000, 5000, false),
		"no edges":     large(r, vocab, 5000, 0, 1, 1, false),
		"path":         path(vocab, 3000),
	}
	for _, name := range slices.Sorted(maps.Keys(graphs)) {
		recognised(t, name, r, graphs[name])
		if name != "grid" { // its parts are hard to place
			contained(t, name, r, graphs[name])
		}
	}
}

// TestRenumberedProteins does the same on protein graphs of over 100 nodes.
func TestRenumberedProteins(t *testing.T) {
	file := filepath.Join("..", "..", "shared", "data", "protein", "protein_all1113.txt.gz")
	if _, err := os.Stat(file); err != nil {
		t.Skipf("the protein graphs are not there: %v", err)
	}
	records, err := dataset.ReadAll(file, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(12, 12))
	seen := 0
	for _, rec := range records {
		if rec.Graph.N() > 100 {
			seen++
			recognised(t, rec.ID, r, rec.Graph)
		}
	}
	if seen < 25 {
		t.Errorf("only %d graphs of over 100 nodes", seen)
	}
}

func recognised(t *testing.T, name string, r *rand.Rand, g *graph.Graph) {
	t.Helper()
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		free(t, name, task, gedtest.Shuffle(r, g), g)
	}
}

// contained takes a part of g and looks for it.
func contained(t *testing.T, name string, r *rand.Rand, g *graph.Graph) {
	t.Helper()
	if g.N() <= 1000 {
		free(t, name, edit.SED, gedtest.Subgraph(r, g), g)
	}
}

// free checks that q becomes g at no cost, which is seen before the first state.
func free(t *testing.T, name string, task edit.Task, q, g *graph.Graph) {
	t.Helper()
	s, err := ged.NewSolver(task, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.Distance(context.Background(), q, g, ged.Options{States: 1})
	if err != nil {
		t.Fatal(err)
	}
	p, err := edit.Price(task, edit.Uniform(), q, g)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Exact || res.Upper != 0 || edit.InducedCost(p, q, g, res.Map) != 0 {
		t.Errorf("%s, %v, %d nodes in %d: [%v, %v]", name, task, q.N(), g.N(), res.Lower, res.Upper)
	}
}

// grid returns a grid of rows times columns nodes without labels.
func grid(vocab *graph.Vocabulary, rows, columns int) *graph.Graph {
	b := graph.NewBuilder(vocab, false)
	for v := range rows * columns {
		b.AddNode("n")
		for _, step := range []int{1, columns} {
			if w := v - step; w >= 0 && (step > 1 || v%columns > 0) {
				if err := b.AddEdge(w, v, "e"); err != nil {
					panic(err)
				}
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return g
}

func path(vocab *graph.Vocabulary, n int) *graph.Graph { return grid(vocab, 1, n) }
