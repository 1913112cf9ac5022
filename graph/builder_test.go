package graph_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/greedgraph/greed/graph"
)

type testEdge struct {
	u, v  int
	label string
}

// build makes a graph with one node a letter of labels.
func build(t testing.TB, vocab *graph.Vocabulary, directed bool, labels string, edges ...testEdge) *graph.Graph {
	t.Helper()
	b := graph.NewBuilder(vocab, directed)
	for _, l := range labels {
		b.AddNode(string(l))
	}
	for _, e := range edges {
		if err := b.AddEdge(e.u, e.v, e.label); err != nil {
			t.Fatal(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Check(); err != nil {
		t.Fatal(err)
	}
	return g
}

func edgesOf(g *graph.Graph) []testEdge {
	var edges []testEdge
	for e := range g.Edges() {
		edges = append(edges, testEdge{e.From, e.To, g.Vocabulary().EdgeText(e.Label)})
	}
	return edges
}

func TestBuildUndirected(t *testing.T) {
	g := build(t, graph.NewVocabulary(), false, "CCO", testEdge{2, 0, "2"}, testEdge{0, 1, "1"})
	if g.N() != 3 || g.M() != 2 || g.Directed() {
		t.Errorf("n, m, directed = %d, %d, %t", g.N(), g.M(), g.Directed())
	}
	if want := []testEdge{{0, 1, "1"}, {0, 2, "2"}}; !slices.Equal(edgesOf(g), want) {
		t.Errorf("edges %v, want %v", edgesOf(g), want)
	}
	for v, want := range []int{2, 1, 1} {
		if g.Degree(v) != want || len(g.Out(v)) != want || len(g.In(v)) != want {
			t.Errorf("degree of %d: %d", v, g.Degree(v))
		}
	}
	if l, ok := g.Edge(2, 0); !ok || g.Vocabulary().EdgeText(l) != "2" {
		t.Errorf("edge 2-0: %d, %t", l, ok)
	}
	if _, ok := g.Edge(1, 2); ok {
		t.Error("edge 1-2 should not be there")
	}
	if g.LabelText(2) != "O" || g.Label(0) != g.Label(1) || !slices.Equal(g.Labels(), []graph.Label{1, 1, 2}) {
		t.Errorf("labels %v", g.Labels())
	}
}

func TestBuildDirected(t *testing.T) {
	g := build(t, graph.NewVocabulary(), true, "ABC", testEdge{1, 0, "x"}, testEdge{0, 1, "y"}, testEdge{2, 1, "x"})
	if want := []testEdge{{0, 1, "y"}, {1, 0, "x"}, {2, 1, "x"}}; !slices.Equal(edgesOf(g), want) {
		t.Errorf("edges %v, want %v", edgesOf(g), want)
	}
	if len(g.Out(1)) != 1 || len(g.In(1)) != 2 || g.Degree(1) != 3 {
		t.Errorf("node 1: %d out, %d in, degree %d", len(g.Out(1)), len(g.In(1)), g.Degree(1))
	}
	if _, ok := g.Edge(1, 2); ok {
		t.Error("edge 1-2 goes the other way")
	}
}

func TestBuilderRefuses(t *testing.T) {
	for _, c := range []struct {
		name     string
		directed bool
		edges    []testEdge
		want     error
		message  string
	}{
		{"out of range", false, []testEdge{{0, 2, "-"}}, graph.ErrNodeRange, "edge 0-2: node 2: node does not exist (the graph has nodes 0 to 1)"},
		{"negative", false, []testEdge{{-1, 0, "-"}}, graph.ErrNodeRange, "edge -1-0: node -1: node does not exist (the graph has nodes 0 to 1)"},
		{"self-loop", true, []testEdge{{1, 1, "-"}}, graph.ErrSelfLoop, "edge 1-1: self-loop: graphs here are simple"},
		{"twice", true, []testEdge{{0, 1, "-"}, {0, 1, "+"}}, graph.ErrDuplicateEdge, "edge 0-1: edge given twice: graphs here are simple"},
		{"both ways", false, []testEdge{{0, 1, "-"}, {1, 0, "-"}}, graph.ErrDuplicateEdge, "edge 0-1: edge given twice: graphs here are simple"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := graph.NewBuilder(graph.NewVocabulary(), c.directed).Simple()
			b.AddNode("A")
			b.AddNode("B")
			var err error
			for _, e := range c.edges {
				err = errors.Join(err, b.AddEdge(e.u, e.v, e.label))
			}
			if err == nil {
				_, err = b.Build()
			}
			if !errors.Is(err, c.want) || err.Error() != c.message {
				t.Errorf("error %q, want %q", err, c.message)
			}
		})
	}
}

func TestBuilderStartsOver(t *testing.T) {
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	b.AddNode("A")
	b.AddNode("A")
	if err := b.AddEdge(0, 1, "x"); err != nil {
		t.Fatal(err)
	}
	first, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	b.AddNode("B")
	second, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if second.N() != 1 || second.M() != 0 || second.LabelText(0) != "B" {
		t.Errorf("second graph: n=%d, m=%d", second.N(), second.M())
	}
	if first.N() != 2 || first.M() != 1 || first.LabelText(0) != "A" {
		t.Errorf("first graph changed: n=%d, m=%d", first.N(), first.M())
	}
}

func TestEmptyGraph(t *testing.T) {
	for _, directed := range []bool{false, true} {
		g := build(t, graph.NewVocabulary(), directed, "")
		if g.N() != 0 || g.M() != 0 || len(edgesOf(g)) != 0 {
			t.Errorf("directed=%t: n=%d, m=%d", directed, g.N(), g.M())
		}
		if of, count := g.Components(); len(of) != 0 || count != 0 {
			t.Errorf("%d components", count)
		}
		if !graph.Isomorphic(g, g.Permute(nil)) || g.Hash() != g.Induced(nil).Hash() {
			t.Error("empty graphs differ")
		}
	}
}

func TestEdgesStopsEarly(t *testing.T) {
	g := build(t, graph.NewVocabulary(), false, "AAA", testEdge{0, 1, "-"}, testEdge{1, 2, "-"})
	count := 0
	for range g.Edges() {
		count++
		break
	}
	if count != 1 {
		t.Errorf("%d edges after break", count)
	}
}
