package ged

import (
	"slices"

	"github.com/greedgraph/greed/internal/clock"
)

// relaxation is the strong bound: the Lagrangian relaxation of the linear program
// that Adams and Johnson (1994) gave for quadratic assignment, restricted to pairs
// of edges. A half-edge x of the rows, i → k, and a half-edge y of the columns,
// j → l, earn weight(x, y) if i is mapped to j and k to l. The two pairs of nodes
// share the weight,
//
//	share[x, y] + share[reverse x, reverse y] = weight(x, y),
//
// and a pair (i, j) earns its node profit and its star: the best matching of the
// half-edges at i with those at j, by their shares. For any shares, the best
// assignment by these profits bounds the profit of every node map. With equal
// shares this is the bound of [level]. The best shares give the optimum of a linear
// program; [linear] comes close to them, and a sweep of [ascent] improves what it finds.
//
// A relaxation holds what all states of a search have in common. It covers only the
// rows and columns that still have pairs, and numbers them anew.
type relaxation struct {
	n, m     int
	row, col arcs
	own      []int // [n, m] profits of nodes
	node     []int // the same in grains, or what [triangles] make of them
	gain     []int // [types, types] weights, in grains
	weight   []int // [half-edges of rows, of columns] the same, or what [triangles] make of them
	types    int

	// Scratch: the new number of a node, or -1, and where the rows and columns
	// are in the level.
	index, rowAt, colAt []int32
}

// grain is the number of units of the bound in one unit of profit. It keeps
// arithmetic in integers, so that bounds are exact, and lets shares move by less
// than a unit of profit.
const grain = 256

// arcs are the half-edges of one side: those at node v are start[v] to
// start[v+1].
type arcs struct {
	start []int32
	list  []arc
	order []int32 // nodes by how many half-edges they have
}

type arc struct {
	from, to, typ, rev int32
}

func (g *arcs) len() int { return len(g.list) }

// dual is a relaxation at one state of the search: excluded
// pairs, shares and the duals of the assignment problem. All profits are in
// grains.
type dual struct {
	level
	share   []int   // [half-edges of rows, of columns]; dead if an end is excluded
	best    int     // the least bound proven at this state
	decided []int32 // [n] the column that a row was decided to have, or -1
}

// dead is the share of a pair of half-edges that cannot be used any more.
const dead = -1 << 60

// setup prepares the relaxation of p on the pairs that l has not excluded, and the
// dual of the root. It reports whether there was time for that.
func (x *relaxation) setup(p *problem, l *level, d *dual) bool {
	rows, cols := x.rowAt[:0], x.colAt[:0]
	for a := range l.n {
		for b := range l.m {
			if !excluded(l.profit[a*l.stride+b]) {
				rows = append(rows, int32(a))
				break
			}
		}
	}
	for b := range l.m {
		for a := range l.n {
			if !excluded(l.profit[a*l.stride+b]) {
				cols = append(cols, int32(b))
				break
			}
		}
	}
	// Pairs that the caller fixed have moved rows and columns; arcs.setup wants them in order.
	slices.SortFunc(rows, func(a, b int32) int { return int(l.rowID[a] - l.rowID[b]) })
	slices.SortFunc(cols, func(a, b int32) int { return int(l.colID[a] - l.colID[b]) })
	x.rowAt, x.colAt = rows, cols
	x.n, x.m = len(rows), len(cols)
	d.shape(x.n, x.m, x.m, 1)
	for a, at := range rows {
		d.rowID[a], d.u[a], d.rowMatch[a] = l.rowID[at], 0, -1
	}
	for b, at := range cols {
		d.colID[b], d.v[b], d.colMatch[b] = l.colID[at], 0, -1
	}
	x.row.setup(&p.row, d.rowID, &x.index)
	x.col.setup(&p.col, d.colID, &x.index)
	x.types = p.types
	x.gain = resize(x.gain, p.types*p.types)
	for i, w := range p.edge {
		x.gain[i] = w * grain
	}
	x.own, x.node = resize(x.own, x.n*x.m), resize(x.node, x.n*x.m)
	for a, rowAt := range rows {
		if p.clock.Spend(x.m * (4 + p.types)) {
			return false
		}
		for b, colAt := range cols {
			// The profits of levels are doubled and include stars; here stars
			// are computed from the shares.
			profit := l.profit[int(rowAt)*l.stride+int(colAt)]
			own := (profit - p.star(l, int(rowAt), int(colAt))) / 2
			x.own[a*x.m+b], x.node[a*x.m+b] = own, own*grain
			d.profit[a*x.m+b] = 0
			if excluded(profit) {
				d.profit[a*x.m+b] = forbidden
			}
		}
	}
	d.fixed = l.fixed / 2 * grain
	d.bound = d.fixed
	d.best = l.bound * grain / 2
	d.decided = resize(d.decided, x.n)
	for a := range d.decided {
		d.decided[a] = -1
	}
	return x.halve(d, p.clock)
}

