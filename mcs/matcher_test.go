package mcs

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// randomPair draws two graphs of at most maxNodes nodes over one vocabulary; in
// half of the pairs the query is a part of the target.
func randomPair(r *rand.Rand, maxNodes int, wildcards float64) (q, t *graph.Graph) {
	shape := gedtest.Shape{
		MaxNodes: maxNodes, Density: r.Float64(), NodeLabels: 1 + r.IntN(2), EdgeLabels: 1 + r.IntN(2), Directed: r.IntN(2) == 0,
	}
	vocab := graph.NewVocabulary()
	t = gedtest.Graph(r, vocab, shape)
	if r.IntN(2) == 0 {
		q = gedtest.Subgraph(r, t)
		return withWildcards(r, q, wildcards), t
	}
	shape.Wildcards = wildcards
	return gedtest.Graph(r, vocab, shape), t
}

// withWildcards returns g with some labels replaced by the wildcard.
func withWildcards(r *rand.Rand, g *graph.Graph, probability float64) *graph.Graph {
	wild := func(l graph.Label) graph.Label {
		if r.Float64() < probability {
			return graph.Wildcard
		}
		return l
	}
	b := graph.NewBuilder(g.Vocabulary(), g.Directed())
	for _, l := range g.Labels() {
		b.AddNodeLabel(wild(l))
	}
	for e := range g.Edges() {
		if err := b.AddEdgeLabel(e.From, e.To, wild(e.Label)); err != nil {
			panic(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		panic(err)
	}
	return g
}

// keeps reports whether m keeps what kind asks for.
func keeps(q, t *graph.Graph, m edit.NodeMap, kind Kind) bool {
	for v, w := range m {
		if w == edit.Deleted || q.Label(v) != t.Label(w) && q.Label(v) != graph.Wildcard {
			return false
		}
		for v2, w2 := range m {
			if w2 == edit.Deleted {
				return false
			}
			a, joined := q.Edge(v, v2)
			b, ok := t.Edge(w, w2)
			if joined && (!ok || a != b && a != graph.Wildcard && !kind.IgnoreEdgeLabels) {
				return false
			}
		}
	}
	return true
}

func TestMatcherAgainstBruteForce(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	var m Matcher
	for trial := range 4000 {
		q, g := randomPair(r, 5, 0.2*float64(r.IntN(2)))
		kind := Kind{IgnoreEdgeLabels: r.IntN(2) == 0}
		want := false
		for candidate := range gedtest.NodeMaps(q.N(), g.N()) {
			if want = keeps(q, g, candidate, kind); want {
				break
			}
		}
		// By tries that suffice, by none, and by a few, which leave it to the domains on the way.
		got, found, err := m.find(t.Context(), q, g, kind, 0, []int{quickTries, 0, 1}[trial%3])
		if err != nil {
			t.Fatal(err)
		}
		if found != want {
			t.Fatalf("seed %d trial %d: found %v, want %v, %+v\nquery %v\ntarget %v", seed, trial, found, want, kind, gedtest.Text(q), gedtest.Text(g))
		}
		if found && (got.Check(q, g) != nil || !keeps(q, g, got, kind)) {
			t.Fatalf("seed %d trial %d: %v is no match, %+v\nquery %v\ntarget %v", seed, trial, got, kind, gedtest.Text(q), gedtest.Text(g))
		}
	}
}

// TestMatcherIsSEDZero holds a match against the subgraph edit distance.
func TestMatcherIsSEDZero(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	var m Matcher
	for range 1000 {
		q, g := randomPair(r, 4, 0.2)
		p, err := edit.Price(edit.SED, edit.Uniform(), q, g)
		if err != nil {
			t.Fatal(err)
		}
		distance, _ := gedtest.BruteForce(p, q, g)
		if _, found, err := m.Find(t.Context(), q, g, Kind{}, 0); err != nil || found != (distance == 0) {
			t.Fatalf("found %v, error %v, distance %v\nquery %v\ntarget %v", found, err, distance, gedtest.Text(q), gedtest.Text(g))
		}
	}
}

// TestMatcherFindsPlanted looks for parts of larger targets.
func TestMatcherFindsPlanted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	var m Matcher
	for range 200 {
		g := gedtest.Graph(r, graph.NewVocabulary(), gedtest.Shape{
			MinNodes: 60, MaxNodes: 90, Density: 0.06, NodeLabels: 3, EdgeLabels: 2, Directed: r.IntN(2) == 0,
		})
		q := g.Induced(r.Perm(g.N())[:12])
		got, found, err := m.Find(t.Context(), q, g, Kind{}, 0)
		if err != nil || !found || !keeps(q, g, got, Kind{}) {
			t.Fatalf("found %v, %v, error %v\nquery %v\ntarget %v", got, found, err, gedtest.Text(q), gedtest.Text(g))
		}
	}
}

func TestMatcherErrors(t *testing.T) {
	vocab := graph.NewVocabulary()
	one := gedtest.Shape{MinNodes: 1, MaxNodes: 1, NodeLabels: 1, EdgeLabels: 1}
	r := rand.New(rand.NewPCG(4, 0))
	g, foreign := gedtest.Graph(r, vocab, one), gedtest.Graph(r, graph.NewVocabulary(), one)
	one.Directed = true
	directed := gedtest.Graph(r, vocab, one)
	var m Matcher
	for _, other := range []*graph.Graph{foreign, directed} {
		if _, _, err := m.Find(t.Context(), g, other, Kind{}, 0); !errors.Is(err, ErrIncomparable) {
			t.Errorf("error %v, want ErrIncomparable", err)
		}
		if _, err := Largest(t.Context(), g, other, Options{}); !errors.Is(err, ErrIncomparable) {
			t.Errorf("error %v, want ErrIncomparable", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, found, err := m.Find(ctx, g, g, Kind{}, 0); found || !errors.Is(err, context.Canceled) {
		t.Errorf("found %v, error %v, want that of the context", found, err)
	}
}

func FuzzMatcher(f *testing.F) {
	f.Add(uint64(1), false)
	f.Fuzz(func(t *testing.T, seed uint64, ignore bool) {
		q, g := randomPair(rand.New(rand.NewPCG(seed, 0)), 8, 0.1)
		kind := Kind{IgnoreEdgeLabels: ignore}
		var m Matcher
		got, found, err := m.Find(t.Context(), q, g, kind, 0)
		if err != nil || found && !keeps(q, g, got, kind) {
			t.Errorf("%v, error %v\nquery %v\ntarget %v", got, err, gedtest.Text(q), gedtest.Text(g))
		}
	})
}

// graphsOf reads graphs of the shared data, or skips.
func graphsOf(tb testing.TB, path string) []*graph.Graph {
	tb.Helper()
	path = filepath.Join("..", "..", "shared", "data", filepath.FromSlash(path))
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("no data: %v", err)
	}
	records, err := dataset.ReadAll(path, dataset.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	graphs := make([]*graph.Graph, len(records))
	for i, r := range records {
		graphs[i] = r.Graph
	}
	return graphs
}

func BenchmarkMatcher(b *testing.B) {
	for _, c := range []struct{ name, path string }{{"aids", "aids/aids.txt"}, {"protein", "protein/protein.txt.gz"}} {
		b.Run(c.name, func(b *testing.B) {
			graphs := graphsOf(b, c.path)
			r := rand.New(rand.NewPCG(1, 0))
			queries := make([]*graph.Graph, 200)
			for i := range queries {
				g := graphs[r.IntN(len(graphs))]
				nodes, _ := g.Neighbourhood(r.IntN(g.N()), 2, 10)
				queries[i] = g.Induced(nodes)
			}
			var m Matcher
			found := 0
			n := 0
			for b.Loop() {
				n++
				_, ok, err := m.Find(b.Context(), queries[n%len(queries)], graphs[n%len(graphs)], Kind{}, 0)
				if err != nil {
					b.Fatal(err)
				}
				if ok {
					found++
				}
			}
			b.ReportMetric(float64(found)/float64(n), "found/op")
		})
	}
}
