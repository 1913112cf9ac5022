package sample

import (
	"math/rand/v2"

	"github.com/greedgraph/greed/graph"
)

// BFS is the paper's query sampler: a breadth-first search of Depth steps from
// the start that follows each edge at a frontier node with probability Keep. An
// edge between two frontier nodes gets a chance from each end. The result holds
// the edges followed and is in general not an induced subgraph.
type BFS struct {
	Depth int
	Keep  float64
}

// Draw returns the subgraph found by one search.
func (s BFS) Draw(rng *rand.Rand, g *graph.Graph, start int) *graph.Graph {
	t := NewTrace(g, start)
	begin := 0
	for range s.Depth {
		end := len(t.Nodes)
		for _, v := range t.Nodes[begin:end] {
			for i := range g.Degree(v) {
				if rng.Float64() < s.Keep {
					t.Cross(StepAt(g, v, i))
				}
			}
		}
		begin = end
	}
	return t.Graph()
}
