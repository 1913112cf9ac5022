package graph_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/graphtest"
)

// preserves reports whether m renames the nodes of a into those of b.
func preserves(a, b *graph.Graph, m []int) bool {
	for u := range a.N() {
		if a.Label(u) != b.Label(m[u]) {
			return false
		}
		for v := range a.N() {
			l, ok := a.Edge(u, v)
			if k, has := b.Edge(m[u], m[v]); has != ok || k != l {
				return false
			}
		}
	}
	return true
}

// isomorphicByForce tries all node maps.
func isomorphicByForce(a, b *graph.Graph) bool {
	if a.N() != b.N() || a.Directed() != b.Directed() {
		return false
	}
	m := make([]int, 0, a.N())
	var extend func() bool
	extend = func() bool {
		if len(m) == a.N() {
			return preserves(a, b, m)
		}
		for w := range b.N() {
			if slices.Contains(m, w) {
				continue
			}
			m = append(m, w)
			if extend() {
				return true
			}
			m = m[:len(m)-1]
		}
		return false
	}
	return extend()
}

func TestIsomorphicAgainstAllMaps(t *testing.T) {
	same := 0
	rapid.Check(t, func(t *rapid.T) {
		vocab := graph.NewVocabulary()
		shape := graphtest.Shape{
			MaxNodes:   4,
			NodeLabels: rapid.IntRange(1, 2).Draw(t, "node labels"),
			EdgeLabels: rapid.IntRange(1, 2).Draw(t, "edge labels"),
			Directed:   rapid.Bool().Draw(t, "directed"),
		}
		a := graphtest.Graph(vocab, shape).Draw(t, "a")
		b := a.Permute(graphtest.Permutation(a.N()).Draw(t, "numbering"))
		if rapid.Bool().Draw(t, "another") {
			b = graphtest.Graph(vocab, shape).Draw(t, "b")
		}
		want := isomorphicByForce(a, b)
		m, ok := graph.Isomorphism(a, b)
		if ok != want {
			t.Fatalf("isomorphic: %t, want %t", ok, want)
		}
		if ok && !preserves(a, b, m) {
			t.Fatalf("%v is no isomorphism", m)
		}
		if ok {
			same++
			if a.Hash() != b.Hash() {
				t.Fatal("hashes of isomorphic graphs differ")
			}
		} else if !shape.Directed && a.Hash() == b.Hash() {
			t.Fatal("colour refinement tells all undirected graphs of at most 4 nodes apart, the hash does not")
		}
	})
	if same == 0 {
		t.Error("no pair was isomorphic")
	}
}

func TestRenumberingChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, graph.NewVocabulary(), 10)
		perm := graphtest.Permutation(g.N()).Draw(t, "perm")
		h := g.Permute(perm)
		if g.Hash() != h.Hash() {
			t.Fatal("hash depends on the numbering")
		}
		a, b := g.Colours(), h.Colours()
		for v := range a {
			if a[v] != b[perm[v]] {
				t.Fatalf("colour of %d depends on the numbering", v)
			}
		}
		m, ok := graph.Isomorphism(g, h)
		if !ok || !preserves(g, h, m) {
			t.Fatalf("isomorphism %v, %t", m, ok)
		}
	})
}

// TestColoursAreStable checks the definition of a stable partition: nodes of
// one colour have the same label and see the same colours over the same edges.
func TestColoursAreStable(t *testing.T) {
	type seen struct {
		colour uint64
		label  graph.Label
		in     bool
	}
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t, graph.NewVocabulary(), 8)
		colours := g.Colours()
		around := make([]map[seen]int, g.N())
		for v := range g.N() {
			around[v] = make(map[seen]int)
			for _, a := range g.Out(v) {
				around[v][seen{colours[a.To], a.Label, false}]++
			}
			for _, a := range g.In(v) {
				around[v][seen{colours[a.To], a.Label, true}]++
			}
		}
		for u := range g.N() {
			for v := range g.N() {
				if colours[u] != colours[v] {
					continue
				}
				if g.Label(u) != g.Label(v) || len(around[u]) != len(around[v]) {
					t.Fatalf("nodes %d and %d share a colour", u, v)
				}
				for k, c := range around[u] {
					if around[v][k] != c {
						t.Fatalf("nodes %d and %d share a colour", u, v)
					}
				}
			}
		}
	})
}

