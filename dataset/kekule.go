package dataset

import (
	"slices"

	"github.com/greedgraph/greed/graph"
)

// kekule reports whether a graph that no format says is a molecule plainly is one with its rings
// as Kekulé drew them: it has six nodes C or N in a ring whose edges are 1 and 2 in turn. As SMILES
// or a MOL block, the edges of such a ring are read as aromatic, labelled "ar".
func kekule(g *graph.Graph) bool {
	if g.Directed() {
		return false
	}
	const mostBonds, ring = 4, 6 // an atom of such a ring has no more neighbours
	atom := func(v int) bool {
		text := g.LabelText(v)
		return (text == "C" || text == "N") && g.Degree(v) <= mostBonds
	}
	var path [ring]int
	var extend func(at int) bool
	extend = func(at int) bool {
		order := "2"
		if at%2 == 0 {
			order = "1"
		}
		for _, arc := range g.Out(path[at-1]) {
			to := int(arc.To)
			switch {
			case g.Vocabulary().EdgeText(arc.Label) != order:
			case at == ring:
				if to == path[0] {
					return true
				}
			case atom(to) && !slices.Contains(path[:at], to):
				if path[at] = to; extend(at + 1) {
					return true
				}
			}
		}
		return false
	}
	for v := range g.N() {
		if path[0] = v; atom(v) && extend(1) {
			return true
		}
	}
	return false
}
