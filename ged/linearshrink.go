package ged

import "github.com/greedgraph/greed/internal/kernel"

// shrink sets l to what is left of the program from, which may be l itself, now that d
// excludes more. It goes on from where from is. It reports whether there was time for
// that.
func (l *linear) shrink(from *linear, d *dual, asc *ascent) bool {
	work := len(from.pairs) + from.constraints()
	if l == from {
		gone, left := l.drop(d)
		if gone == 0 {
			return true
		}
		if asc.clock.Spend(4 * work) {
			return false
		}
		if left > l.formed-l.formed/fewGone {
			return true
		}
		from = &asc.spare
		*l, *from = *from, *l
	}
	if asc.clock.Spend(8 * work) {
		return false
	}
	l.x, l.scale, l.restarts = from.x, from.scale, from.restarts
	l.cells, l.pairs = l.cells[:0], l.pairs[:0]
	from.moved = resize(from.moved, len(from.cells))
	for c, k := range from.cells {
		from.moved[c] = -1
		if !excluded(d.profit[k.at]) {
			from.moved[c] = int32(len(l.cells))
			l.cells = append(l.cells, k)
		}
	}
	cols := l.x.col.len()
	from.pairsFrom = from.pairsFrom[:0]
	for i := range from.pairs {
		k := &from.pairs[i]
		c1, c2 := from.moved[k.c1], from.moved[k.c2]
		if c1 >= 0 && c2 >= 0 && d.share[int(k.e)*cols+int(k.f)] != dead {
			l.pairs = append(l.pairs, edgePair{e: k.e, f: k.f, c1: c1, c2: c2})
			from.pairsFrom = append(from.pairsFrom, k.at1)
		}
	}
	l.arrange()
	l.fill()
	to, old := &l.point, &from.point
	for c, now := range from.moved {
		if now < 0 {
			continue
		}
		now = l.moved[now]
		to.X[now], to.X0[now] = old.X[c], old.X0[c]
		row, col := l.duals(int(now))
		rows, cols := l.ranksAt(&l.cells[now])
		fromRow, fromCol := from.duals(c)
		fromRows, fromCols := from.ranksAt(&from.cells[c])
		inheritDuals(to, old, row, fromRow, rows, fromRows)
		inheritDuals(to, old, col, fromCol, cols, fromCols)
	}
	for i, at := range from.pairsFrom {
		l.locate(i)
		n := &l.pairs[i]
		y, y0 := old.Y[at], old.Y0[at]
		to.Y[n.at1], to.Y[n.at2], to.Y0[n.at1], to.Y0[n.at2] = y, y, y0, y0
	}
	for k, now := range l.slots {
		was := from.slots[k]
		to.Dual[now], to.Dual0[now] = old.Dual[was], old.Dual0[was]
	}
	l.widths()
	l.ready()
	l.formed = len(l.cells) + len(l.pairs)
	if from != &asc.spare {
		l.total = 0
		l.anchor()
	}
	return true
}

// inheritDuals copies the dual values of half-edges with the given ranks, at to and at from.
func inheritDuals(to, old *kernel.Program, at, from int, ranks, fromRanks []int32) {
	for i, k := range ranks {
		if k >= 0 {
			now, was := at+int(k)*kernel.CellLane, from+int(fromRanks[i])*kernel.CellLane
			to.Dual[now], to.Dual0[now] = old.Dual[was], old.Dual0[was]
		}
	}
}

// fewGone: where fewer than one cell or pair in so many has been excluded since the groups were
// formed, the others stay where they are, and steps pass over what is excluded, since forming
// the groups anew takes longer.
const fewGone = 4

// drop takes out of l what d excludes, and leaves the rest where it is. It returns how many pairs and
// cells it took, and how many are left.
func (l *linear) drop(d *dual) (gone, left int) {
	p := &l.point
	for i := range l.cells {
		switch k := &l.cells[i]; {
		case p.Node[i] == kernel.Unused:
		case excluded(d.profit[k.at]):
			gone++
			p.Node[i] = kernel.Unused
			p.X[i], p.X0[i] = 0, 0
			widen(&p.Width[p.Row[i]])
			widen(&p.Width[p.Col[i]])
		default:
			left++
		}
	}
	cols := l.x.col.len()
	kept := 0
	for i := range l.pairs {
		k := &l.pairs[i]
		if d.share[int(k.e)*cols+int(k.f)] != dead {
			if kept < i {
				l.pairs[kept] = *k
			}
			kept++
			continue
		}
		l.dropAt(k.c1, k.e, k.f)
		l.dropAt(k.c2, l.x.row.list[k.e].rev, l.x.col.list[k.f].rev)
	}
	gone, left = gone+len(l.pairs)-kept, left+kept
	l.pairs = l.pairs[:kept]
	return gone, left
}

// dropAt takes the pair of half-edges e and f out of the group of cell c.
func (l *linear) dropAt(c, e, f int32) {
	at, row, col := l.place(c, e, f)
	p := &l.point
	p.Weight[at], p.Y[at], p.Y0[at] = kernel.Unused, 0, 0
	widen(row)
	widen(col)
}
