package gedtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Measured returns a random graph for [MeasuredCosts]: nodes have a text and two
// numbers, edges an angle. A shape's numbers of labels and wildcards do not count.
func Measured(r *rand.Rand, vocab *graph.Vocabulary, s Shape) *graph.Graph {
	b := graph.NewBuilder(vocab, s.Directed)
	n := s.MinNodes + r.IntN(s.MaxNodes-s.MinNodes+1)
	for range n {
		b.AddNode(fmt.Sprintf("%c|%.2f|%v", 'A'+r.IntN(2), 4*r.Float64(), r.IntN(3)))
	}
	s.pairs(r, n, func(u, v int) { b.MustAdd(u, v, vocab.Edge(fmt.Sprintf("%.2f", 7*r.Float64()-2))) })
	return b.MustBuild()
}

// MeasuredCosts returns random costs that are differences of the texts and numbers of
// [Measured], of at most most, which 0 leaves to the costs of deletion and insertion.
func MeasuredCosts(r *rand.Rand, most float64) edit.Costs {
	cost := func() float64 { return 0.1 + r.Float64() }
	return edit.Costs{
		Nodes: &edit.Table{
			Default: &edit.Default{Insert: cost(), Delete: cost()},
			Parts: []edit.Difference{
				{Attributes: []string{"kind"}, Differ: cost()},
				{Attributes: []string{"x", "y"}, Weight: cost()},
			},
			Most: most,
		},
		Edges: &edit.Table{
			Default: &edit.Default{Insert: cost(), Delete: cost()},
			Parts:   []edit.Difference{{Attributes: []string{"orient"}, Weight: cost(), Period: 3.14}},
			Most:    most,
		},
	}
}
