package screen

import "github.com/greedgraph/greed/graph"

// The groups of counters. Labels are folded: two that share a counter look equal,
// which only lowers the bound. Counter d of the degrees counts the nodes with more
// than d edges; the last one sums up what degrees exceed it by. So the counters of
// degrees add up to the number of ends of edges, and a difference of them is one of
// sorted degrees.
const (
	nodeCounters   = 1
	labelCounters  = 16
	edgeCounters   = 8
	degreeCounters = 8

	width = nodeCounters + labelCounters + edgeCounters + 2*degreeCounters
)

// widths returns the sizes of the groups: nodes, node labels, edge labels, degrees
// or out-degrees, and in-degrees, which undirected graphs do not have.
func widths() []int {
	return []int{nodeCounters, labelCounters, edgeCounters, degreeCounters, degreeCounters}
}

// count sets dst to the counts of g. It does not count what wild reports: wildcards of a
// query, which match every label.
func count(dst []uint8, g *graph.Graph, wild bool) {
	clear(dst)
	dst[0] = uint8(min(g.N(), 255))
	labels := dst[nodeCounters:]
	for _, l := range g.Labels() {
		if !wild || l != graph.Wildcard {
			increase(&labels[int(l)%labelCounters], 1)
		}
	}
	edges := labels[labelCounters:]
	for e := range g.Edges() {
		if !wild || e.Label != graph.Wildcard {
			increase(&edges[int(e.Label)%edgeCounters], 1)
		}
	}
	countDegrees(edges[edgeCounters:], g, g.Out)
	if g.Directed() {
		countDegrees(edges[edgeCounters+degreeCounters:], g, g.In)
	}
}

func countDegrees(dst []uint8, g *graph.Graph, arcs func(int) []graph.Arc) {
	const last = degreeCounters - 1
	for v := range g.N() {
		degree := len(arcs(v))
		for d := range min(degree, last) {
			increase(&dst[d], 1)
		}
		increase(&dst[last], max(0, degree-last))
	}
}

// increase increments a counter, which saturates at 255: differences of saturated counters
// are only smaller.
func increase(c *uint8, by int) { *c = uint8(min(255, int(*c)+by)) }
