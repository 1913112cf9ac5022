package train

import (
	"fmt"
	"math/rand/v2"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/sample"
)

// source is the graphs to sample queries from. In a neighbourhood a query begins at the
// centre; in a whole graph, at a random node or, if the plan says so, at node 0.
type source struct {
	*planner
	list []*graph.Graph
}

// Len returns the number of graphs.
func (s source) Len() int { return len(s.list) }

// Target returns graph i.
func (s source) Target(i int) *graph.Graph { return s.list[i] }

// Start returns the node of g, which is graph i, where a query begins.
func (s source) Start(rng *rand.Rand, _ int, g *graph.Graph) int {
	if s.plan.Rooted || s.centred[g] {
		return 0
	}
	return rng.IntN(g.N())
}

const (
	queryDepth  = 5   // of a search in whole graphs, as in the paper
	sampleDraws = 400 // show which share of queries is within the limits
	leastQuery  = 2   // nodes, where graphs are too small for the limits
)

// followShares returns the shares of edges that a chosen sampler may follow. They include the
// paper's, from 0.8 for molecules to 0.3 for Cora_ML.
func followShares() []float64 { return []float64{0.8, 0.6, 0.45, 0.3, 0.2, 0.1} }

// chooseSampler returns the sampler that follows most edges while at least half of its
// queries are within the limits. If there is none, it returns the one with the most queries
// within them.
func (b *planner) chooseSampler(graphs []*graph.Graph) sample.Sampler {
	depth := queryDepth
	if b.hops > 0 {
		depth = b.hops
	}
	best, most := sample.BFS{}, -1
	from := source{b, graphs}
	for _, keep := range followShares() {
		s := sample.BFS{Depth: depth, Keep: keep}
		// A separate generator, so that these draws do not change later ones.
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
		b.plan.Note(fmt.Sprintf("no part of a graph has %d nodes: queries have %d and more", b.plan.Limits.MinNodes,
			leastQuery))
		b.plan.Limits.MinNodes = leastQuery
		return b.chooseSampler(graphs)
	}
	return best
}
