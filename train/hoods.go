package train

import (
	"fmt"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Neighbourhoods stand in for large graphs: subgraph queries are answered by
// parts of them, and a vector for all of one would tell little.
type Neighbourhoods struct {
	Hops  int // from the centre
	Nodes int // at most; beyond, those nearest to the centre
}

// DefaultNeighbourhoods returns the paper's: all within two edges. The limit is
// the size from which on it leaves them out.
func DefaultNeighbourhoods() Neighbourhoods { return Neighbourhoods{Hops: 2, Nodes: 1000} }

// Of returns the neighbourhoods of the given nodes, whose node 0 is the centre.
func (h Neighbourhoods) Of(g *graph.Graph, centres []int) []*graph.Graph {
	list := make([]*graph.Graph, len(centres))
	for i, v := range centres {
		nodes, _ := g.Neighbourhood(v, h.Hops, h.Nodes)
		list[i] = g.Induced(nodes)
	}
	return list
}

const (
	// largeGraph is from how many nodes on a graph counts as large.
	largeGraph = 1000
	// mostHoods and leastHoods bound how many neighbourhoods stand in for the
	// large graphs of a collection: as many as there are other graphs, between
	// leastHoods and mostHoods; mostHoods where there are no others.
	mostHoods, leastHoods = 20_000, 1000
	// hoodsSize is how many nodes and edges they have together, about, at most.
	hoodsSize = 8_000_000
	// mostNodes is from how many nodes on a graph is left out of what is learnt
	// for GED: an embedding would take gigabytes.
	mostNodes = 20_000
)

// resize returns the graphs that are learnt in place of the given ones. For SED,
// neighbourhoods of random centres stand in for large graphs and for a graph
// that is alone. For GED, graphs beyond all bounds are left out.
func (b *planner) resize(graphs []*graph.Graph) []*graph.Graph {
	large := func(g *graph.Graph) bool {
		if b.plan.Task == edit.SED {
			return g.N() > largeGraph || len(graphs) == 1
		}
		return g.N() > mostNodes
	}
	var kept []*graph.Graph
	var centres []centre
	replaced, coarse := 0, 0
	for _, g := range graphs {
		if !large(g) {
			kept = append(kept, g)
			if g.N() > largeGraph {
				coarse++
			}
			continue
		}
		replaced++
		for v := range g.N() {
			centres = append(centres, centre{g, v})
		}
	}
	if coarse > 0 {
		b.plan.Note(fmt.Sprintf("%s more than %d nodes: distances to large graphs are learnt within loose bounds", haveGraphs(coarse), largeGraph))
	}
	if replaced == 0 {
		return kept
	}
	if b.plan.Task != edit.SED {
		b.plan.Note(fmt.Sprintf("%s more than %d nodes and cannot be learnt from: left out", haveGraphs(replaced), mostNodes))
		return kept
	}
	most := mostHoods
	if len(kept) > 0 {
		most = min(max(len(kept), leastHoods), mostHoods)
	}
	h := b.plan.Hoods
	b.rng.Shuffle(len(centres), func(i, j int) { centres[i], centres[j] = centres[j], centres[i] })
	taken, size := 0, 0
	for _, c := range centres[:min(most, len(centres))] {
		if size > hoodsSize {
			break
		}
		hood := b.centre(c.graph, []int{c.node})[0]
		kept = append(kept, hood)
		size += hood.N() + hood.M()
		taken++
	}
	b.plan.Note(fmt.Sprintf("%s learnt by the %d-hop neighbourhoods of %d of %d nodes, each with at most %d nodes",
		areGraphs(replaced), h.Hops, taken, len(centres), h.Nodes))
	return kept
}

// centre returns the neighbourhoods of some nodes.
func (b *planner) centre(g *graph.Graph, nodes []int) []*graph.Graph {
	hoods := b.plan.Hoods.Of(g, nodes)
	for _, h := range hoods {
		b.centred[h] = true
	}
	b.hops = b.plan.Hoods.Hops
	return hoods
}

func haveGraphs(n int) string {
	if n == 1 {
		return "1 graph has"
	}
	return fmt.Sprintf("%d graphs have", n)
}

func areGraphs(n int) string {
	if n == 1 {
		return "1 large graph is"
	}
	return fmt.Sprintf("%d large graphs are", n)
}

// centre is a node of a graph.
type centre struct {
	graph *graph.Graph
	node  int
}
