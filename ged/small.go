package ged

import (
	"math"
	"math/bits"

	"github.com/greedgraph/greed/internal/kernel"
)

// smallSearch is the plain search for pairs of at most 16 nodes each whose edges are plain or
// uniform and whose profits are small: a line of a matrix of 16-bit numbers is a vector. Its
// bound is tighter. Once reduced costs exclude pairs of nodes, edges whose ends they leave no
// pair earn nothing, so stars fall and with them the bound, which excludes more.
type smallSearch struct {
	*climber
	ops    kernel.Ops
	graphs kernel.PairingGraphs
	levels []kernel.Pairing
	orbits *orbits

	path   []int32 // the column of each row that is fixed in this state, or -1
	quick  int64   // states after which it gives up
	gaveUp bool
}

// smallPatience is how many states the search gets for one of plainSearch: a state takes a third
// of the time, and fewer pairs of nodes are left.
const smallPatience = 4

// smallBytes is more than the memory of the search.
const smallBytes = 1 << 16

// fits reports whether the search can take p.
func (s *smallSearch) fits(p *problem) bool {
	if !p.full || s.budget.memory < smallBytes || p.col.n > kernel.PairingSize || p.types > kernel.PairingKinds ||
		!(p.uniform || p.plain) || p.wild != 0 {
		return false
	}
	node, edge := 0, p.match
	for _, x := range p.node {
		node = max(node, x)
	}
	return 2*(node+kernel.PairingSize*edge) <= kernel.MostProfit
}

// start sets up the root, in which nothing is fixed, and returns its bound. The
// search gives up after so many states.
func (s *smallSearch) start(quick int64) (bound int) {
	p := s.p
	s.quick, s.gaveUp = quick, false
	if quick < math.MaxInt64/smallPatience {
		s.quick *= smallPatience
	}
	s.path = p.columns(s.path, nil)
	s.levels = resize(s.levels, p.row.n+2)
	l, g := &s.levels[0], &s.graphs
	l.Empty(p.row.n, p.col.n)
	g.Kinds = p.types
	g.Weight[0] = int16(p.miss)
	for k := 1; k < p.types; k++ {
		g.Weight[k] = int16(p.match - p.miss)
	}
	if p.uniform {
		g.Kinds, g.Weight[0] = 1, int16(p.match)
	}
	p.row.kinds(g.Kinds, &g.RowNext, &l.RowEdges)
	p.col.kinds(g.Kinds, &g.ColNext, &l.ColEdges)
	// No star earns more than most; the first narrowing lowers them to what they do.
	m, most := p.col.n, int16(kernel.PairingSize*p.match)
	for a := range p.row.n {
		profit, star := &l.Profit[a], &l.Star[a]
		for b, x := range p.node[a*m : a*m+m] {
			profit[b], star[b] = 2*int16(x)+most, most
		}
		l.U[a] = kernel.MostProfit
	}
	l.Bound = p.row.n * kernel.MostProfit
	if p.row.n > 0 {
		s.ops.NarrowPairing(l, g, kernel.MostProfit)
	}
	s.ops.SolvePairing(l, math.MinInt/2)
	return l.Bound
}

// kinds lists the neighbours of every node by kinds of edges, and counts them.
func (s *side) kinds(kinds int, next *[kernel.PairingKinds][kernel.PairingSize]uint16,
	edges *[kernel.PairingKinds]kernel.PairingLine) {
	for k := 1; k < kinds; k++ {
		next[k] = [kernel.PairingSize]uint16{}
	}
	for v := range s.n {
		all := uint16(0)
		for _, h := range s.of(v) {
			bit := uint16(1) << h.to
			all |= bit
			if int(h.typ) < kinds {
				next[h.typ][v] |= bit
			}
		}
		next[0][v] = all
	}
	for k := range kinds {
		for v, to := range next[k][:s.n] {
			edges[k][v] = int16(bits.OnesCount16(to))
		}
	}
}

