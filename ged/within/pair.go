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

	grain int32
	net   kernel.StarNet // lanes are columns
	half  []int16        // [kinds, slots, lanes] of weights
	// [kinds, kinds + 1] what an edge of a row costs more than one that columns lack, with one of the columns or none
	sub []int32
}

// drop is the cost of a node, and of an edge, that has no partner.
type drop struct{ node, edge int32 }

const (
	// mostShares bounds the memory of a state: 512 KiB.
	mostShares = 1 << 18
	mostSlots  = 32
	leastSlots = 3 // what kernels take; most molecules have no more
	// A grain is the 64th part of a unit of cost, or more where a node and its edges
	// earn so many units that 16 bits would not do for sums; see assign.
	finest     = 64
	coarsest   = 8
	mostProfit = 1 << 12
	// stepShare is the part of its allowance that a star raises its shares by, in
	// 1/2¹⁵. With seven eighths pairs take fewer states than with five eighths, three
	// quarters or all of it.
	stepShare = 7 << 12
	none      = kernel.NoProfit
)

// parts are the parts of its allowance for a share of a star of which so many are raised.
var parts = func() (list [mostSlots + 1]int16) {
	for n := range list {
		list[n] = int16(stepShare / max(1, n))
	}
	return list
}()

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
	n := &p.net
	n.Rows, n.Most, n.Both = p.row.n, p.row.most, p.ways == 2
	n.Lanes = max(1, (p.col.n+kernel.StarLane-1)/kernel.StarLane) * kernel.StarLane
	n.Slots = max(leastSlots, p.col.most)
	most := int32(max(p.row.most, n.Slots))
	p.grain = min(finest, mostProfit/max(1, c.nodeDelete+c.nodeInsert+most*(c.edgeDelete+c.edgeInsert))) &^ 1
	if max(p.row.most, n.Slots) > mostSlots || len(p.row.arcs)*n.Slots*n.Lanes > mostShares || p.grain < coarsest {
		return false
	}
	p.number()
	p.weigh(c)
	return true
}

// number finds the places of half-edges.
func (p *pair) number() {
	r, c, n := p.row, p.col, &p.net
	n.Start, n.Back = r.start[:r.n+1], r.back
	n.Split, n.To, n.Kind = resize(n.Split, r.n), resize(n.To, len(r.arcs)), r.kind
	for i := range r.n {
		split := r.start[i]
		for x := r.start[i]; x < r.start[i+1]; x++ {
			if n.To[x] = int32(r.arcs[x].to); int(n.To[x]) < i {
				split = x + 1
			}
		}
		n.Split[i] = split
	}
	line := n.Slots * n.Lanes
	n.Next, n.Reverse, n.Part, n.Places = resize(n.Next, line), resize(n.Reverse, line), resize(n.Part,
		n.Lanes), resize(n.Places, len(c.arcs))
	for from := 0; from < line; from += n.Lanes {
		next, reverse := n.Next[from:][:n.Lanes], n.Reverse[from:][:n.Lanes]
		for j := range next {
			next[j], reverse[j] = int16(j), int16(from+j)
		}
	}
	clear(n.Part)
	for j := range c.n {
		at := j
		for y := c.start[j]; y < c.start[j+1]; y++ {
			to, back := int(c.arcs[y].to), c.back[y]
			n.Places[y] = int16(at)
			n.Next[at], n.Reverse[at] = int16(to), int16(int(back-c.start[to])*n.Lanes+to)
			at += n.Lanes
		}
		if edges := c.start[j+1] - c.start[j]; edges > 0 {
			n.Part[j] = parts[edges]
		}
	}
	n.RowPart = parts[:]
}

// weigh sets what edges cost, the weights of half-edges, and their halves.
func (p *pair) weigh(k *counts) {
	r, c, n := p.row, p.col, &p.net
	kinds, both := len(c.kinds)+1, k.edgeDelete+k.edgeInsert
	p.sub = resize(p.sub, len(r.kinds)*kinds)
	line := n.Slots * n.Lanes
	n.Weight, p.half = resize(n.Weight, len(r.kinds)*line), resize(p.half, len(r.kinds)*line)
	for i := range n.Weight {
		n.Weight[i] = -1
	}
	copy(p.half, n.Weight)
	for kind, a := range r.kinds {
		sub := p.sub[kind*kinds:][:kinds]
		sub[0] = both
		for other, e := range c.kinds {
			switch {
			case a.way != e.way:
				sub[other+1] = both
			case a.label == e.label || a.label == wildcard || e.label == wildcard:
				sub[other+1] = 0
			default:
				sub[other+1] = k.edgeSub
			}
		}
		weight, half := n.Weight[kind*line:][:line], p.half[kind*line:][:line]
		for y, other := range c.kind {
			if c.arcs[y].way == a.way {
				w := int16((both - sub[other+1]) * p.grain)
				at := n.Places[y]
				weight[at], half[at] = w, w/2
			}
		}
	}
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
	return int32(p.row.n)*p.rowDrop.node + int32(p.col.n)*p.colDrop.node + int32(p.row.m)*p.rowDrop.edge +
		int32(p.col.m)*p.colDrop.edge
}
