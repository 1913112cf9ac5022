package ged

// level is one state of the search: the rows and columns that are not fixed
// yet, and an upper bound of what they can still earn. Profits here are
// doubled, because an edge between two free rows is earned half by either.
//
// profit[a, b] bounds what free row a mapped to free column b earns: twice the
// node's and the edges' to fixed rows, which is exact, plus once the best
// matching of the edges to free rows (the star). The dual solution
//
//	u[a] + v[b] ≥ profit[a, b], u ≥ 0, v ≥ 0,
//
// of the assignment problem makes fixed + Σu + Σv an upper bound of every
// completion. It is kept feasible at all times and tightened by solve.
type level struct {
	n, m     int
	rowID    []int32 // [n] rows of the problem
	colID    []int32 // [m]
	profit   []int   // [n, m]; forbidden where the pair is excluded
	u, v     []int
	rowMatch []int32 // [n] the column each row is matched to, or -1
	colMatch []int32 // [m] and the other way round
	rowStar  []int32 // [n, types] edges to free rows, by type; the total at 0
	colStar  []int32 // [m, types]
	fixed    int     // doubled profit among fixed rows
	bound    int     // fixed + Σu + Σv
}

// forbidden is the profit of an excluded pair: so low that no dual is near it.
const forbidden = -1 << 60

// shape prepares l for n rows and m columns.
func (l *level) shape(n, m, types int) {
	l.n, l.m = n, m
	l.rowID = resize(l.rowID, n)
	l.colID = resize(l.colID, m)
	l.profit = resize(l.profit, n*m)
	l.u = resize(l.u, n)
	l.v = resize(l.v, m)
	l.rowMatch = resize(l.rowMatch, n)
	l.colMatch = resize(l.colMatch, m)
	l.rowStar = resize(l.rowStar, n*types)
	l.colStar = resize(l.colStar, m*types)
}

// root sets l to the state in which nothing is fixed.
func (l *level) root(p *problem) {
	n, m := p.row.n, p.col.n
	l.shape(n, m, p.types)
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
		best := 0
		for b := range m {
			x := 2*p.node[a*m+b] + p.star(l, a, b)
			l.profit[a*m+b] = x
			best = max(best, x)
		}
		l.u[a] = best
		l.bound += best
	}
}

func countStars(star []int32, s *side, types int) {
	clear(star)
	for v := range s.n {
		for _, h := range s.of(v) {
			star[v*types]++
			star[v*types+int(h.typ)]++
		}
	}
}

// fix sets c to the state of l with free row a fixed to free column b.
func (c *level) fix(p *problem, l *level, a, b int, mark *marks) {
	types := p.types
	c.shape(l.n-1, l.m-1, types)
	i, j := l.rowID[a], l.colID[b]
	mark.set(p, i, j)
	drop(c.rowID, l.rowID, a, 1)
	drop(c.colID, l.colID, b, 1)
	drop(c.u, l.u, a, 1)
	drop(c.v, l.v, b, 1)
	drop(c.rowStar, l.rowStar, a, types)
	drop(c.colStar, l.colStar, b, types)
	dropMatch(c.rowMatch, l.rowMatch, a, b)
	dropMatch(c.colMatch, l.colMatch, b, a)
	c.fixed = l.fixed + l.profit[a*l.m+b] - p.star(l, a, b)

	takeArcs(c.rowStar, c.rowID, mark.row, p.reverse, types)
	takeArcs(c.colStar, c.colID, mark.col, p.reverse, types)
	for a2 := range c.n {
		src := l.profit[(a2+btoi(a2 >= a))*l.m:]
		dst := c.profit[a2*c.m : a2*c.m+c.m]
		drop(dst, src[:l.m], b, 1)
		rowType := int(mark.row[c.rowID[a2]])
		for b2 := range dst {
			colType := int(mark.col[c.colID[b2]])
			if rowType == 0 && colType == 0 || dst[b2] == forbidden {
				continue
			}
			before := p.star(l, a2+btoi(a2 >= a), b2+btoi(b2 >= b))
			dst[b2] += p.star(c, a2, b2) - before + 2*p.edge[rowType*types+colType]
		}
	}
	mark.clear(p, i, j)
	c.repairDuals()
}

// repairDuals raises u where profits rose above the duals, dissolves matches
// that are not tight, and sums up the bound.
func (c *level) repairDuals() {
	c.bound = c.fixed
	for b := range c.v {
		c.bound += c.v[b]
	}
	for a := range c.n {
		row := c.profit[a*c.m : a*c.m+c.m]
		u := c.u[a]
		for b, x := range row {
			u = max(u, x-c.v[b])
		}
		c.u[a] = u
		c.bound += u
		if b := c.rowMatch[a]; b >= 0 && u+c.v[b] != row[b] {
			c.rowMatch[a] = -1
			c.colMatch[b] = -1
		}
	}
}

// drop copies src to dst without the k entries of index at.
func drop[T any](dst, src []T, at, k int) {
	copy(dst, src[:at*k])
	copy(dst[at*k:], src[(at+1)*k:])
}

// dropMatch copies src to dst without entry at, and renumbers for the loss of
// partner gone on the other side.
func dropMatch(dst, src []int32, at, gone int) {
	drop(dst, src, at, 1)
	for i, x := range dst {
		switch {
		case int(x) == gone:
			dst[i] = -1
		case int(x) > gone:
			dst[i] = x - 1
		}
	}
}

// takeArcs takes the marked half-edges out of the stars.
func takeArcs(star []int32, id []int32, mark []int32, reverse []int32, types int) {
	for a, i := range id {
		if t := mark[i]; t != 0 {
			star[a*types]--
			star[a*types+int(reverse[t])]--
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// marks holds the types between one node of either side and all others.
type marks struct {
	row, col []int32 // [n] and [m], zero between uses
}

func (k *marks) shape(n, m int) {
	k.row = resize(k.row, n)
	k.col = resize(k.col, m)
	clear(k.row)
	clear(k.col)
}

// set stores the types as seen from i and from j.
func (k *marks) set(p *problem, i, j int32) {
	for _, h := range p.row.of(int(i)) {
		k.row[h.to] = h.typ
	}
	for _, h := range p.col.of(int(j)) {
		k.col[h.to] = h.typ
	}
}

func (k *marks) clear(p *problem, i, j int32) {
	for _, h := range p.row.of(int(i)) {
		k.row[h.to] = 0
	}
	for _, h := range p.col.of(int(j)) {
		k.col[h.to] = 0
	}
}
