package within

import (
	"slices"

	"github.com/greedgraph/greed/internal/kernel"
)

// state is one state of the search: which nodes can be mapped to which, and a bound of
// what maps of these can earn.
//
// A row mapped to a column earns its node profit, and each of its half-edges x a share
// with one half-edge y of the column. For two half-edges and their reverses
//
//	share[x, y] + share[reverse x, reverse y] = weight[x, y].
//
// So the heaviest matching of the half-edges at both bounds what the two earn, and an assignment
// of rows to columns by these profits bounds what a map earns, for any shares (Adams and
// Johnson 1994). Its duals make that the bound Σu + Σv. Rows beyond those of the pair
// stand for none and earn nothing.
type state struct {
	kernel.StarState
	row, col  [MaxNodes]int8
	taken     set // columns that are assigned
	bound     int32
	fixedRows set // rows and columns branched on
	fixedCols set
}

// root sets s to the state in which every row may have every column, and edges share
// alike at both ends.
func (s *state) root(p *pair, k *counts) {
	r, c, lanes := p.row, p.col, p.net.Lanes
	line := p.net.Slots * lanes
	s.Shares = resize(s.Shares, len(r.arcs)*line)
	for x, kind := range r.kind {
		copy(s.Shares[x*line:][:line], p.half[int(kind)*line:][:line])
	}
	s.Node, s.U, s.Tight = resize(s.Node, r.n*lanes), resize(s.U, MaxNodes), resize(s.Tight, MaxNodes)
	both := p.rowDrop.node + p.colDrop.node
	for i := range r.n {
		node := s.Node[i*lanes:][:lanes]
		if same := slices.Index(r.label[:i], r.label[i]); same >= 0 {
			copy(node, s.Node[same*lanes:][:lanes])
			continue
		}
		equal, other := int16(both*p.grain), int16((both-k.nodeSub)*p.grain)
		for j, label := range c.label[:c.n] {
			if node[j] = other; label == r.label[i] || label == wildcard || r.label[i] == wildcard {
				node[j] = equal
			}
		}
		for j := c.n; j < lanes; j++ {
			node[j] = none
		}
	}
	s.Profit = append(s.Profit[:0], s.Node...)
	s.V = resize(s.V, lanes)
	clear(s.V)
	s.taken, s.fixedRows, s.fixedCols = set{}, set{}, set{}
	s.bound = p.worst() * p.grain
	for i := range c.n {
		s.row[i], s.col[i], s.U[i] = -1, -1, 0
		// Under these duals pairs of equal branches are tight, so most are assigned
		// at once.
		s.V[i] = int16((2*p.colDrop.node + (c.start[i+1]-c.start[i])*p.colDrop.edge) * p.grain / 2)
	}
}

func (s *state) copyTo(t *state, p *pair) {
	t.Shares = append(t.Shares[:0], s.Shares...)
	t.Node = append(t.Node[:0], s.Node...)
	t.Profit = append(t.Profit[:0], s.Profit...)
	t.V = append(t.V[:0], s.V...)
	t.U = append(t.U[:0], s.U...)
	t.Tight = append(t.Tight[:0], s.Tight...)
	n := p.col.n
	copy(t.row[:n], s.row[:n])
	copy(t.col[:n], s.col[:n])
	t.taken, t.bound, t.fixedRows, t.fixedCols = s.taken, s.bound, s.fixedRows, s.fixedCols
}

// open reports whether the pair (i, j) is not excluded.
func (s *state) open(p *pair, i, j int) bool { return s.Node[i*p.net.Lanes+j] != none }

// columns returns the columns that row i may have.
func (s *state) columns(p *pair, i int) (open set) {
	for j := range p.col.n {
		if s.open(p, i, j) {
			open.add(j)
		}
	}
	return open
}

// exclude forbids the pair (i, j). The next sweep does so with all pairs of half-edges that
// begin or end there.
func (s *state) exclude(p *pair, i, j int) {
	s.Node[i*p.net.Lanes+j] = none
	if int(s.row[i]) == j {
		s.release(i, j)
	}
}

// reset begins with small duals and no assignment again, as sums of larger ones might not
// be within 16 bits.
func (s *state) reset(cols int) {
	clear(s.V)
	s.taken = set{}
	for i := range cols {
		s.row[i], s.col[i] = -1, -1
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
		if k != j && s.open(p, i, k) {
			s.exclude(p, i, k)
		}
	}
	for k := range p.row.n {
		if k != i && s.open(p, k, j) {
			s.exclude(p, k, j)
		}
	}
	s.fixedRows.add(i)
	s.fixedCols.add(j)
}
