package dataset

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"
)

// The characters that Simplify adds to labels. The t/v/e format can represent them.
const (
	loopSign     = "@"
	parallelSign = "+"
)

// ends returns the two ends of edge i, smaller first if the graph is undirected.
func (g *rawGraph) ends(i uint32) [2]uint32 {
	edge := g.edges[i]
	if !g.directed && edge.from > edge.to {
		return [2]uint32{edge.to, edge.from}
	}
	return [2]uint32{edge.from, edge.to}
}

// bundles yields the numbers of edges with the same ends, in the order of the file. Sorting
// uses less memory than a map.
func (g *rawGraph) bundles() iter.Seq[[]uint32] {
	order := make([]uint32, len(g.edges))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int {
		a, b := g.ends(i), g.ends(j)
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(i, j))
	})
	return func(yield func([]uint32) bool) {
		for len(order) > 0 {
			n := 1
			for n < len(order) && g.ends(order[n]) == g.ends(order[0]) {
				n++
			}
			if !yield(order[:n]) {
				return
			}
			order = order[n:]
		}
	}
}

// dropEdges drops the marked edges and their labels.
func (g *rawGraph) dropEdges(drop []bool, labels []uint32) []uint32 {
	n := 0
	for i, edge := range g.edges {
		if drop[i] {
			continue
		}
		g.edges[n] = edge
		if labels != nil {
			labels[n] = labels[i]
		}
		n++
	}
	g.edges = g.edges[:n]
	if labels == nil {
		return nil
	}
	return labels[:n]
}

// fold makes a simple graph and returns the labels of the remaining edges. It sorts the
// labels of a node's self-loops and appends them to its label. It sorts the labels of
// parallel edges and joins them into one edge, at the position of the first. If any of them
// is a wildcard, so is the result.
func (e *env) fold(g *rawGraph, nodes, edges []uint32) []uint32 {
	drop := make([]bool, len(g.edges))
	looped, folded := 0, 0
	for same := range g.bundles() {
		edge, n := g.edges[same[0]], len(same)
		loop := edge.from == edge.to
		if !loop && n == 1 {
			continue
		}
		texts := make([]string, 0, n)
		wild := false
		for _, i := range same {
			texts = append(texts, g.edgeAttrs.labelText(edges[i]))
			wild = wild || edges[i] == wildLabel
			drop[i] = loop || i != same[0]
		}
		slices.Sort(texts)
		joined := strings.Join(texts, parallelSign)
		switch {
		case loop:
			looped += n
			if l := nodes[edge.from]; l != wildLabel {
				nodes[edge.from] = g.nodeAttrs.add(noAttrs, "", g.nodeAttrs.labelText(l)+loopSign+joined, textKind)
			}
		case wild:
			edges[same[0]] = wildLabel
			folded += n - 1
		default:
			edges[same[0]] = g.edgeAttrs.add(noAttrs, "", joined, textKind)
			folded += n - 1
		}
	}
	e.notes.count(looped, "self-loop was folded into a node label", "self-loops were folded into node labels")
	e.notes.count(folded, "parallel edge was folded into the label of another",
		"parallel edges were folded into the labels of others")
	return g.dropEdges(drop, edges)
}

// labelText returns the text of a label; the wildcard has none.
func (a *attrs) labelText(l uint32) string {
	switch l {
	case unlabelled:
		return Unlabelled
	case wildLabel:
		return ""
	}
	return string(a.value(l))
}

// dropMirrored drops the second of the edges u-v and v-u if their "label" is equal, because
// lists of undirected edges often have both. It leaves repeats in the same direction to later
// checks.
func (g *rawGraph) dropMirrored() {
	labels := g.edgeAttrs.last("label")
	text := func(i uint32) []byte {
		if entry := labels.of(g.edges[i].attrs); entry != noAttrs {
			return g.edgeAttrs.value(entry)
		}
		return nil
	}
	drop := make([]bool, len(g.edges))
	dropped := 0
	for same := range g.bundles() {
		if len(same) == 1 || g.edges[same[0]].from == g.edges[same[0]].to {
			continue
		}
		slices.SortStableFunc(same, func(i, j uint32) int { return bytes.Compare(text(i), text(j)) })
		// open counts the edges of each direction without a counterpart; one of the two is 0.
		var open [2]int
		for k, i := range same {
			if k > 0 && !bytes.Equal(text(i), text(same[k-1])) {
				open = [2]int{}
			}
			way := 0
			if g.edges[i].from > g.edges[i].to {
				way = 1
			}
			if open[1-way] > 0 {
				open[1-way]--
				drop[i] = true
				dropped++
				continue
			}
			open[way]++
		}
	}
	g.env.notes.count(dropped, "edge is listed in both directions and was read once",
		"edges are listed in both directions and were read once")
	g.dropEdges(drop, nil)
}
