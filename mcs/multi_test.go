package mcs

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// between lists the labels of the edges u → v; ignored ones are all 0.
func between(g *graph.Graph, u, v int, ignore bool) (labels []graph.Label) {
	for e := range g.Edges() {
		if e.From == u && e.To == v || !g.Directed() && e.From == v && e.To == u {
			if ignore {
				e.Label = 0
			}
			labels = append(labels, e.Label)
		}
	}
	slices.Sort(labels)
	return labels
}

// TestMultigraphs: a common induced subgraph has the same self-loops and parallel edges on both
// sides, the edges in common are counted one by one, and other searches refuse such graphs.
func TestMultigraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(58, 1))
	for trial := range 1000 {
		vocab := graph.NewVocabulary()
		shape := gedtest.Shape{MaxNodes: 4, Density: 0.5, NodeLabels: 2, EdgeLabels: 2, Directed: trial%2 == 0, Multi: 0.4}
		q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
		ignore := r.IntN(2) == 0
		size := func(m edit.NodeMap) int {
			n := 0
			for v, w := range m {
				if w == edit.Deleted {
					continue
				}
				n++
				if q.Label(v) != g.Label(w) {
					return -1
				}
				for v2, w2 := range m {
					if w2 != edit.Deleted && !slices.Equal(between(q, v, v2, ignore), between(g, w, w2, ignore)) {
						return -1
					}
				}
			}
			return n
		}
		want := 0
		for m := range gedtest.NodeMaps(q.N(), g.N()) {
			want = max(want, size(m))
		}
		got, err := Largest(t.Context(), q, g, Options{IgnoreEdgeLabels: ignore})
		if err != nil {
			t.Fatal(err)
		}
		if !got.Exact || got.Size != want || size(got.Map) != want {
			t.Fatalf("trial %d: %+v, want %d\nquery %s\ntarget %s", trial, got, want, gedtest.Text(q), gedtest.Text(g))
		}
		if !q.Simple() || !g.Simple() {
			if _, _, err := new(Matcher).Find(t.Context(), q, g, Kind{}, 0); !errors.Is(err, ErrNotSimple) {
				t.Fatalf("error %v, want ErrNotSimple", err)
			}
		}
		m := make(edit.NodeMap, q.N())
		for v := range m {
			if m[v] = v; v >= g.N() {
				m[v] = edit.Deleted
			}
		}
		same := func(v int) bool { return m[v] != edit.Deleted && q.Label(v) == g.Label(v) }
		shared := 0
		for u := range m {
			for v := range m {
				if !same(u) || !same(v) || !q.Directed() && v < u {
					continue
				}
				others := between(g, u, v, false)
				for _, l := range between(q, u, v, false) {
					if i := slices.Index(others, l); i >= 0 {
						others = slices.Delete(others, i, i+1)
						shared++
					}
				}
			}
		}
		if c := CommonOf(q, g, m); c.Edges != shared {
			t.Fatalf("%d edges in common, want %d\nquery %s\ntarget %s", c.Edges, shared, gedtest.Text(q), gedtest.Text(g))
		}
	}
}