// visit searches the state at depth k, like that of plainSearch.
func (s *smallSearch) visit(k int) (stopped bool) {
	l := &s.levels[k]
	for first := true; s.ops.SolvePairing(l, 2*s.goal); first = false {
		s.budget.searched++
		if first {
			s.price(l)
		}
		if s.budget.searched > s.quick {
			s.gaveUp = true
			return true
		}
		if s.budget.searched == s.budget.states || s.budget.Spend(2*s.p.row.n*s.p.col.n) {
			return s.stop(k)
		}
		row := s.narrow(l)
		if row < 0 {
			return false
		}
		col := s.columnOf(l, row)
		s.path[row] = int32(col)
		s.ops.FixPairing(&s.levels[k+1], l, &s.graphs, row, col)
		if s.visit(k + 1) {
			return true
		}
		s.path[row] = -1
		if l.Bound < 2*s.goal {
			return false // symmetries need not be known
		}
		s.excludeImages(l, row, col)
	}
	return false
}

// narrow excludes what no map of the goal contains until that changes nothing more, and
// returns the row to branch on, or -1 if no map of the goal is left.
func (s *smallSearch) narrow(l *kernel.Pairing) (row int) {
	if l.Bound < 2*s.goal || l.Rows == 0 {
		return -1
	}
	for {
		row, lost := s.ops.NarrowPairing(l, &s.graphs, int16(min(l.Bound-2*s.goal, kernel.MostProfit)))
		if row < 0 || !lost {
			return row
		}
		if !s.ops.SolvePairing(l, 2*s.goal) {
			return -1
		}
	}
}

// columnOf returns the column that a is matched to, or else the first that it has left.
func (s *smallSearch) columnOf(l *kernel.Pairing, a int) int {
	b := int(l.RowMatch[a])
	for b < 0 || l.Profit[a][b] < kernel.Forbidden/2 {
		b++
	}
	return b
}

// stop ends the search early, at depth k, like that of plainSearch. Local search improves the
// best map first.
func (s *smallSearch) stop(k int) bool {
	copy(s.trial, s.best)
	s.note(s.trial, s.bestProfit+s.climb())
	open := 2 * (s.goal - 1) // what was pruned has less than the goal
	for i := range s.levels[:k+1] {
		open = max(open, s.levels[i].Bound)
	}
	s.stopAt(open / 2)
	return true
}

// price keeps the assignment of l, as a node map, if it is the best. To improve that of the
// root by local search first spares 15 % of the states of AIDS700nef and takes 8 % more time.
func (s *smallSearch) price(l *kernel.Pairing) {
	changed, short := false, false
	for a, j := range s.path {
		if j < 0 {
			j = int32(l.RowMatch[a])
			short = short || j < 0
		}
		changed = changed || s.trial[a] != j
		s.trial[a] = j
	}
	if short {
		s.complete()
	} else if !changed && l != &s.levels[0] {
		return // the map of the last state
	}
	s.note(s.trial, s.p.profit(s.trial))
}

// excludeImages excludes the pair (a, b) once all maps that contain it were searched, and
// with it all its images.
func (s *smallSearch) excludeImages(l *kernel.Pairing, a, b int) {
	p := s.p
	p.findSymmetries(s.budget.searched > lookAfter)
	if p.row.rigid() && p.col.rigid() {
		l.Exclude(a, b)
		return
	}
	o := s.orbits
	o.clear(p)
	free := func(at []int32, nodes int) {
		for left := uint(nodes); left != 0; left &= left - 1 {
			at[bits.TrailingZeros(left)] = 0
		}
	}
	free(o.rowAt, l.Rows)
	free(o.colAt, l.Cols)
	o.of(p, int32(a), int32(b))
	for _, i := range o.rows {
		for _, j := range o.cols {
			l.Exclude(int(i), int(j))
		}
	}
}
