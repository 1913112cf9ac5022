// Package sampler draws queries in the ways that only the laboratory compares: by the walks
// of the paper's appendix, and from the neighbourhoods of every node of a large graph.
package sampler

import (
	"math/rand/v2"

	"github.com/greedgraph/greed/graph"
)

// Neighbourhoods is a source of the neighbourhoods of one large graph: for
// every centre the subgraph induced on the nodes at most Hops away. Draws begin
// at the centre, node 0 of the neighbourhood.
type Neighbourhoods struct {
	Graph   *graph.Graph
	Hops    int
	Centres []int
}

// AllNeighbourhoods returns the neighbourhoods of all nodes of g, except, if
// limit > 0, those of more than limit nodes.
func AllNeighbourhoods(g *graph.Graph, hops, limit int) Neighbourhoods {
	s := Neighbourhoods{Graph: g, Hops: hops}
	for v := range g.N() {
		if limit > 0 {
			if _, truncated := g.Neighbourhood(v, hops, limit); truncated {
				continue
			}
		}
		s.Centres = append(s.Centres, v)
	}
	return s
}

// Len returns the number of centres.
func (s Neighbourhoods) Len() int { return len(s.Centres) }

// Target returns the neighbourhood of centre i.
func (s Neighbourhoods) Target(i int) *graph.Graph {
	nodes, _ := s.Graph.Neighbourhood(s.Centres[i], s.Hops, 0)
	return s.Graph.Induced(nodes)
}

// Start returns the centre, node 0.
func (s Neighbourhoods) Start(*rand.Rand, int, *graph.Graph) int { return 0 }
