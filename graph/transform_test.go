package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
)

// drawGraph draws a graph with labels on nodes and edges, directed or not.
func drawGraph(t *rapid.T, vocab *graph.Vocabulary, maxNodes int) *graph.Graph {
	shape := graphtest.Shape{
		MaxNodes:   maxNodes,
		NodeLabels: 2,
		EdgeLabels: 2,
		Directed:   rapid.Bool().Draw(t, "directed"),
	}
	return graphtest.Graph(vocab, shape).Draw(t, "graph")
}

func TestPermute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, graph.NewVocabulary(), 7)
		perm := graphtest.Permutation(g.N()).Draw(t, "perm")
		h := g.Permute(perm)
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
		if h.N() != g.N() || h.M() != g.M() || h.Directed() != g.Directed() {
			t.Fatalf("n=%d, m=%d", h.N(), h.M())
		}
		for u := range g.N() {
			if h.Label(perm[u]) != g.Label(u) {
				t.Fatalf("label of %d lost", u)
			}
			for v := range g.N() {
				l, ok := g.Edge(u, v)
				if m, has := h.Edge(perm[u], perm[v]); has != ok || m != l {
					t.Fatalf("edge %d-%d: %d, %t, want %d, %t", u, v, m, has, l, ok)
				}
			}
		}
	})
}

func TestInduced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, graph.NewVocabulary(), 7)
		nodes := graphtest.Permutation(g.N()).Draw(t, "nodes")
		nodes = nodes[:rapid.IntRange(0, g.N()).Draw(t, "kept")]
		h := g.Induced(nodes)
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
		if h.N() != len(nodes) {
			t.Fatalf("%d nodes, want %d", h.N(), len(nodes))
		}
		for i, u := range nodes {
			if h.Label(i) != g.Label(u) {
				t.Fatalf("label of %d lost", u)
			}
			for j, v := range nodes {
				l, ok := g.Edge(u, v)
				if m, has := h.Edge(i, j); has != ok || m != l {
					t.Fatalf("edge %d-%d: %d, %t, want %d, %t", u, v, m, has, l, ok)
				}
			}
		}
	})
}

// hops returns the distances from centre, -1 where there is no way, by
// relaxing every pair until nothing changes.
func hops(g *graph.Graph, centre int) []int {
	dist := slices.Repeat([]int{-1}, g.N())
	dist[centre] = 0
	for changed := true; changed; {
		changed = false
		for e := range g.Edges() {
			for _, uv := range [2][2]int{{e.From, e.To}, {e.To, e.From}} {
				u, v := uv[0], uv[1]
				if dist[u] >= 0 && (dist[v] < 0 || dist[v] > dist[u]+1) {
					dist[v], changed = dist[u]+1, true
				}
			}
		}
	}
	return dist
}

func TestNeighbourhood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, graph.NewVocabulary(), 8)
		if g.N() == 0 {
			t.Skip("no centre")
		}
		centre := rapid.IntRange(0, g.N()-1).Draw(t, "centre")
		k := rapid.IntRange(0, 4).Draw(t, "k")
		dist := hops(g, centre)
		want := 0
		for _, d := range dist {
			if d >= 0 && d <= k {
				want++
			}
		}
		nodes, truncated := g.Neighbourhood(centre, k, 0)
		if truncated || len(nodes) != want || nodes[0] != centre {
			t.Fatalf("%v, truncated=%t; want %d nodes from %d", nodes, truncated, want, centre)
		}
		if !slices.IsSortedFunc(nodes, func(a, b int) int { return dist[a] - dist[b] }) {
			t.Fatalf("%v is not nearest first: %v", nodes, dist)
		}
		if distinct := slices.Compact(slices.Sorted(slices.Values(nodes))); len(distinct) != want {
			t.Fatalf("%v repeats a node", nodes)
		}
		limit := rapid.IntRange(1, 8).Draw(t, "limit")
		some, truncated := g.Neighbourhood(centre, k, limit)
		if truncated != (want > limit) || !slices.Equal(some, nodes[:min(limit, want)]) {
			t.Fatalf("limit %d: %v, truncated=%t; without: %v", limit, some, truncated, nodes)
		}
	})
}

func TestComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, graph.NewVocabulary(), 8)
		of, count := g.Components()
		distinct := make(map[int]bool)
		for u := range g.N() {
			distinct[of[u]] = true
			if of[u] < 0 || of[u] >= count {
				t.Fatalf("component %d of %d", of[u], count)
			}
			for v, d := range hops(g, u) {
				if (d >= 0) != (of[u] == of[v]) {
					t.Fatalf("nodes %d and %d: %d hops, components %v", u, v, d, of)
				}
			}
		}
		if len(distinct) != count {
			t.Fatalf("%d components counted, %d used", count, len(distinct))
		}
	})
}

func TestInKeepsTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, graph.NewVocabulary(), 6)
		other := graph.NewVocabulary()
		other.Node("B")
		other.Edge("2")
		h := graph.In(other, g)
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
		if h.Vocabulary() != other || graph.In(other, h) != h {
			t.Fatal("wrong vocabulary")
		}
		for v := range g.N() {
			if g.LabelText(v) != h.LabelText(v) {
				t.Fatalf("label of %d: %q, want %q", v, h.LabelText(v), g.LabelText(v))
			}
		}
		if !slices.Equal(edgesOf(g), edgesOf(h)) {
			t.Fatalf("edges %v, want %v", edgesOf(h), edgesOf(g))
		}
		if !graph.Isomorphic(g, graph.In(g.Vocabulary(), h)) {
			t.Fatal("not the same graph after going back")
		}
	})
}

func TestInKeepsWildcard(t *testing.T) {
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	b.AddNodeLabel(graph.Wildcard)
	b.AddNode("*")
	if err := b.AddEdgeLabel(0, 1, graph.Wildcard); err != nil {
		t.Fatal(err)
	}
	h := graph.In(graph.NewVocabulary(), graphtest.Must(b.Build()))
	if h.Label(0) != graph.Wildcard || h.Label(1) == graph.Wildcard {
		t.Errorf("labels %v", h.Labels())
	}
	if l, _ := h.Edge(0, 1); l != graph.Wildcard {
		t.Errorf("edge label %d", l)
	}
}

func TestCallerBugsPanic(t *testing.T) {
	vocab := graph.NewVocabulary()
	g := build(t, vocab, false, "AB", testEdge{0, 1, "-"})
	other := build(t, graph.NewVocabulary(), false, "AB")
	for name, c := range map[string]struct {
		call func()
		want string
	}{
		"short permutation":      {func() { g.Permute([]int{0}) }, "permutation of 1 for 2 nodes"},
		"permutation repeats":    {func() { g.Permute([]int{0, 0}) }, "not a permutation"},
		"permutation range":      {func() { g.Permute([]int{0, 2}) }, "not a permutation"},
		"permutation below 0":    {func() { g.Permute([]int{0, -1}) }, "not a permutation"},
		"induced repeats":        {func() { g.Induced([]int{1, 1}) }, "given twice"},
		"induced range":          {func() { g.Induced([]int{5}) }, "out of range"},
		"foreign vocabulary":     {func() { graph.Isomorphic(g, other) }, "different vocabularies"},
		"label text out of list": {func() { vocab.NodeText(99) }, "out of range"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, c.want) {
					t.Errorf("panics with %q, want %q", said, c.want)
				}
			}()
			c.call()
		})
	}
}
