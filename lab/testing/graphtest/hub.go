package graphtest

import (
	"fmt"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// Hub returns a node with n neighbours, each with a leaf of one of so many labels, and as many nodes without edges.
func Hub(t *testing.T, vocab *graph.Vocabulary, n, labels int, directed bool) *graph.Graph {
	t.Helper()
	b := graph.NewBuilder(vocab, directed)
	b.AddNode("hub")
	for range 2 * n {
		b.AddNode("C")
	}
	for v := range n {
		b.AddNode("alone")
		label := fmt.Sprint(v % labels)
		for _, e := range [][2]int{{0, v + 1}, {v + 1, n + v + 1}} {
			if err := b.AddEdge(e[0], e[1], label); err != nil {
				t.Fatal(err)
			}
		}
		if directed {
			if err := b.AddEdge(v+1, 0, label); err != nil {
				t.Fatal(err)
			}
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return g
}
