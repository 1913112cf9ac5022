package train

import (
	"fmt"
	"math/rand/v2"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/sample"
)

// source is graphs to draw queries from: at the centres of neighbourhoods, and
// in whole graphs anywhere, or at node 0 if the plan says so.
type source struct {
	*planner
	list []*graph.Graph
}

// Len returns the number of graphs.
func (s source) Len() int { return len(s.list) }

// Target returns graph i.
func (s source) Target(i int) *graph.Graph { return s.list[i] }

// Start returns the node of graph i, which is g, where a draw begins.
func (s source) Start(rng *rand.Rand, _ int, g *graph.Graph) int {
	if s.plan.Rooted || s.centred[g] {
		return 0
	}
	return rng.IntN(g.N())
}

const (
	queryDepth  = 5   // of a search in whole graphs, as in the paper
	sampleDraws = 400 // to tell how many are within the limits
	leastQuery  = 2   // nodes, where graphs are too small for the limits
)

// keeps are the shares of edges that a sampler chosen here may follow: about
// those of the paper, from its molecules to its citation graphs.
func keeps() []float64 { return []float64{0.8, 0.6, 0.45, 0.3, 0.2, 0.1} }

// chooseSampler returns the search that follows most edges with half of its
// queries within the limits, or else the one with most of them there.
func (b *planner) chooseSampler(graphs []*graph.Graph) sample.Sampler {
	depth := queryDepth
	if b.hops > 0 {
		depth = b.hops
	}
	best, most := sample.BFS{}, -1
	from := source{b, graphs}
	for _, keep := range keeps() {
		s := sample.BFS{Depth: depth, Keep: keep}
		// A generator of its own: what is drawn here changes nothing else.
		rng := rand.New(rand.NewPCG(b.plan.Seed, 0x510e527fade682d1))
		within := 0
		for range sampleDraws {
			i := rng.IntN(len(graphs))
			if g := graphs[i]; g.N() > 0 && b.plan.Limits.Admit(s.Draw(rng, g, from.Start(rng, i, g))) {
				within++
			}
		}
		if within > most {
			best, most = s, within
		}
		if within >= sampleDraws/2 {
			break
		}
	}
	if most == 0 && b.plan.Limits.MinNodes > leastQuery {
		b.plan.Note(fmt.Sprintf("no part of a graph has %d nodes: queries have %d and more", b.plan.Limits.MinNodes, leastQuery))
		b.plan.Limits.MinNodes = leastQuery
		return b.chooseSampler(graphs)
	}
	return best
}
