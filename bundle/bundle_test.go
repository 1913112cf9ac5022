package bundle_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
)

// tolerance is how far a coordinate may be off, in parts of the largest of its
// vector, between machines of different instructions.
const tolerance = 1e-4

// TestVectorsAtEveryLevel: the bundled models give the molecules the same vectors at every
// level of a machine's instructions.
func TestVectorsAtEveryLevel(t *testing.T) {
	vocab := graph.NewVocabulary()
	records, err := bundle.Records(vocab)
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 4999 {
		t.Fatalf("%d molecules", len(records))
	}
	const stride = 29
	var graphs []*graph.Graph
	for i := 0; i < len(records); i += stride {
		graphs = append(graphs, records[i].Graph)
	}
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		m, err := bundle.Model(task)
		if err != nil {
			t.Fatal(err)
		}
		if m.Metadata().Task != task {
			t.Fatalf("the %v model is for %v", task, m.Metadata().Task)
		}
		want, err := m.WithLevel(kernel.Generic).Embed(t.Context(), graphs, 0)
		if err != nil {
			t.Fatal(err)
		}
		dim := m.Norm().Dim()
		for _, level := range kernel.Levels() {
			if level == kernel.Generic {
				continue
			}
			z, err := m.WithLevel(level).Embed(t.Context(), graphs, 0)
			if err != nil {
				t.Fatal(err)
			}
			for i := range graphs {
				if d := furthest(want[i*dim:][:dim], z[i*dim:][:dim]); !(d <= tolerance) {
					t.Fatalf("%v, %v: molecule %s is off by %v", task, level, records[stride*i].ID, d)
				}
			}
		}
	}
}

// TestRenumberedMolecules: the vector of a molecule does not depend, by a single
// bit, on how its atoms are numbered.
func TestRenumberedMolecules(t *testing.T) {
	vocab := graph.NewVocabulary()
	records, err := bundle.Records(vocab)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var graphs, renumbered []*graph.Graph
	for i := 0; i < len(records); i += 9 {
		g := records[i].Graph
		graphs = append(graphs, g)
		renumbered = append(renumbered, g.Permute(rng.Perm(g.N())))
	}
	for _, task := range []edit.Task{edit.GED, edit.SED} {
		m, err := bundle.Model(task)
		if err != nil {
			t.Fatal(err)
		}
		a, err := m.Embed(context.Background(), graphs, 0)
		if err != nil {
			t.Fatal(err)
		}
		b, err := m.Embed(context.Background(), renumbered, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a, b) {
			t.Errorf("%v: renumbered molecules have other vectors", task)
		}
	}
}

// furthest returns the greatest difference in parts of the greatest value.
func furthest(a, b []float32) float64 {
	size, diff := 1e-30, 0.0
	for i := range a {
		size = math.Max(size, math.Abs(float64(a[i])))
		diff = math.Max(diff, math.Abs(float64(a[i])-float64(b[i])))
	}
	return diff / size
}
