package graph

import (
	"strings"
	"testing"
)

// TestCheckFinds breaks a good graph in every way that Check promises to find.
func TestCheckFinds(t *testing.T) {
	good := func(directed bool) *Graph {
		b := NewBuilder(NewVocabulary(), directed)
		for range 3 {
			b.AddNode("A")
		}
		b.MustAdd(0, 1, b.vocab.Edge("-"))
		b.MustAdd(1, 2, b.vocab.Edge("-"))
		return b.MustBuild()
	}
	for _, c := range []struct {
		want     string
		directed bool
		damage   func(*Graph)
	}{
		{"node 1 has unknown label 9", false, func(g *Graph) { g.labels[1] = 9 }},
		{"edge 0-1 has unknown label 9", false, func(g *Graph) { g.out.arcs[0].Label = 9 }},
		{"node 0 is joined to 7", false, func(g *Graph) { g.out.arcs[0].To = 7 }},
		{"self-loop at node 0", false, func(g *Graph) { g.out.arcs[0].To = 0 }},
		{"not in strict order", false, func(g *Graph) { g.out.arcs[1].To = 2 }},
		{"offsets do not cover", false, func(g *Graph) { g.out.start = g.out.start[:3] }},
		{"4 arcs for 5 edges", false, func(g *Graph) { g.edges = 5 }},
		{"not the same from both ends", true, func(g *Graph) { g.in.arcs[0].To = 2 }},
		{"not the same from both ends", true, func(g *Graph) { g.in.arcs[0].Label = Wildcard }},
	} {
		g := good(c.directed)
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
		c.damage(g)
		if err := g.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
