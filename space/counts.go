package space

import (
	"cmp"
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
	atLabel   = 5    // atoms with a label that the query has, by label
	atOrder   = 16   // bonds with a label that the query has, by label
	countSize = 20
)

// counts are these counts, four to a word, so that they are added and compared at once. Each is less than 1<<15.
type counts [countSize / 4]uint64

// Words of four counts, each its highest bit or 1.
const (
	highs = 0x8000_8000_8000_8000
	ones  = 0x0001_0001_0001_0001
)

func (c *counts) at(i int) int { return int(c[i/4] >> (i % 4 * 16) & 0xffff) }

// more adds n to a count.
func (c *counts) more(i, n int) { c[i/4] += uint64(n) << (i % 4 * 16) }

func (c *counts) add(d *counts) {
	for i := range c {
		c[i] += d[i]
	}
}

// over returns what each of four counts has more than another.
func over(a, b uint64) uint64 {
	d := (a | highs) - b
	more := d & highs
	return d & (more - more>>15)
}

// sum returns the sum of four counts.
func sum(a uint64) int { return int(a * ones >> 48) }

// least and most return the least and the greatest of each count.
func least(c, d counts) counts {
	for i := range c {
		c[i] -= over(c[i], d[i])
	}
	return c
}

func most(c, d counts) counts {
	for i := range c {
		c[i] += over(d[i], c[i])
	}
	return c
}

// maxAtoms is the greatest number of atoms of a synthon and of a query, and maxSize that of atoms and bonds of a
// synthon and of bonds of a query, so that the counts of four synthons with their joins fit.
const (
	maxAtoms = 4096
	maxSize  = 8182
)

// profile is what counts are compared with: the counts of a query.
type profile struct {
	task  edit.Task
	query counts
	// nodes and edges give the place of the count of a label. Labels that are too many share the last one. Wildcards
	// of a query that is to be contained have none, because they match anything.
	nodes, edges map[graph.Label]int
	anything     counts // of which any others are a part
}

func newProfile(task edit.Task, q *graph.Graph) *profile {
	x := &profile{task: task, nodes: map[graph.Label]int{}, edges: map[graph.Label]int{}}
	count := func(of map[graph.Label]int, l graph.Label, from, to int) {
		if l == graph.Wildcard && task == edit.SED {
			return
		}
		at, found := of[l]
		if !found {
			at = min(from+len(of), to-1)
			of[l] = at
		}
		x.query.more(at, 1)
	}
	for i := range x.anything {
		x.anything[i] = ^uint64(highs)
	}
	x.query.more(atNodes, q.N())
	x.query.more(atEdges, q.M())
	for _, l := range q.Labels() {
		count(x.nodes, l, atLabel, atOrder)
	}
	for e := range q.Edges() {
		count(x.edges, e.Label, atOrder, countSize)
	}
	return x
}

// of counts a fragment.
func (x *profile) of(g *graph.Graph) (c counts) {
	c.more(atNodes, g.N())
	for _, l := range g.Labels() {
		if at, found := x.nodes[l]; found {
			c.more(at, 1)
		} else {
			c.more(atStray, 1)
		}
	}
	for e := range g.Edges() {
		x.bond(&c, e.Label)
	}
	return c
}

// bond counts a bond.
func (x *profile) bond(c *counts, l graph.Label) {
	c.more(atEdges, 1)
	at, found := x.edges[l]
	switch {
	case l == graph.Wildcard:
		c.more(atLoose, 1)
	case found:
		c.more(at, 1)
	default:
		c.more(atStray, 1)
	}
}

// lacks returns how many atoms and how many bonds of one count by label another does not have.
func (c *counts) lacks(of *counts) (nodes, edges int) {
	const apart = 0xffff // is no label, and in one word with some
	return sum(over(c[1], of[1])&^apart + over(c[2], of[2]) + over(c[3], of[3])), sum(over(c[4], of[4]))
}

// lower returns a lower bound of the distance to any product with counts from low to high. Of edits by graph edit
// distance, those on the side of the product are those of its fragments, which their subgraph edit distances bound,
// and those on the side of the query are at least as many as it has more nodes and edges.
func (x *profile) lower(low, high *counts) int {
	nodes, edges := x.query.lacks(high)
	if edges -= high.at(atLoose); x.task == edit.SED {
		return nodes + max(0, edges)
	}
	n, m := x.query.at(atNodes), x.query.at(atEdges)
	labels := max(0, low.at(atNodes)-n) + nodes + max(m, low.at(atEdges)) - min(m, m-edges, high.at(atEdges))
	apart := low.at(atApart) + max(0, n-high.at(atNodes)) + max(0, m-high.at(atEdges))
	strayNodes, strayEdges := low.lacks(&x.query)
	return max(labels, low.at(atStray)+strayNodes+strayEdges, apart)
}

// byCounts joins classes by lower bounds of their counts.
type byCounts struct {
	*profile
	from, radius int // the least and the greatest bound
}

func (x byCounts) bound(b *box) {
	b.least, b.most = b.classes[0].kind, b.classes[0].kind
	for _, c := range b.classes {
		b.least.counts, b.most.counts = least(b.least.counts, c.counts), most(b.most.counts, c.counts)
	}
	for i, n := range b.most.counts {
		b.width += sum(n - b.least.counts[i])
	}
}

// sort sorts by the count of the greatest width.
func (x byCounts) sort(b *box) {
	widest, width := 0, 0
	for i := range countSize {
		if w := b.most.counts.at(i) - b.least.counts.at(i); w > width {
			widest, width = i, w
		}
	}
	slices.SortFunc(b.classes, func(a, b class) int { return cmp.Compare(a.counts.at(widest), b.counts.at(widest)) })
}

func (x byCounts) decide(boxes []*box) verdict {
	low, high, v := boxes[0].least.counts, boxes[0].most.counts, allOf
	for i, b := range boxes {
		if i > 0 {
			low.add(&b.least.counts)
			high.add(&b.most.counts)
		}
		if b.width > 0 {
			v = someOf
		}
	}
	if d := x.lower(&low, &high); d > x.radius || v == allOf && d < x.from {
		return noneOf
	}
	return v
}
