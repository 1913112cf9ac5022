package ged

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
// cells. The constraints of a cell lie side by side: first those of the half-edges at
// its row, then those of the half-edges at its column.
//
// Nothing here has to be exact: [linear.share] hands over shares, and any shares make
// a bound.
type linear struct {
	x      *relaxation
	cells  []cell
	pairs  []edgePair
	origin []pairOrigin // of pairs
	scale  float64      // profits are divided by it
	weight float64      // of dual steps against primal ones

	// The current point, its anchor, and the dual values that the last step led to.
	// By constraint: first those of the cells, then the rows, then the columns.
	primal, primal0   []float32 // x by cell
	flow, flow0       []float32 // y by pair
	dual, dual0, last []float32 // by constraint
	load              []float32 // by constraint: by how much the left side exceeds the right
	width             []float32 // by constraint: the length of its steps

	since, total int     // steps since the anchor was set, and since keep or setup
	first, prev  float64 // residuals of the first step after the anchor, and of the last

	moved []shift // scratch
}

// cell is a pair of a row and a column that is not excluded.
type cell struct {
	at, a, b   int32   // in the profits of [dual]; row; column
	first, end int32   // its constraints
	step       float32 // the length of its steps
	node       float32 // profit
}

// edgePair is one y, with the constraints that it is in: at its first cell that of the
// row's half-edge and that of the column's, and the same at its second cell.
type edgePair struct {
	row1, col1, row2, col2 int32
	weight                 float32
}

// pairOrigin says where a y comes from: its half-edges and its cells.
type pairOrigin struct {
	e, f, c1, c2 int32
}

// linearBytes bounds the memory of the program.
func linearBytes(p *problem) int64 {
	rows, cols := int64(len(p.row.arcs)), int64(len(p.col.arcs))
	return 22*rows*cols + 20*(rows*int64(p.col.n)+cols*int64(p.row.n)) + 64*int64(p.row.n)*int64(p.col.n)
}

