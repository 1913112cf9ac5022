package within

import (
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
)

// pair is what all states of a search have in common: two graphs, and what maps from
// the nodes of the smaller one, the rows, to those of the other, the columns, can earn.
//
// A map earns what it saves over deleting all of one graph and inserting all of the
// other, in grains of a unit of cost: for every row and its column a node profit, and
// for a half-edge of the row and one of the column, if both ends are mapped, at most
// their weight.
type pair struct {
	query    *graph.Graph
	q, t     side
	row, col *side // q and t, the smaller first
	rowDrop  drop  // of rows without a column: deletions, or insertions if swapped
	colDrop  drop  // of columns without a row
	ways     uint8 // directions of edges

	grain        int32
	lanes, slots int     // of columns, and of half-edges at each: see kernel.Stars
	weight, half []int16 // [half-edges of rows, slots, lanes]
	ends         []end   // half-edges of columns
	split        []int32 // [rows] the first half-edge that leads to a later row
	part         []int16 // [lanes] by what part of its allowance a star that columns bound raises each share
}

// drop is the cost of a node, and of an edge, that has no partner.
type drop struct{ node, edge int32 }

// end is the place of a half-edge of a column among slots and lanes, and that of its
// reverse.
type end struct{ at, back int32 }

const (
	// mostShares bounds the memory of a state: 512 KiB.
	mostShares = 1 << 18
	mostSlots  = 32
	// A grain is the 64th part of a unit of cost, or more where a node and its edges
	// earn so many units that 16 bits would not do for sums; see assign.
	finest     = 64
	coarsest   = 8
	mostProfit = 1 << 12
	// stepShare is the part of its allowance that a star raises its shares by, in
	// 1/2¹⁵. With three quarters the bound rose in fewer passes than with a half, two
	// thirds or all of it.
	stepShare = 3 << 13
	// none is the profit of an excluded pair.
	none = -30000
)

// compile prepares the pair and reports whether it is supported.
func (p *pair) compile(c *counts, sed bool, q, t *graph.Graph) bool {
	if p.query != q { // a search asks about one query many times
		p.q.read(q, c.edgeSub > 0, sed)
		p.query = q
	}
	p.t.read(t, c.edgeSub > 0, false)
	p.ways = ways(q)
	p.row, p.col = &p.q, &p.t
	p.rowDrop, p.colDrop = drop{c.nodeDelete, c.edgeDelete}, drop{c.nodeInsert, c.edgeInsert}
	if p.q.n > p.t.n {
		p.row, p.col = p.col, p.row
		p.rowDrop, p.colDrop = p.colDrop, p.rowDrop
	}
	p.slots = max(1, p.col.most)
	p.lanes = max(1, (p.col.n+kernel.StarLane-1)/kernel.StarLane) * kernel.StarLane
	most := int32(max(p.row.most, p.slots))
	p.grain = min(finest, mostProfit/max(1, c.nodeDelete+c.nodeInsert+most*(c.edgeDelete+c.edgeInsert))) &^ 1
	if max(p.row.most, p.slots) > mostSlots || len(p.row.arcs)*p.slots*p.lanes > mostShares || p.grain < coarsest {
		return false
	}
	p.number()
	p.weigh(c)
	return true
}

// number finds the places of half-edges.
func (p *pair) number() {
	r, c := p.row, p.col
	p.split = resize(p.split, r.n)
	for i := range r.n {
		x := r.start[i]
		for x < r.start[i+1] && int(r.arcs[x].to) < i {
			x++
		}
		p.split[i] = x
	}
	p.ends = resize(p.ends, len(c.arcs))
	place := func(j int, y int32) int32 { return (y-c.start[j])*int32(p.lanes) + int32(j) }
	for j := range c.n {
		for y := c.start[j]; y < c.start[j+1]; y++ {
			p.ends[y] = end{place(j, y), place(int(c.arcs[y].to), c.back[y])}
		}
	}
	p.part = resize(p.part, p.lanes)
	clear(p.part)
	for j := range c.n {
		if n := c.start[j+1] - c.start[j]; n > 0 {
			p.part[j] = int16(stepShare / n)
		}
	}
}

// weigh sets the weights of half-edges, and their halves.
func (p *pair) weigh(k *counts) {
	r, c := p.row, p.col
	line := p.slots * p.lanes
	p.weight, p.half = resize(p.weight, len(r.arcs)*line), resize(p.half, len(r.arcs)*line)
	for x := range r.arcs {
		a := &r.arcs[x]
		weight, half := p.weight[x*line:][:line], p.half[x*line:][:line]
		if same := alike(r.arcs[:x], a); same >= 0 {
			copy(weight, p.weight[same*line:][:line])
			copy(half, p.half[same*line:][:line])
			continue
		}
		for at := range weight {
			weight[at] = -1
		}
		copy(half, weight)
		for y := range c.arcs {
			e := &c.arcs[y]
			if e.way != a.way {
				continue
			}
			w := k.edgeDelete + k.edgeInsert
			if a.label != e.label && a.label != wildcard && e.label != wildcard {
				w -= k.edgeSub
			}
			at := p.ends[y].at
			weight[at] = int16(w * p.grain)
			half[at] = weight[at] / 2
		}
	}
}

// alike returns the first of the arcs with the label and the direction of a, or -1.
func alike(arcs []arc, a *arc) int {
	for y := range arcs {
		if arcs[y].label == a.label && arcs[y].way == a.way {
			return y
		}
	}
	return -1
}

// relabel returns the cost of substituting the label of a column for that of a row.
func (c *counts) relabel(a, b int32) int32 {
	if a == b || a == wildcard || b == wildcard {
		return 0
	}
	return c.nodeSub
}

// worst returns the cost of the map that earns nothing.
func (p *pair) worst() int32 {
	return int32(p.row.n)*p.rowDrop.node + int32(p.col.n)*p.colDrop.node + int32(p.row.m)*p.rowDrop.edge + int32(p.col.m)*p.colDrop.edge
}
