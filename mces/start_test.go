package mces_test

import (
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/mces"
	"github.com/greedgraph/greed/mcs"
)

// TestVersionsOfLargeGraphs: of a large graph and a version without some edges, its nodes in another order, a single
// state has the common subgraph: all edges that are left, and all nodes but one end of each edge that is not.
func TestVersionsOfLargeGraphs(t *testing.T) {
	for trial := range 8 {
		r := rand.New(rand.NewPCG(uint64(trial), 60))
		vocab := graph.NewVocabulary()
		shape := gedtest.Shape{MinNodes: 1000, MaxNodes: 1000, Density: 0.004, NodeLabels: 4, EdgeLabels: 1 + trial%2, Directed: trial%4 < 2}
		q := gedtest.Graph(r, vocab, shape)
		to, b, removed := r.Perm(q.N()), graph.NewBuilder(vocab, q.Directed()), 0
		labels := make([]graph.Label, q.N())
		for v, w := range to {
			labels[w] = q.Label(v)
		}
		for _, l := range labels {
			b.AddNodeLabel(l)
		}
		for e := range q.Edges() {
			if r.IntN(100) == 0 {
				removed++
				continue
			}
			b.MustAdd(to[e.From], to[e.To], e.Label)
		}
		g := b.MustBuild()
		for _, connected := range []bool{false, true} {
			edges, err := mces.Largest(t.Context(), q, g, mces.Options{States: 1, Connected: connected})
			if err != nil {
				t.Fatal(err)
			}
			least := g.M()
			if connected {
				least -= 50 // small parts come apart
			}
			if edges.Size < least || edges.Size > g.M() || mcs.CommonOf(q, g, edges.Map).Edges != edges.Size {
				t.Errorf("trial %d, connected %v: %d edges, the map keeps %d of %d", trial, connected, edges.Size, mcs.CommonOf(q, g, edges.Map).Edges, g.M())
			}
			nodes, err := mcs.Largest(t.Context(), q, g, mcs.Options{States: 1, Connected: connected})
			if err != nil {
				t.Fatal(err)
			}
			least = q.N() - removed
			if connected {
				least -= 50 // small parts come apart
			}
			if nodes.Size < least || !induced(q, g, nodes.Map) {
				t.Errorf("trial %d, connected %v: %d nodes, want %d; induced: %v", trial, connected, nodes.Size, least, induced(q, g, nodes.Map))
			}
		}
	}
}

// induced reports whether a map keeps labels, edges, and that there is none.
func induced(q, g *graph.Graph, m edit.NodeMap) bool {
	for v, w := range m {
		for u, x := range m {
			if w == edit.Deleted || x == edit.Deleted || u == v {
				continue
			}
			a, has := q.Edge(v, u)
			b, hasToo := g.Edge(w, x)
			if has != hasToo || has && a != b || q.Label(v) != g.Label(w) {
				return false
			}
		}
	}
	return true
}