// setup builds the program of the pairs that d has not excluded. It reports whether
// there was time for that.
func (l *linear) setup(x *relaxation, d *dual, asc *ascent) bool {
	l.x = x
	l.cells, l.pairs, l.origin = l.cells[:0], l.pairs[:0], l.origin[:0]
	most := 1
	for _, w := range x.gain {
		most = max(most, w)
	}
	l.scale = float64(most)
	x.index = resize(x.index, x.n*x.m)
	number := x.index // of the cell, or -1
	duals := int32(0)
	for a := range x.n {
		if asc.clock.Spend(8 * x.m) {
			return false
		}
		for b := range x.m {
			at := a*x.m + b
			number[at] = -1
			if excluded(d.profit[at]) {
				continue
			}
			number[at] = int32(len(l.cells))
			size := x.row.start[a+1] - x.row.start[a] + x.col.start[b+1] - x.col.start[b]
			l.cells = append(l.cells, cell{
				at: int32(at), a: int32(a), b: int32(b), first: duals, end: duals + size,
				step: 1 / float32(size+2), node: float32(float64(x.node[at]) / l.scale),
			})
			duals += size
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
		gain := x.gain[int(row.typ)*x.types:]
		for f := range x.col.list {
			col := &x.col.list[f]
			w := gain[col.typ]
			c1, c2 := number[int(row.from)*x.m+int(col.from)], number[int(row.to)*x.m+int(col.to)]
			if w <= 0 || c1 < 0 || c2 < 0 {
				continue
			}
			l.origin = append(l.origin, pairOrigin{int32(e), int32(f), c1, c2})
			l.pairs = append(l.pairs, edgePair{
				row1: l.rowDual(c1, int32(e)), col1: l.colDual(c1, int32(f)),
				row2: l.rowDual(c2, row.rev), col2: l.colDual(c2, col.rev),
				weight: float32(float64(w) / l.scale),
			})
		}
	}
	l.primal = resize(l.primal, len(l.cells))
	l.primal0 = resize(l.primal0, len(l.cells))
	l.flow, l.flow0 = resize(l.flow, len(l.pairs)), resize(l.flow0, len(l.pairs))
	clear(l.primal)
	clear(l.flow)
	all := l.constraints()
	l.dual, l.dual0 = resize(l.dual, all), resize(l.dual0, all)
	l.last, l.load = resize(l.last, all), resize(l.load, all)
	clear(l.dual)
	l.begin(d, asc)
	l.widths()
	l.weight = startWeight
	l.total = 0
	l.anchor()
	return true
}

// startWeight is the first weight, for profits of edges of at most 1. From 6 the bounds of
// molecules and of proteins rise faster than from 1, 3 or 8.
const startWeight = 6

// keep sets l to what is left of the program from, which may be l itself, now that d
// excludes more. It goes on from where from is. It reports whether there was time for
// that.
func (l *linear) keep(from *linear, d *dual, asc *ascent) bool {
	if l == from && !l.stale(d) {
		return true
	}
	if asc.clock.Spend(8 * (len(from.pairs) + len(from.dual))) {
		return false
	}
	l.x, l.scale, l.weight = from.x, from.scale, from.weight
	l.since, l.total, l.first, l.prev = from.since, from.total, from.first, from.prev
	base, all := from.sides(), from.constraints()
	if l != from {
		l.cells, l.pairs, l.origin = resize(l.cells, len(from.cells)), resize(l.pairs, len(from.pairs)), resize(l.origin, len(from.origin))
		l.primal, l.primal0 = resize(l.primal, len(from.primal)), resize(l.primal0, len(from.primal0))
		l.flow, l.flow0 = resize(l.flow, len(from.flow)), resize(l.flow0, len(from.flow0))
		l.dual, l.dual0 = resize(l.dual, all), resize(l.dual0, all)
		l.last, l.load = resize(l.last, all), resize(l.load, all)
	}
	l.moved = resize(l.moved, len(from.cells))
	at, count := int32(0), int32(0)
	for c := range from.cells {
		k := from.cells[c]
		l.moved[c].cell = -1
		if excluded(d.profit[k.at]) {
			continue
		}
		size := k.end - k.first
		copy(l.dual[at:at+size], from.dual[k.first:k.end])
		copy(l.dual0[at:at+size], from.dual0[k.first:k.end])
		copy(l.last[at:at+size], from.last[k.first:k.end])
		l.primal[count], l.primal0[count] = from.primal[c], from.primal0[c]
		l.moved[c] = shift{count, at - k.first}
		k.first, k.end = at, at+size
		l.cells[count] = k
		at += size
		count++
	}
	l.cells, l.primal, l.primal0 = l.cells[:count], l.primal[:count], l.primal0[:count]
	copy(l.dual[at:], from.dual[base:all])
	copy(l.dual0[at:], from.dual0[base:all])
	copy(l.last[at:], from.last[base:all])
	all -= base - int(at)
	l.dual, l.dual0, l.last, l.load = l.dual[:all], l.dual0[:all], l.last[:all], l.load[:all]
	count = 0
	cols := l.x.col.len()
	for i := range from.pairs {
		o := from.origin[i]
		m1, m2 := l.moved[o.c1], l.moved[o.c2]
		if m1.cell < 0 || m2.cell < 0 || d.share[int(o.e)*cols+int(o.f)] == dead {
			continue
		}
		p := from.pairs[i]
		l.pairs[count] = edgePair{p.row1 + m1.by, p.col1 + m1.by, p.row2 + m2.by, p.col2 + m2.by, p.weight}
		l.origin[count] = pairOrigin{o.e, o.f, m1.cell, m2.cell}
		l.flow[count], l.flow0[count] = from.flow[i], from.flow0[i]
		count++
	}
	l.pairs, l.origin, l.flow, l.flow0 = l.pairs[:count], l.origin[:count], l.flow[:count], l.flow0[:count]
	l.widths()
	if l != from {
		l.total = 0
		l.anchor()
	}
	return true
}

// stale reports whether d excludes a cell or a pair of l.
func (l *linear) stale(d *dual) bool {
	for i := range l.cells {
		if excluded(d.profit[l.cells[i].at]) {
			return true
		}
	}
	cols := l.x.col.len()
	for i := range l.origin {
		if d.share[int(l.origin[i].e)*cols+int(l.origin[i].f)] == dead {
			return true
		}
	}
	return false
}

// shift says where a cell went: its new number, or -1, and how far its constraints moved.
type shift struct{ cell, by int32 }

// begin starts from the shares of d.
func (l *linear) begin(d *dual, asc *ascent) {
	unit := float32(1 / l.scale)
	for c := range l.cells {
		if asc.clock.Spend(64) {
			return
		}
		k := &l.cells[c]
		asc.star.solve(l.x.starAt(d, int(k.a), int(k.b)))
		at := k.first
		for _, y := range asc.star.y {
			l.dual[at] = float32(y) * unit
			at++
		}
		for _, z := range asc.star.z {
			l.dual[at] = float32(z) * unit
			at++
		}
	}
	base := l.sides()
	for a, u := range d.u {
		l.dual[base+a] = float32(u) * unit
	}
	for b, v := range d.v {
		l.dual[base+l.x.n+b] = float32(v) * unit
	}
}

func (l *linear) rowDual(c, e int32) int32 {
	k := &l.cells[c]
	return k.first + e - l.x.row.start[k.a]
}

func (l *linear) colDual(c, f int32) int32 {
	k := &l.cells[c]
	return k.end - l.x.col.start[k.b+1] + f
}

// sides returns where the constraints of rows begin.
func (l *linear) sides() int {
	if len(l.cells) == 0 {
		return 0
	}
	return int(l.cells[len(l.cells)-1].end)
}

func (l *linear) constraints() int { return l.sides() + l.x.n + l.x.m }

// widths sets the lengths of dual steps: one over the number of variables of the
// constraint (Pock and Chambolle, 2011).
func (l *linear) widths() {
	l.width = resize(l.width, l.constraints())
	base := l.sides()
	for k := range l.width {
		l.width[k] = 0
		if k < base {
			l.width[k] = 1
		}
	}
	for i := range l.pairs {
		p := &l.pairs[i]
		l.width[p.row1]++
		l.width[p.col1]++
		l.width[p.row2]++
		l.width[p.col2]++
	}
	for i := range l.cells {
		l.width[base+int(l.cells[i].a)]++
		l.width[base+l.x.n+int(l.cells[i].b)]++
	}
	for k, w := range l.width {
		l.width[k] = 1 / max(1, w)
	}
}
