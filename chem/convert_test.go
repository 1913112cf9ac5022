package chem

import (
	"strings"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// text spells a graph: node labels, then edges.
func text(g *graph.Graph) string {
	var s []string
	for v := range g.N() {
		s = append(s, g.LabelText(v))
	}
	for e := range g.Edges() {
		s = append(s, string(rune('0'+e.From))+string(rune('0'+e.To))+":"+g.Vocabulary().EdgeText(e.Label))
	}
	return strings.Join(s, " ")
}

func TestGraph(t *testing.T) {
	for _, c := range []struct {
		smiles string
		opt    Options
		want   string
	}{
		{"CC(=O)[O-]", Options{}, "C C O O 01:1 12:2 13:1"},
		{"CC(=O)[O-]", Options{Charge: true}, "C C O O- 01:1 12:2 13:1"},
		{"[Ca+2].[S--].[NH4+]", Options{Charge: true}, "Ca+2 S-2 N+"},
		{"C#C*~C", Options{}, "C C * C 01:3 12:1 23:*"},
		{"[*+]C", Options{Charge: true}, "* C 01:1"},
		{"[Na+].CC(=O)[O-].CCO", Options{LargestFragment: true}, "C C O O 01:1 12:2 13:1"},
		{"CC.C=C", Options{LargestFragment: true}, "C C 01:1"},
		{"CCC.C1CC1", Options{LargestFragment: true}, "C C C 01:1 02:1 12:1"},
		{"CCC", Options{LargestFragment: true}, "C C C 01:1 12:1"},
		{"[Na+].[Cl-]", Options{}, "Na Cl"},
	} {
		m, err := ParseSMILES(c.smiles)
		if err != nil {
			t.Fatalf("%s: %v", c.smiles, err)
		}
		g, err := m.Graph(graph.NewVocabulary(), c.opt)
		if err != nil {
			t.Fatalf("%s: %v", c.smiles, err)
		}
		if got := text(g); got != c.want {
			t.Errorf("%s: %s, want %s", c.smiles, got, c.want)
		}
	}
}

// TestWildcard checks that * and ~ are the wildcard and not a label of text.
func TestWildcard(t *testing.T) {
	m, err := ParseSMILES("*~C")
	if err != nil {
		t.Fatal(err)
	}
	g, err := m.Graph(graph.NewVocabulary(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, _ := g.Edge(0, 1)
	if g.Label(0) != graph.Wildcard || l != graph.Wildcard || g.Label(1) == graph.Wildcard {
		t.Errorf("labels %d and %d, edge %d", g.Label(0), g.Label(1), l)
	}
}
