package graphtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/greedgraph/greed/graph"
)

// Random returns a graph of n nodes with three node labels, "n0" to "n2", and two edge
// labels, "e0" and "e1". density is the probability of each edge, of either direction.
func Random(rng *rand.Rand, vocab *graph.Vocabulary, n int, density float64, directed bool) *graph.Graph {
	b := graph.NewBuilder(vocab, directed)
	for range n {
		b.AddNode(fmt.Sprint("n", rng.IntN(3)))
	}
	for u := range n {
		for v := range n {
			if u != v && (directed || u < v) && rng.Float64() < density {
				b.MustAdd(u, v, vocab.Edge(fmt.Sprint("e", rng.IntN(2))))
			}
		}
	}
	return b.MustBuild()
}

// Tree returns an undirected tree of n nodes with the labels of [Random].
func Tree(rng *rand.Rand, vocab *graph.Vocabulary, n int) *graph.Graph {
	b := graph.NewBuilder(vocab, false)
	for v := range n {
		b.AddNode(fmt.Sprint("n", rng.IntN(3)))
		if v > 0 {
			b.MustAdd(rng.IntN(v), v, vocab.Edge(fmt.Sprint("e", rng.IntN(2))))
		}
	}
	return b.MustBuild()
}
