package space

import (
	"cmp"
	"math"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// The counts of a fragment, relative to a query. They are additive: those of a product are the sum of those of its
// synthons, each of which counts some of the bonds between them; see [Reaction.own].
const (
	atNodes   = iota // atoms
	atEdges          // bonds
	atLoose          // of these, bonds of unknown order
	atStray          // atoms and bonds with labels that the query has not
	atApart          // the subgraph edit distance from the fragment to the query, once it is known
	atLabel          // atoms with a label that the query has, by label
	atOrder   = 16   // bonds with a label that the query has, by label
	countSize = 20
)

// counts are these counts.
type counts [countSize]uint16

func (c *counts) add(d *counts) {
	for i := range c {
		c[i] += d[i]
	}
}

// maxAtoms is the greatest number of atoms of a synthon, so that sums of counts fit.
const maxAtoms = 4096

// profile is what counts are compared with: the counts of a query.
type profile struct {
	task  edit.Task
	query counts
	// nodes and edges give the place of the count of a label. Labels that are too many share the last one.
	nodes, edges map[graph.Label]int
	anything     counts // of which any others are a part
	free         [2]int // wildcards of the query among its nodes and edges, which match anything
}

func newProfile(task edit.Task, q *graph.Graph) *profile {
	x := &profile{task: task, nodes: map[graph.Label]int{}, edges: map[graph.Label]int{}}
	place := func(of map[graph.Label]int, l graph.Label, from, to int) int {
		at, found := of[l]
		if !found {
			at = min(from+len(of), to-1)
			of[l] = at
		}
		return at
	}
	for i := range x.anything {
		x.anything[i] = math.MaxUint16
	}
	x.query[atNodes], x.query[atEdges] = uint16(q.N()), uint16(q.M())
	for _, l := range q.Labels() {
		if l == graph.Wildcard && task == edit.SED {
			x.free[0]++
			continue
		}
		x.query[place(x.nodes, l, atLabel, atOrder)]++
	}
	for e := range q.Edges() {
		if e.Label == graph.Wildcard && task == edit.SED {
			x.free[1]++
			continue
		}
		x.query[place(x.edges, e.Label, atOrder, countSize)]++
	}
	return x
}

// of counts a fragment.
func (x *profile) of(g *graph.Graph) counts {
	c := counts{atNodes: uint16(g.N())}
	for _, l := range g.Labels() {
		if at, found := x.nodes[l]; found {
			c[at]++
		} else {
			c[atStray]++
		}
	}
	for e := range g.Edges() {
		x.bond(&c, e.Label)
	}
	return c
}

// bond counts a bond.
func (x *profile) bond(c *counts, l graph.Label) {
	c[atEdges]++
	at, found := x.edges[l]
	switch {
	case l == graph.Wildcard:
		c[atLoose]++
	case found:
		c[at]++
	default:
		c[atStray]++
	}
}

// lower returns a lower bound of the distance to any product with counts from low to high. Of edits by graph edit
// distance, those on the side of the product are those of its fragments, which their subgraph edit distances bound,
// and those on the side of the query are at least as many as it has more nodes and edges.
func (x *profile) lower(low, high *counts) int {
	nodes, edges, surplus := x.free[0], x.free[1]+int(high[atLoose]), int(low[atStray])
	for i := atLabel; i < atOrder; i++ {
		nodes += int(min(high[i], x.query[i]))
		surplus += int(low[i]) - int(min(low[i], x.query[i]))
	}
	for i := atOrder; i < countSize; i++ {
		edges += int(min(high[i], x.query[i]))
		surplus += int(low[i]) - int(min(low[i], x.query[i]))
	}
	n, m := int(x.query[atNodes]), int(x.query[atEdges])
	if x.task == edit.SED {
		return n - min(n, nodes) + m - min(m, edges)
	}
	labels := max(n, int(low[atNodes])) - min(n, nodes) + max(m, int(low[atEdges])) - min(m, edges, int(high[atEdges]))
	apart := int(low[atApart]) + max(0, n-int(high[atNodes])) + max(0, m-int(high[atEdges]))
	return max(labels, surplus, apart)
}

// byCounts joins classes by lower bounds of their counts.
type byCounts struct {
	*profile
	radius int
}

func (x byCounts) bound(b *box) {
	b.least, b.most = b.classes[0].kind, b.classes[0].kind
	for _, c := range b.classes {
		for i, n := range c.counts {
			b.least.counts[i], b.most.counts[i] = min(b.least.counts[i], n), max(b.most.counts[i], n)
		}
	}
	for i, n := range b.most.counts {
		b.width += int(n - b.least.counts[i])
	}
}

// sort sorts by the count of the greatest width.
func (x byCounts) sort(b *box) {
	widest, width := 0, uint16(0)
	for i, n := range b.most.counts {
		if w := n - b.least.counts[i]; w > width {
			widest, width = i, w
		}
	}
	slices.SortFunc(b.classes, func(a, b class) int { return cmp.Compare(a.counts[widest], b.counts[widest]) })
}

func (x byCounts) decide(boxes []*box) verdict {
	least, most, v := boxes[0].least.counts, boxes[0].most.counts, allOf
	for i, b := range boxes {
		if i > 0 {
			least.add(&b.least.counts)
			most.add(&b.most.counts)
		}
		if b.width > 0 {
			v = someOf
		}
	}
	if x.lower(&least, &most) > x.radius {
		return noneOf
	}
	return v
}
