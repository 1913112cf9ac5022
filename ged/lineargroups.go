package ged

import "github.com/greedgraph/greed/internal/kernel"

// arrange sorts the cells by shape: by how many half-edges of their row, and then of their
// column, have a pair that is left. Only these have constraints, which are numbered in their
// order, by the ranks of the half-edges. It sets moved to the new numbers of cells.
func (l *linear) arrange() {
	x := l.x
	l.ranks = l.ranks[:0]
	for c := range l.cells {
		k := &l.cells[c]
		n, m := x.row.degree(k.a), x.col.degree(k.b)
		at := int32(len(l.ranks))
		k.rowRanks, k.colRanks = at-x.row.start[k.a], at+int32(n)-x.col.start[k.b]
		for range n + m {
			l.ranks = append(l.ranks, -1)
		}
	}
	for i := range l.pairs {
		o := &l.pairs[i]
		l.mark(o.c1, o.e, o.f)
		l.mark(o.c2, x.row.list[o.e].rev, x.col.list[o.f].rev)
	}
	for c := range l.cells {
		k := &l.cells[c]
		rows, cols := l.ranksAt(k)
		k.rows, k.cols = rank(rows), rank(cols)
	}
	// Counting sort. Numbers between two degrees count as the greater, so there are few.
	rows, cols := x.row.steps(), x.col.steps()
	wide := cols[len(cols)-1] + 1
	counts := make([]int32, int(rows[len(rows)-1]+1)*int(wide)+1)
	for c := range l.cells {
		counts[rows[l.cells[c].rows]*wide+cols[l.cells[c].cols]+1]++
	}
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	l.moved, l.old = resize(l.moved, len(l.cells)), append(l.old[:0], l.cells...)
	for c, k := range l.old {
		to := &counts[rows[k.rows]*wide+cols[k.cols]]
		l.cells[*to], l.moved[c] = k, *to
		*to++
	}
	for i := range l.pairs {
		o := &l.pairs[i]
		o.c1, o.c2 = l.moved[o.c1], l.moved[o.c2]
	}
}

// mark notes that half-edges e and f have a pair at cell c.
func (l *linear) mark(c, e, f int32) {
	k := &l.cells[c]
	l.ranks[k.rowRanks+e], l.ranks[k.colRanks+f] = 0, 0
}

// ranksAt returns the ranks of the half-edges of the row and of the column at a cell, -1 for
// those without a pair there.
func (l *linear) ranksAt(k *cell) (rows, cols []int32) {
	row, col := l.x.row.start[k.a:k.a+2], l.x.col.start[k.b:k.b+2]
	return l.ranks[k.rowRanks+row[0] : k.rowRanks+row[1]], l.ranks[k.colRanks+col[0] : k.colRanks+col[1]]
}

// rank numbers what is marked and returns how many there are.
func rank(marks []int32) (count int32) {
	for i, k := range marks {
		if k >= 0 {
			marks[i] = count
			count++
		}
	}
	return count
}

// steps returns for every number up to the greatest degree how many degrees, and 0, are less.
func (g *arcs) steps() []int32 {
	most := 0
	for v := range len(g.start) - 1 {
		most = max(most, g.degree(int32(v)))
	}
	below := make([]int32, most+2)
	for v := range len(g.start) - 1 {
		below[g.degree(int32(v))+1] = 1
	}
	below[1] = 1
	for i := 1; i < len(below); i++ {
		below[i] += below[i-1]
	}
	return below[:most+1]
}

// fill forms the groups of the cells, and sets everything in them to what is not used but
// for the profits of cells and the lengths of their steps. What steps or ready set stays.
func (l *linear) fill() {
	x, p := l.x, &l.point
	p.Groups = p.Groups[:0]
	l.fillSides()
	duals, pairs := int32(p.Sides()), int32(0)
	for i := range l.cells {
		if i%kernel.CellLane == 0 {
			if i > 0 {
				duals, pairs = l.next()
			}
			p.Groups = append(p.Groups, kernel.CellGroup{Dual: duals, Pair: pairs})
		}
		g := &p.Groups[len(p.Groups)-1]
		g.Rows = max(g.Rows, l.cells[i].rows)
		g.Cols = max(g.Cols, l.cells[i].cols)
	}
	if len(l.cells) > 0 {
		duals, pairs = l.next()
	}
	n := len(p.Groups) * kernel.CellLane
	reset(&p.X, n, 0)
	reset(&p.X0, n, 0)
	reset(&p.Node, n, kernel.Unused)
	reset(&p.Step, n, 1)
	reset(&p.Far, n+kernel.CellLane, 0)
	p.Row, p.Col = resize(p.Row, n), resize(p.Col, n)
	clear(p.Row[len(l.cells):])
	clear(p.Col[len(l.cells):])
	reset(&p.Width, int(duals), kernel.Unmoved)
	for k, at := range l.slots {
		p.Width[at] = float32(max(1, l.crowd[k]))
	}
	for i := range l.cells {
		k := &l.cells[i]
		p.Row[i], p.Col[i] = l.list(i, k.a), l.list(i, int32(x.n)+k.b)
		p.Node[i] = float32(float64(x.node[k.at]) / l.scale)
		p.Step[i] = 1 / float32(k.rows+k.cols+2)
		row, col := l.duals(i)
		for e := range int(k.rows) {
			p.Width[row+e*kernel.CellLane] = 1
		}
		for f := range int(k.cols) {
			p.Width[col+f*kernel.CellLane] = 1
		}
	}
	reset(&p.Dual, int(duals), 0)
	reset(&p.Dual0, int(duals), 0)
	p.Last = resize(p.Last, int(duals))
	reset(&p.Weight, int(pairs), kernel.Unused)
	reset(&p.Y, int(pairs), 0)
	reset(&p.Y0, int(pairs), 0)
	p.Sum, p.Next = resize(p.Sum, int(pairs)), resize(p.Next, int(pairs))
	p.Reverse = resize(p.Reverse, int(pairs))
	for i := range p.Reverse {
		p.Reverse[i] = int32(i)
	}
}

