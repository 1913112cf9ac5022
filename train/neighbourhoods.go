package train

import (
	"fmt"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Neighbourhoods replace large graphs. The answer to a subgraph query is a small part of such
// a graph, of which a single vector would say little.
type Neighbourhoods struct {
	Hops  int // from the centre
	Nodes int // at most; of more, those nearest to the centre are kept
}

// DefaultNeighbourhoods returns the paper's: all nodes within two edges. The paper omits
// neighbourhoods of more than 1,000 nodes; these are cut to that size.
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
	// largeGraph is the number of nodes above which a graph is large.
	largeGraph = 1000
	// The large graphs of a collection are replaced by as many neighbourhoods as there are
	// other graphs, but at least leastNeighbourhoods and at most mostNeighbourhoods. Without
	// other graphs there are mostNeighbourhoods.
	mostNeighbourhoods, leastNeighbourhoods = 20_000, 1000
	// neighbourhoodsSize is a rough limit of the nodes and edges of all neighbourhoods.
	neighbourhoodsSize = 8_000_000
	// mostNodes is the number of nodes above which GED models are not trained on a graph: its
	// embedding would take gigabytes.
	mostNodes = 20_000
)

// resize returns the graphs to train on in place of those given. For SED, neighbourhoods of
// random centres replace large graphs, and a graph that is the only one. For GED, graphs of
// more than mostNodes nodes are left out.
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
		b.plan.Note(fmt.Sprintf("%s more than %d nodes: distances to large graphs are learnt within loose bounds",
			haveGraphs(coarse), largeGraph))
	}
	if replaced == 0 {
		return kept
	}
	if b.plan.Task != edit.SED {
		b.plan.Note(fmt.Sprintf("%s more than %d nodes and cannot be learnt from: left out", haveGraphs(replaced),
			mostNodes))
		return kept
	}
	most := mostNeighbourhoods
	if len(kept) > 0 {
		most = min(max(len(kept), leastNeighbourhoods), mostNeighbourhoods)
	}
	h := b.plan.Neighbourhoods
	b.rng.Shuffle(len(centres), func(i, j int) { centres[i], centres[j] = centres[j], centres[i] })
	taken, size := 0, 0
	for _, c := range centres[:min(most, len(centres))] {
		if size > neighbourhoodsSize {
			break
		}
		around := b.centre(c.graph, []int{c.node})[0]
		kept = append(kept, around)
		size += around.N() + around.M()
		taken++
	}
	b.plan.Note(fmt.Sprintf("%s learnt by the %d-hop neighbourhoods of %d of %d nodes, each with at most %d nodes",
		areGraphs(replaced), h.Hops, taken, len(centres), h.Nodes))
	return kept
}

// centre returns the neighbourhoods of some nodes.
func (b *planner) centre(g *graph.Graph, nodes []int) []*graph.Graph {
	neighbourhoods := b.plan.Neighbourhoods.Of(g, nodes)
	for _, h := range neighbourhoods {
		b.centred[h] = true
	}
	b.hops = b.plan.Neighbourhoods.Hops
	return neighbourhoods
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