// TestHashSeesEdgesOfDistinctLabels guards against stopping refinement before
// it has looked at the edges: all nodes differ from the start here.
func TestHashSeesEdgesOfDistinctLabels(t *testing.T) {
	vocab := graph.NewVocabulary()
	a := build(t, vocab, false, "ABC", testEdge{0, 1, "-"}, testEdge{1, 2, "-"})
	b := build(t, vocab, false, "ABC", testEdge{0, 1, "-"}, testEdge{0, 2, "-"})
	if a.Hash() == b.Hash() {
		t.Error("paths A-B-C and B-A-C share a hash")
	}
	if graph.Isomorphic(a, b) {
		t.Error("paths A-B-C and B-A-C are not isomorphic")
	}
}

// TestLongPaths takes hours if each of the rounds, half as many as nodes, looks at all nodes.
func TestLongPaths(t *testing.T) {
	vocab := graph.NewVocabulary()
	const n = 100_000
	path := func(odd int) *graph.Graph {
		edges := make([]testEdge, n-1)
		for v := range edges {
			edges[v] = testEdge{v, v + 1, "-"}
		}
		labels := []byte(strings.Repeat("A", n))
		labels[odd] = 'B'
		return build(t, vocab, false, string(labels), edges...)
	}
	a, b, c := path(n/3), path(n-1-n/3), path(n/3+1)
	if a.Hash() != b.Hash() || !graph.Isomorphic(a, b) {
		t.Error("a path read from its other end is another graph")
	}
	if a.Hash() == c.Hash() || graph.Isomorphic(a, c) {
		t.Error("a path with the odd node elsewhere is the same graph")
	}
}

// TestRefinementIsNotEnough holds the pair that colour refinement cannot tell
// apart: two triangles and a hexagon.
func TestRefinementIsNotEnough(t *testing.T) {
	vocab := graph.NewVocabulary()
	ring := func(from, n int) []testEdge {
		var edges []testEdge
		for i := range n {
			edges = append(edges, testEdge{from + i, from + (i+1)%n, "-"})
		}
		return edges
	}
	triangles := build(t, vocab, false, "AAAAAA", append(ring(0, 3), ring(3, 3)...)...)
	hexagon := build(t, vocab, false, "AAAAAA", ring(0, 6)...)
	if triangles.Hash() != hexagon.Hash() {
		t.Error("hashes differ: the documentation says they are equal")
	}
	if graph.Isomorphic(triangles, hexagon) {
		t.Error("two triangles are no hexagon")
	}
}

func TestDirectionMatters(t *testing.T) {
	vocab := graph.NewVocabulary()
	out := build(t, vocab, true, "AAA", testEdge{0, 1, "-"}, testEdge{0, 2, "-"})
	in := build(t, vocab, true, "AAA", testEdge{1, 0, "-"}, testEdge{2, 0, "-"})
	flat := build(t, vocab, false, "AAA", testEdge{0, 1, "-"}, testEdge{0, 2, "-"})
	for _, pair := range [][2]*graph.Graph{{out, in}, {out, flat}} {
		if graph.Isomorphic(pair[0], pair[1]) || pair[0].Hash() == pair[1].Hash() {
			t.Error("direction was ignored")
		}
	}
}

// TestIsomorphismQueues: the queue of nodes next to those placed has each once, and not once for each edge.
func TestIsomorphismQueues(t *testing.T) {
	const n = 100
	b := graph.NewBuilder(graph.NewVocabulary(), false)
	for v := range n {
		b.AddNode("C")
		for u := range v {
			if err := b.AddEdge(u, v, "1"); err != nil {
				t.Fatal(err)
			}
		}
	}
	g := b.MustBuild()
	if allocated := testing.AllocsPerRun(1, func() { graph.Isomorphism(g, g) }); allocated > 10*n {
		t.Errorf("%v allocations for %d nodes", allocated, n)
	}
}