// fillSides sorts the rows and columns by how many cells they have, so that little is filled up in the
// vectors that take one cell of each at a time, and makes these ready for the cells.
func (l *linear) fillSides() {
	x, p := l.x, &l.point
	n := x.n + x.m
	l.crowd, l.slots = resize(l.crowd, n), resize(l.slots, n)
	clear(l.crowd)
	for i := range l.cells {
		l.crowd[l.cells[i].a]++
		l.crowd[x.n+int(l.cells[i].b)]++
	}
	counts := make([]int32, max(x.n, x.m)+2)
	for _, k := range l.crowd {
		counts[k+1]++
	}
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	vectors := (n + kernel.CellLane - 1) / kernel.CellLane
	p.Counts, l.lists = resize(p.Counts, vectors), resize(l.lists, vectors)
	clear(p.Counts)
	for k, crowd := range l.crowd {
		at := counts[crowd]
		counts[crowd]++
		l.slots[k] = at
		most := &p.Counts[at/kernel.CellLane]
		*most = max(*most, crowd)
	}
	listed := int32(0)
	for i, count := range p.Counts {
		l.lists[i] = listed
		listed += count * kernel.CellLane
	}
	p.Cells = resize(p.Cells, int(listed))
	none := int32((len(l.cells) + kernel.CellLane - 1) / kernel.CellLane * kernel.CellLane)
	for i := range p.Cells {
		p.Cells[i] = none
	}
}

// list puts cell i into the vectors of its row or column, and returns where that has its constraint.
func (l *linear) list(i int, side int32) (slot int32) {
	slot = l.slots[side]
	l.crowd[side]--
	l.point.Cells[l.lists[slot/kernel.CellLane]+l.crowd[side]*kernel.CellLane+slot%kernel.CellLane] = int32(i)
	return slot
}

// next returns where the constraints and the pairs of the next group begin.
func (l *linear) next() (duals, pairs int32) {
	g := &l.point.Groups[len(l.point.Groups)-1]
	return g.Dual + (g.Rows+g.Cols)*kernel.CellLane, g.Pair + g.Rows*g.Cols*kernel.CellLane
}

func reset(values *[]float32, n int, to float32) {
	*values = resize(*values, n)
	for i := range *values {
		(*values)[i] = to
	}
}

// locate sets where pair i is in its groups, and its weight, and counts it in the widths of its constraints.
func (l *linear) locate(i int) {
	x, p, k := l.x, &l.point, &l.pairs[i]
	row, col := &x.row.list[k.e], &x.col.list[k.f]
	w := float32(float64(x.weight[int(k.e)*x.col.len()+int(k.f)]) / l.scale)
	at1, row1, col1 := l.place(k.c1, k.e, k.f)
	at2, row2, col2 := l.place(k.c2, row.rev, col.rev)
	k.at1, k.at2 = at1, at2
	p.Weight[at1], p.Weight[at2] = w, w
	p.Reverse[at1], p.Reverse[at2] = at2, at1
	for _, width := range [...]*float32{row1, col1, row2, col2} {
		*width++
	}
}

// place returns where the pair of half-edges e and f is in the group of cell c, and the widths of its
// constraints there.
func (l *linear) place(c, e, f int32) (at int32, row, col *float32) {
	g, k := &l.point.Groups[c/kernel.CellLane], &l.cells[c]
	i, j := l.ranks[k.rowRanks+e], l.ranks[k.colRanks+f]
	lane := c % kernel.CellLane
	width := l.point.Width[g.Dual+lane:]
	return g.Pair + (i*g.Cols+j)*kernel.CellLane + lane, &width[i*kernel.CellLane], &width[(g.Rows+j)*kernel.CellLane]
}

// duals returns where the constraints of the rows and of the columns of cell c begin, which
// are kernel.CellLane apart.
func (l *linear) duals(c int) (row, col int) {
	g := &l.point.Groups[c/kernel.CellLane]
	row = int(g.Dual) + c%kernel.CellLane
	return row, row + int(g.Rows)*kernel.CellLane
}

// ready makes the point ready for steps.
func (l *linear) ready() {
	p := &l.point
	copy(p.Last, p.Dual)
	p.SetSums()
}

func (g *arcs) degree(v int32) int { return int(g.start[v+1] - g.start[v]) }