// halve starts with equal shares of every weight. It reports whether there was time
// for that.
func (x *relaxation) halve(d *dual, clock *clock.Clock) bool {
	cols := x.col.len()
	d.share, x.weight = resize(d.share, x.row.len()*cols), resize(x.weight, x.row.len()*cols)
	for s, e := range x.row.list {
		if clock.Spend(4 * cols) {
			return false
		}
		for t, f := range x.col.list {
			w := x.gain[int(e.typ)*x.types+int(f.typ)]
			share := w / 2
			if excluded(d.profit[int(e.from)*x.m+int(f.from)]) || excluded(d.profit[int(e.to)*x.m+int(f.to)]) {
				share = dead
			} else if int(e.rev) < s {
				share = w - share
			}
			d.share[s*cols+t], x.weight[s*cols+t] = share, w
		}
	}
	return true
}

// setup lists the half-edges of s between the given nodes, which increase, and numbers
// these anew.
func (g *arcs) setup(s *side, nodes []int32, index *[]int32) {
	*index = resize(*index, s.n)
	number := *index
	for v := range number {
		number[v] = -1
	}
	for a, v := range nodes {
		number[v] = int32(a)
	}
	g.start = append(g.start[:0], 0)
	g.list = g.list[:0]
	for a, v := range nodes {
		for _, h := range s.of(int(v)) {
			if w := number[h.to]; w >= 0 {
				g.list = append(g.list, arc{int32(a), w, h.typ, 0})
			}
		}
		g.start = append(g.start, int32(len(g.list)))
	}
	g.order = resize(g.order, len(nodes))
	for a := range g.order {
		g.order[a] = int32(a)
	}
	slices.SortFunc(g.order, func(a, b int32) int { return int(g.degree(a) - g.degree(b)) })
	// The list is sorted by start and then by end. So the half-edges into a node
	// come by increasing start, in the order of those out of it, their reverses.
	next := number[:len(nodes)]
	copy(next, g.start)
	for s := range g.list {
		e := &g.list[s]
		e.rev = next[e.to]
		next[e.to]++
	}
}

// copyTo sets c to d. It reports whether there was time for that.
func (d *dual) copyTo(c *dual, clock *clock.Clock) bool {
	c.shape(d.n, d.m, d.m, 1)
	copy(c.rowID, d.rowID)
	copy(c.colID, d.colID)
	copy(c.profit, d.profit)
	copy(c.u, d.u)
	copy(c.v, d.v)
	copy(c.rowMatch, d.rowMatch)
	copy(c.colMatch, d.colMatch)
	c.bound, c.fixed, c.best = d.bound, d.fixed, d.best
	c.decided = append(c.decided[:0], d.decided...)
	c.share = resize(c.share, len(d.share))
	for at := 0; at < len(d.share); at += copyBlock {
		if clock.Spend(copy(c.share[at:], d.share[at:min(at+copyBlock, len(d.share))])) {
			return false
		}
	}
	return true
}

// copyBlock is how many shares are copied between two looks at the clock.
const copyBlock = 1 << 17
