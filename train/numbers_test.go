package train_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/train"
)

// TestNumbersAsLabels: where costs compare numbers, those that nearly every graph has for itself are refused by name,
// and those that many share are learnt.
func TestNumbersAsLabels(t *testing.T) {
	one := 1.0
	costs := edit.Uniform()
	costs.Nodes = &edit.Table{Default: &edit.Default{Insert: one, Delete: one}, Parts: []edit.Difference{{Attributes: []string{"kind"}, Differ: 1}, {Attributes: []string{"100%"}, Weight: .5}}}
	for name, c := range map[string]struct {
		value   func(*rand.Rand) string
		graphs  int
		refused bool
	}{
		"continuous":      {func(rng *rand.Rand) string { return fmt.Sprintf("a|%.6f", 10*rng.Float64()) }, 40, true},
		"few":             {func(rng *rand.Rand) string { return fmt.Sprintf("a|%d", rng.IntN(6)) }, 40, false},
		"continuous, one": {func(rng *rand.Rand) string { return fmt.Sprintf("a|%.6f", 10*rng.Float64()) }, 1, true},
	} {
		rng, vocab := rand.New(rand.NewPCG(1, 1)), graph.NewVocabulary()
		var graphs []*graph.Graph
		for range c.graphs {
			b := graph.NewBuilder(vocab, false)
			for range 12 {
				b.AddNode(c.value(rng))
			}
			for v := 1; v < 12; v++ {
				if err := b.AddEdge(v-1, v, "e"); err != nil {
					t.Fatal(err)
				}
			}
			g, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			graphs = append(graphs, g)
		}
		p := train.DefaultPlan(edit.SED, costs)
		p.Pairs, p.Valid = 200, 100
		_, err := p.Prepare(t.Context(), graphs, nil)
		if c.refused != (err != nil) || err != nil && (!strings.Contains(err.Error(), "compare the numbers 100%,") || !strings.Contains(err.Error(), "bin=100%=WIDTH")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoDistances: copies of one graph teach nothing, and there is no error to report.
func TestNoDistances(t *testing.T) {
	vocab := graph.NewVocabulary()
	var graphs []*graph.Graph
	for range 50 {
		b := graph.NewBuilder(vocab, false)
		b.AddNode("C")
		b.AddNode("O")
		if err := b.AddEdge(0, 1, "1"); err != nil {
			t.Fatal(err)
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		graphs = append(graphs, g)
	}
	r := train.DefaultRecipe(edit.GED, edit.Uniform(), graphs)
	r.Plan.Pairs, r.Options.Steps = 300, 2
	if _, err := train.Fit(t.Context(), graphs, nil, r); err == nil || !strings.Contains(err.Error(), "copies of each other") {
		t.Error(err)
	}
	if _, err := train.Fit(t.Context(), graphs[:1], nil, r); err == nil || !strings.Contains(err.Error(), "task=sed learns one large graph") {
		t.Error(err)
	}
}
