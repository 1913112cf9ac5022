package mcs

import (
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// TestCommonOf compares with a count over pairs of nodes.
func TestCommonOf(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 0))
	for trial := range 300 {
		vocab := graph.NewVocabulary()
		shape := gedtest.Shape{MaxNodes: 7, Density: 0.5, NodeLabels: 2, EdgeLabels: 2, Directed: trial%2 == 1}
		q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
		m := make(edit.NodeMap, q.N())
		free := r.Perm(g.N())
		for v := range m {
			m[v] = edit.Deleted
			if len(free) > 0 && r.IntN(4) > 0 {
				m[v], free = free[0], free[1:]
			}
		}
		nodes, edges := make(map[int]bool), 0
		for v := range q.N() {
			for w := range q.N() {
				a, ok := q.Edge(v, w)
				if !ok || m[v] < 0 || m[w] < 0 || q.Label(v) != g.Label(m[v]) || q.Label(w) != g.Label(m[w]) {
					continue
				}
				if b, ok := g.Edge(m[v], m[w]); ok && a == b {
					edges++
					nodes[v], nodes[w] = true, true
				}
			}
		}
		if !q.Directed() {
			edges /= 2
		}
		got := CommonOf(q, g, m)
		if got.Nodes != len(nodes) || got.Edges != edges {
			t.Fatalf("%+v, want %d nodes and %d edges", got, len(nodes), edges)
		}
		if s := got.Johnson; s < 0 || s > 1 {
			t.Fatalf("similarity %v", s)
		}
	}
}

func TestJohnson(t *testing.T) {
	for _, c := range []struct {
		shared, q, t int
		want         float64
	}{{10, 10, 10, 1}, {3, 10, 10, 0.09}, {0, 10, 10, 0}, {0, 0, 10, 0}, {0, 0, 0, 1}} {
		if got := johnson(c.shared, c.q, c.t); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
