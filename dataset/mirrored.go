package dataset

// dropMirrored drops the second of the edges u-v and v-u of equal label, as
// lists of undirected edges often have them. Repeats in the same direction stay
// for the checks that follow.
func (e *env) dropMirrored(g *rawGraph) {
	type arc struct{ from, to, label string }
	key := func(edge rawEdge) arc {
		label, _ := findAttr(edge.attrs, "label")
		return arc{edge.from, edge.to, label.value}
	}
	seen := make(map[arc]int, len(g.edges))
	kept := g.edges[:0]
	for _, edge := range g.edges {
		k := key(edge)
		mirrored := arc{k.to, k.from, k.label}
		if k.from != k.to && seen[mirrored] > 0 {
			seen[mirrored]-- // it answers one edge only
			continue
		}
		seen[k]++
		kept = append(kept, edge)
	}
	e.notes.count("edges are listed in both directions and were read once", len(g.edges)-len(kept))
	g.edges = kept
}
