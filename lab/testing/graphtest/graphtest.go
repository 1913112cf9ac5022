// Package graphtest draws small random graphs for property tests.
package graphtest

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/greedgraph/greed/graph"
)

// Shape bounds the graphs that [Graph] draws. They may be disconnected, empty,
// and hold isolated nodes.
type Shape struct {
	MaxNodes   int
	NodeLabels int // texts "A", "B", ...; 0 means 1
	EdgeLabels int // texts "1", "2", ...; 0 means 1
	Directed   bool
}

// Graph returns a generator of graphs over vocab. It shrinks towards few
// nodes, few edges and the first labels.
func Graph(vocab *graph.Vocabulary, shape Shape) *rapid.Generator[*graph.Graph] {
	nodeLabel := rapid.IntRange(0, max(shape.NodeLabels, 1)-1)
	edgeLabel := rapid.IntRange(0, max(shape.EdgeLabels, 1)) // 0: no edge
	return rapid.Custom(func(t *rapid.T) *graph.Graph {
		b := graph.NewBuilder(vocab, shape.Directed)
		n := rapid.IntRange(0, shape.MaxNodes).Draw(t, "nodes")
		for v := range n {
			b.AddNode(string(rune('A' + nodeLabel.Draw(t, fmt.Sprintf("label of %d", v)))))
		}
		for u := range n {
			for v := range n {
				if u == v || !shape.Directed && u > v {
					continue
				}
				if l := edgeLabel.Draw(t, fmt.Sprintf("edge %d-%d", u, v)); l > 0 {
					b.MustAdd(u, v, vocab.Edge(fmt.Sprint(l)))
				}
			}
		}
		return b.MustBuild()
	})
}

// Permutation returns a generator of permutations of 0..n-1.
func Permutation(n int) *rapid.Generator[[]int] {
	identity := make([]int, n)
	for i := range identity {
		identity[i] = i
	}
	return rapid.Permutation(identity)
}

// Must returns g, or panics with err: for graphs written out in a test.
func Must(g *graph.Graph, err error) *graph.Graph {
	if err != nil {
		panic("graphtest: " + err.Error())
	}
	return g
}
