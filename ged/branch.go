package ged

// choose returns the pair to branch on, of a row that is not decided: with a linear program, the row
// that it maps to few columns and whose edges it maps in the most undecided way, otherwise the row with
// the fewest pairs left, weighted by its [failures]. It returns -1 if every row is decided, so that one
// node map is left, which it prices, or if a row that must be mapped has no pair left.
func (g *strongSearch) choose(k int) (row, col int) {
	d := g.duals[k]
	var l *linear
	if g.linear {
		l = g.program(k)
	}
	doubt, edges := g.doubts(d, l), g.edgeDoubts(d, l)
	row, col = -1, -1
	best := 0.0
	for a := range d.n {
		if d.decided[a] >= 0 {
			continue
		}
		left, first := 0, -1
		for b := range d.m {
			if !excluded(d.profit[a*d.m+b]) {
				left++
				if first < 0 {
					first = b
				}
			}
		}
		switch {
		case left == 0:
			if g.p.full {
				return -1, -1
			}
		case left == 1 && g.p.full && d.alone(a, first):
			// No other row wants this column, and mapping never loses profit, so
			// there is nothing to branch on.
		default:
			// Where no edge is in doubt, the number of columns decides.
			few := 1 / float64(left)
			if l != nil {
				few = leastFew + float64(doubt[a].few)
			}
			if score := (1e-4 + edges[a]) * few * g.failures.weight(d.rowID[a]); row < 0 || score > best {
				best, row, col = score, a, first
			}
		}
	}
	switch {
	case row < 0:
		g.priceRest(d)
	case g.linear && doubt[row].top > 0:
		col = doubt[row].col
	case d.rowMatch[row] >= 0:
		col = int(d.rowMatch[row])
	}
	return row, col
}

// leastFew bounds the weight of rows that the program maps to many columns: to exclude one of these
// changes little, but every row has to be decided.
const leastFew = 0.1

// doubt says how a row is mapped by the linear program.
type doubt struct {
	few float32 // Σx² of the row: a half if it is mapped to two columns alike, a third if to three
	top float32 // the greatest x of the row
	col int     // its column
}

// doubts returns the doubt of every row of d according to l, all 0 if that is nil.
func (g *strongSearch) doubts(d *dual, l *linear) []doubt {
	g.doubt = resize(g.doubt, g.x.n)
	clear(g.doubt)
	if l == nil {
		return g.doubt
	}
	for c := range l.cells {
		e, x := &l.cells[c], l.point.X[c]
		if excluded(d.profit[e.at]) {
			continue
		}
		row := &g.doubt[e.a]
		row.few += x * x
		if x > row.top {
			row.top, row.col = x, int(e.b)
		}
	}
	return g.doubt
}

// edgeDoubts returns for every row of d the profit of its edges according to l, each weighted by how far it is from
// 0 and 1, all 0 if that is nil.
func (g *strongSearch) edgeDoubts(d *dual, l *linear) []float64 {
	g.edgeDoubt = resize(g.edgeDoubt, g.x.n)
	clear(g.edgeDoubt)
	if l == nil {
		return g.edgeDoubt
	}
	for i := range l.pairs {
		p := &l.pairs[i]
		c1, c2 := &l.cells[p.c1], &l.cells[p.c2]
		if excluded(d.profit[c1.at]) || excluded(d.profit[c2.at]) {
			continue
		}
		y := l.point.Y[p.at1]
		open := float64(max(0, min(y, 1-y)) * l.point.Weight[p.at1])
		g.edgeDoubt[c1.a] += open
		g.edgeDoubt[c2.a] += open
	}
	return g.edgeDoubt
}

// alone reports whether column b has no pair but that with row a.
func (d *dual) alone(a, b int) bool {
	for c := range d.n {
		if c != a && !excluded(d.profit[c*d.m+b]) {
			return false
		}
	}
	return true
}

// priceRest prices the node map of the pairs that are left, one for each row.
func (g *strongSearch) priceRest(d *dual) {
	for a := range d.n {
		d.rowMatch[a] = -1
	}
	for at, p := range d.profit {
		if !excluded(p) {
			d.rowMatch[at/d.m] = int32(at % d.m)
		}
	}
	g.price(&d.level)
}
