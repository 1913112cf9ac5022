package within

// state is one state of the search: which nodes can be mapped to which, and a bound of
// what maps of these can earn.
//
// A row mapped to a column earns its node profit, and each of its half-edges x a share
// with one half-edge y of the column. For two half-edges and their reverses
//
//	share[x, y] + share[reverse x, reverse y] = weight[x, y].
//
// So a matching of the half-edges at both bounds what the two earn, and an assignment
// of rows to columns by these profits bounds what a map earns, for any shares (Adams and
// Johnson 1994). Its duals make that the bound Σu + Σv. Rows beyond those of the pair
// stand for none and earn nothing.
type state struct {
	shares       []int16 // [half-edges of rows, slots, lanes]; -1 where an end is excluded
	node, profit []int16 // [rows, lanes]; none where the pair is excluded
	u            [MaxNodes]int32
	v            []int16 // [lanes]; u[i] + v[j] ≥ profit[i, j]
	row, col     [MaxNodes]int8
	taken        set // columns that are assigned
	domain       [MaxNodes]set
	bound        int32
	fixedRows    set // rows and columns branched on
	fixedCols    set
}

// root sets s to the state in which every row may have every column, and edges share
// alike at both ends.
func (s *state) root(p *pair, k *counts) {
	s.shares = append(s.shares[:0], p.half...)
	r, c := p.row, p.col
	s.node, s.profit = resize(s.node, r.n*p.lanes), resize(s.profit, r.n*p.lanes)
	both := p.rowDrop.node + p.colDrop.node
	for i := range r.n {
		node := s.node[i*p.lanes:][:p.lanes]
		if i > 0 && r.label[i] == r.label[i-1] {
			copy(node, s.node[(i-1)*p.lanes:][:p.lanes])
			continue
		}
		for j := range c.n {
			node[j] = int16((both - k.relabel(r.label[i], c.label[j])) * p.grain)
		}
		for j := c.n; j < p.lanes; j++ {
			node[j] = none
		}
	}
	s.v = resize(s.v, p.lanes)
	clear(s.v)
	s.taken, s.fixedRows, s.fixedCols = set{}, set{}, set{}
	s.bound = p.worst() * p.grain
	for i := range c.n {
		s.row[i], s.col[i], s.u[i] = -1, -1, 0
		s.domain[i] = below(c.n)
		// Under these duals pairs of equal branches are tight, so most are assigned
		// at once.
		s.v[i] = int16((2*p.colDrop.node + (c.start[i+1]-c.start[i])*p.colDrop.edge) * p.grain / 2)
	}
}

func (s *state) copyTo(t *state, p *pair) {
	t.shares = append(t.shares[:0], s.shares...)
	t.node = append(t.node[:0], s.node...)
	t.profit = append(t.profit[:0], s.profit...)
	t.v = append(t.v[:0], s.v...)
	n := p.col.n
	copy(t.u[:n], s.u[:n])
	copy(t.row[:n], s.row[:n])
	copy(t.col[:n], s.col[:n])
	copy(t.domain[:n], s.domain[:n])
	t.taken, t.bound, t.fixedRows, t.fixedCols = s.taken, s.bound, s.fixedRows, s.fixedCols
}

// exclude forbids the pair (i, j), and so all pairs of half-edges that begin or end
// there.
func (s *state) exclude(p *pair, i, j int) {
	s.domain[i].remove(j)
	s.node[i*p.lanes+j], s.profit[i*p.lanes+j] = none, none
	line := p.slots * p.lanes
	ends := p.ends[p.col.start[j]:p.col.start[j+1]]
	for x := p.row.start[i]; x < p.row.start[i+1]; x++ {
		own, other := s.shares[int(x)*line:][:line], s.shares[int(p.row.back[x])*line:][:line]
		for _, e := range ends {
			own[e.at], other[e.back] = -1, -1
		}
	}
	if int(s.row[i]) == j {
		s.release(i, j)
	}
}

// release undoes the assignment of row i to column j.
func (s *state) release(i, j int) {
	s.row[i], s.col[j] = -1, -1
	s.taken.remove(j)
}

// fix maps row i to column j.
func (s *state) fix(p *pair, i, j int) {
	for k := range p.col.n {
		if k != j && s.domain[i].has(k) {
			s.exclude(p, i, k)
		}
	}
	for k := range p.row.n {
		if k != i && s.domain[k].has(j) {
			s.exclude(p, k, j)
		}
	}
	s.fixedRows.add(i)
	s.fixedCols.add(j)
}
