package method

import (
	"slices"

	"github.com/greedgraph/greed/graph"
)

// adjacency lists the edges at every node of one graph, labels renumbered. Side
// 0 holds the edges that leave a node, or all of an undirected graph, side 1
// those that enter it.
type adjacency struct {
	start [2][]int32
	arcs  [2][]arc
}

type arc struct {
	to    int32
	label int32
}

// newAdjacency renumbers nodes as well where order (the node of every number)
// and number (its inverse) are given.
func newAdjacency(g *graph.Graph, order, number []int32, local func(graph.Label) int32) adjacency {
	var a adjacency
	sides := []func(int) []graph.Arc{g.Out}
	if g.Directed() {
		sides = append(sides, g.In)
	}
	for side, of := range sides {
		start := make([]int32, 1, g.N()+1)
		arcs := make([]arc, 0, 2*g.M())
		for i := range g.N() {
			v := i
			if order != nil {
				v = int(order[i])
			}
			for _, x := range of(v) {
				to := x.To
				if number != nil {
					to = number[to]
				}
				arcs = append(arcs, arc{to, local(x.Label)})
			}
			start = append(start, int32(len(arcs)))
		}
		a.start[side], a.arcs[side] = start, arcs
	}
	return a
}

func (a *adjacency) of(side, v int) []arc {
	start := a.start[side]
	return a.arcs[side][start[v]:start[v+1]]
}

// find returns the label of the edge from v to w (side 1: from w to v) and
// whether there is one. It needs nodes in their original numbering.
func (a *adjacency) find(side, v int, w int32) (int32, bool) {
	arcs := a.of(side, v)
	if len(arcs) > 16 {
		i, ok := slices.BinarySearchFunc(arcs, w, func(x arc, w int32) int { return int(x.to) - int(w) })
		if !ok {
			return 0, false
		}
		return arcs[i].label, true
	}
	for _, x := range arcs {
		if x.to == w {
			return x.label, true
		}
	}
	return 0, false
}
