package ged

import (
	"slices"

	"github.com/greedgraph/greed/internal/kernel"
)

// fill forms the groups of the cells, and sets everything in them to what is not used but
// for the profits of cells and the lengths of their steps.
func (l *linear) fill() {
	x, p := l.x, &l.point
	p.Groups = p.Groups[:0]
	duals, pairs := int32(0), int32(0)
	for i := range l.cells {
		if i%kernel.CellLane == 0 {
			if i > 0 {
				duals, pairs = l.next()
			}
			p.Groups = append(p.Groups, kernel.CellGroup{Dual: duals, Pair: pairs})
		}
		g := &p.Groups[len(p.Groups)-1]
		g.Rows = max(g.Rows, int32(x.row.degree(l.cells[i].a)))
		g.Cols = max(g.Cols, int32(x.col.degree(l.cells[i].b)))
	}
	duals, pairs = l.next()
	n := len(p.Groups) * kernel.CellLane
	reset(&p.X, n, 0)
	reset(&p.X0, n, 0)
	reset(&p.Far, n, 0)
	reset(&p.Node, n, kernel.Unused)
	reset(&p.Step, n, 1)
	p.Row, p.Col = resize(p.Row, n), resize(p.Col, n)
	clear(p.Row)
	clear(p.Col)
	for i := range l.cells {
		k := &l.cells[i]
		p.Row[i], p.Col[i] = k.a, k.b
		p.Node[i] = float32(float64(x.node[k.at]) / l.scale)
		p.Step[i] = 1 / float32(x.row.degree(k.a)+x.col.degree(k.b)+2)
	}
	for _, values := range []*[]float32{&p.Dual, &p.Dual0, &p.Last} {
		reset(values, int(duals), 0)
	}
	reset(&p.Width, int(duals), kernel.Unmoved)
	reset(&p.Weight, int(pairs), kernel.Unused)
	for _, values := range []*[]float32{&p.Y, &p.Y0, &p.Sum, &p.Next} {
		reset(values, int(pairs), 0)
	}
	p.Reverse = resize(p.Reverse, int(pairs))
	for i := range p.Reverse {
		p.Reverse[i] = int32(i)
	}
}

// next returns where the constraints and the pairs of the next group begin.
func (l *linear) next() (duals, pairs int32) {
	if len(l.point.Groups) == 0 {
		return 0, 0
	}
	g := &l.point.Groups[len(l.point.Groups)-1]
	return g.Dual + (g.Rows+g.Cols)*kernel.CellLane, g.Pair + g.Rows*g.Cols*kernel.CellLane
}

func reset(values *[]float32, n int, to float32) {
	*values = resize(*values, n)
	for i := range *values {
		(*values)[i] = to
	}
}

// place sets where pair i is in its groups, and its weight.
func (l *linear) place(i int) {
	x, p, k := l.x, &l.point, &l.pairs[i]
	row, col := &x.row.list[k.e], &x.col.list[k.f]
	k.at1, k.at2 = l.pairAt(k.c1, k.e, k.f), l.pairAt(k.c2, row.rev, col.rev)
	w := float32(float64(x.gain[int(row.typ)*x.types+int(col.typ)]) / l.scale)
	p.Weight[k.at1], p.Weight[k.at2] = w, w
	p.Reverse[k.at1], p.Reverse[k.at2] = k.at2, k.at1
}

// pairAt returns where the pair of half-edges e and f is in the group of cell c.
func (l *linear) pairAt(c, e, f int32) int32 {
	g, k := &l.point.Groups[c/kernel.CellLane], &l.cells[c]
	e -= l.x.row.start[k.a]
	f -= l.x.col.start[k.b]
	return g.Pair + (e*g.Cols+f)*kernel.CellLane + c%kernel.CellLane
}

// duals returns where the constraints of the rows and of the columns of cell c begin, which
// are kernel.CellLane apart, and how many there are.
func (l *linear) duals(c int) (row, col, rows, cols int) {
	g, k := &l.point.Groups[c/kernel.CellLane], &l.cells[c]
	row = int(g.Dual) + c%kernel.CellLane
	return row, row + int(g.Rows)*kernel.CellLane, l.x.row.degree(k.a), l.x.col.degree(k.b)
}

// ready makes the point ready for steps.
func (l *linear) ready() {
	p := &l.point
	p.RowDual, p.ColDual = l.sides.dual[:l.x.n], l.sides.dual[l.x.n:]
	copy(p.Last, p.Dual)
	p.SetSums()
}

// byDegree returns the nodes in the order of their degrees.
func (g *arcs) byDegree() []int32 {
	order := make([]int32, len(g.start)-1)
	for v := range order {
		order[v] = int32(v)
	}
	slices.SortStableFunc(order, func(v, w int32) int { return g.degree(v) - g.degree(w) })
	return order
}

func (g *arcs) degree(v int32) int { return int(g.start[v+1] - g.start[v]) }
