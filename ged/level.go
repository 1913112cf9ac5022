package ged

// level is one state of the search: the rows and columns that are still free, and an
// upper bound of the profit they can still earn. Profits here are doubled, because
// each of two free rows earns half of the edge between them.
//
// profit[a, b] bounds the profit of mapping free row a to free column b. It is twice
// the profit of the node and of its edges to fixed rows, which is exact, plus once
// that of the best matching of its edges to free rows (the star). The dual solution
//
//	u[a] + v[b] ≥ profit[a, b], u ≥ 0, v ≥ 0,
//
// of the assignment problem makes fixed + Σu + Σv an upper bound of the profit of every
// completion. The duals stay feasible at all times, so the bound holds even where solve
// was not finished.
type level struct {
	n, m     int
	stride   int     // of profit
	rowID    []int32 // [n] rows of the problem
	colID    []int32 // [m]
	profit   []int   // [n, m], rows stride apart; forbidden where the pair is excluded
	u, v     []int
	rowMatch []int32 // [n] the column each row is matched to, or -1
	colMatch []int32 // [m] and the other way round
	rowStar  []int32 // [n, types] number of edges to free rows by type; the total at 0
	colStar  []int32 // [m, types]
	fixed    int     // doubled profit among fixed rows
	bound    int     // fixed + Σu + Σv
}

// forbidden is the profit of an excluded pair, far below every dual. Updates may
// change it a little, so everything below half of it counts as excluded.
const forbidden = -1 << 60

func excluded(profit int) bool { return profit < forbidden/2 }

// shape prepares l for n rows and m columns.
func (l *level) shape(n, m, stride, types int) {
	l.n, l.m, l.stride = n, m, stride
	l.rowID = resize(l.rowID, n)
	l.colID = resize(l.colID, m)
	l.profit = resize(l.profit, n*stride)
	l.u = resize(l.u, n)
	l.v = resize(l.v, m)
	l.rowMatch = resize(l.rowMatch, n)
	l.colMatch = resize(l.colMatch, m)
	l.rowStar = resize(l.rowStar, n*types)
	l.colStar = resize(l.colStar, m*types)
}

// root sets l to the state in which nothing is fixed. With prune, it excludes pairs
// that cannot earn anything, so prune is wrong where the caller fixed pairs. It reports
// whether there was time.
func (l *level) root(p *problem, prune bool) bool {
	n, m := p.row.n, p.col.n
	l.shape(n, m, m, p.types)
	countStars(l.rowStar, &p.row, p.types)
	countStars(l.colStar, &p.col, p.types)
	for a := range n {
		l.rowID[a] = int32(a)
		l.rowMatch[a] = -1
	}
	for b := range m {
		l.colID[b] = int32(b)
		l.colMatch[b] = -1
		l.v[b] = 0
	}
	l.fixed, l.bound = 0, 0
	for a := range n {
		if p.clock.Spend(m * (4 + p.types)) {
			return false
		}
		best := 0
		row := l.profit[a*m : a*m+m]
		node := p.node[a*m : a*m+m]
		for b := range row {
			star := p.star(l, a, b)
			x := 2*node[b] + star
			if prune && node[b]+star <= 0 {
				x = forbidden // even with all of its edges it earns no more than if left out
			}
			row[b] = x
			best = max(best, x)
		}
		l.u[a] = best
		l.bound += best
	}
	return true
}

// countStars counts the edges of every node by type.
func countStars(star []int32, s *side, types int) {
	clear(star)
	for v := range s.n {
		for _, h := range s.of(v) {
			star[v*types]++
			star[v*types+int(h.typ)]++
		}
	}
}

// exclude forbids the pair (a, b).
func (l *level) exclude(a, b int) {
	l.profit[a*l.stride+b] = forbidden
	if int(l.rowMatch[a]) == b {
		l.rowMatch[a], l.colMatch[b] = -1, -1
	}
}
