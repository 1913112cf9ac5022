package ged

import "github.com/greedgraph/greed/internal/kernel"

// linear is the linear program whose dual [relaxation] describes, at one state of the
// search. Variable x[a, b] maps row a to column b, and y[e, f] maps half-edge e to
// half-edge f; a pair of half-edges and its reverse are one variable. The program is
//
//	max  Σ node·x + Σ weight·y,  x, y ≥ 0,
//	Σ_b x[a, b] ≤ 1,  Σ_a x[a, b] ≤ 1,
//	Σ_{f at b} y[e, f] ≤ x[a, b]  for every half-edge e at row a and every column b,
//	Σ_{e at a} y[e, f] ≤ x[a, b]  for every half-edge f at column b and every row a.
//
// This is the relaxation of FORI (D'Ascenzo et al., PVLDB 2025), with the constraints of
// both graphs. Only pairs of nodes that are not excluded have variables; they are its
// cells. Cells of the same shape go through a step together; see [kernel.Program].
//
// Nothing here has to be exact: [linear.share] hands over shares, and any shares make
// a bound.
type linear struct {
	x     *relaxation
	cells []cell  // by shape: cell i is in lane i modulo kernel.CellLane of its group
	ranks []int32 // of half-edges at cells: see arrange
	pairs []edgePair
	point kernel.Program
	slots []int32 // where the constraints of rows, and then of columns, are among those of the point

	formed int // cells and pairs when the groups were formed

	scale float64 // profits are divided by it
	restarts

	// Scratch: the new numbers of cells, the cells in the order before, where the pairs were that
	// are kept, how many cells the rows and columns have that are not listed yet, and where the lists of
	// vectors of them begin.
	moved, pairsFrom, crowd, lists []int32
	old                            []cell
}

// cell is a pair of a row and a column that is not excluded.
type cell struct {
	at, a, b   int32 // in the profits of [dual]; row; column
	rows, cols int32 // how many half-edges of the row and of the column have a pair here
	// Where its ranks are: that of half-edge e of the row at rowRanks + e, that of half-edge f of
	// the column at colRanks + f.
	rowRanks, colRanks int32
}

// edgePair is one y: its half-edges, the cells at its ends, and where it is in their groups.
type edgePair struct {
	e, f, c1, c2, at1, at2 int32
}

// linearBytes bounds the memory of the program.
func linearBytes(p *problem) int64 {
	rows, cols := int64(len(p.row.arcs)), int64(len(p.col.arcs))
	return 36*(rows*cols+p.filled()) + 20*(rows*int64(p.col.n)+cols*int64(p.row.n)) + 96*int64(p.row.n)*int64(p.col.n)
}

// filled bounds by how many pairs of half-edges the groups of cells are filled up. Cells
// are sorted by shape, which has as many values as there are degrees, and 0. So the groups of
// one number of rows lose, lane by lane, what their numbers of columns differ, and a group
// more where the next number begins.
func (p *problem) filled() int64 {
	widest, degrees := 0, make(map[int]bool)
	for b := range p.col.n {
		widest = max(widest, len(p.col.of(b)))
	}
	sum := 0
	for a := range p.row.n {
		if n := len(p.row.of(a)); !degrees[n] {
			degrees[n] = true
			sum += n
		}
	}
	return 2 * kernel.CellLane * int64(widest) * int64(sum)
}

// setup builds the program of the pairs that d has not excluded. It reports whether
// there was time for that.
func (l *linear) setup(x *relaxation, d *dual, asc *ascent) bool {
	l.x = x
	most := 1
	for _, w := range x.gain {
		most = max(most, w)
	}
	l.scale = float64(most)
	x.index = resize(x.index, x.n*x.m)
	number := x.index // of the cell, or -1
	for at := range number {
		number[at] = -1
	}
	l.cells, l.pairs = l.cells[:0], l.pairs[:0]
	for b := range x.m {
		if asc.clock.Spend(8 * x.n) {
			return false
		}
		for a := range x.n {
			at := a*x.m + b
			if !excluded(d.profit[at]) {
				number[at] = int32(len(l.cells))
				l.cells = append(l.cells, cell{at: int32(at), a: int32(a), b: int32(b)})
			}
		}
	}
	for e := range x.row.list {
		row := &x.row.list[e]
		if row.from > row.to {
			continue
		}
		if asc.clock.Spend(8 * x.col.len()) {
			return false
		}
		weight := x.weight[e*x.col.len():]
		for f := range x.col.list {
			col := &x.col.list[f]
			c1, c2 := number[int(row.from)*x.m+int(col.from)], number[int(row.to)*x.m+int(col.to)]
			if weight[f] > 0 && c1 >= 0 && c2 >= 0 {
				l.pairs = append(l.pairs, edgePair{e: int32(e), f: int32(f), c1: c1, c2: c2})
			}
		}
	}
	l.arrange()
	l.fill()
	for i := range l.pairs {
		l.locate(i)
	}
	l.begin(d, asc)
	l.widths()
	l.weight = startWeight
	l.formed = len(l.cells) + len(l.pairs)
	l.total = 0
	l.ready()
	l.anchor()
	return true
}

// startWeight is the first weight, for profits of edges of at most 1. From 6 the bounds of
// molecules and of proteins rise faster than from 1, 3 or 8.
const startWeight = 6

// begin starts from the shares of d.
func (l *linear) begin(d *dual, asc *ascent) {
	unit := float32(1 / l.scale)
	for c := range l.cells {
		if asc.clock.Spend(64) {
			return
		}
		row, col := l.duals(c)
		rowRanks, colRanks := l.ranksAt(&l.cells[c])
		asc.duals = resize(asc.duals, len(rowRanks)+len(colRanks))
		ys, zs := asc.duals[:len(rowRanks)], asc.duals[len(rowRanks):]
		asc.eval(d, int(l.cells[c].a), int(l.cells[c].b), ys, zs)
		for i, y := range ys {
			if k := rowRanks[i]; k >= 0 {
				l.point.Dual[row+int(k)*kernel.CellLane] = float32(y) * unit
			}
		}
		for i, z := range zs {
			if k := colRanks[i]; k >= 0 {
				l.point.Dual[col+int(k)*kernel.CellLane] = float32(z) * unit
			}
		}
	}
	for a, u := range d.u {
		l.point.Dual[l.slots[a]] = float32(u) * unit
	}
	for b, v := range d.v {
		l.point.Dual[l.slots[l.x.n+b]] = float32(v) * unit
	}
}

// widths sets the lengths of dual steps: one over the number of variables of the
// constraint (Pock and Chambolle, 2011), which fill and locate have counted.
func (l *linear) widths() {
	for k, w := range l.point.Width {
		if w >= 1 {
			l.point.Width[k] = 1 / w
		}
	}
}

// widen sets the length of the steps of a constraint that loses a variable. No width is more than 1.
func widen(width *float32) { *width = 1 / max(1, float32(int32(1 / *width + 0.5)-1)) }
