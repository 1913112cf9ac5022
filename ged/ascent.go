package ged

import "github.com/greedgraph/greed/internal/clock"

// ascent lowers the bound of duals, which is ascent in the Lagrangian dual of the
// minimisation. Its slices are scratch.
type ascent struct {
	x      *relaxation
	star   starSolver
	assign assigner
	clock  *clock.Clock
	all    bool    // every star may have changed
	dirty  []int32 // pairs of nodes whose star may have changed
	isDirt []bool
	open   []int32 // scratch: see opened
	duals  []int   // scratch: those of stars

	// Scratch of eliminatePairs: the slack of pairs of half-edges in their stars, as flush
	// saw them last (-dead of those that are dead), and that of cells in the assignment.
	slack, cellSlack []int

	// Scratch of eliminateByTree: the dual values of half-edges in the stars, by nodes of the
	// other side, as flush saw them last, unless there is no memory for them, and the forests.
	trees                bool
	rowEnds, colEnds     []int
	rowForest, colForest forest
	marginals            marginals
	turn                 int

	spare linear // scratch of shrink
}

// setup begins with x. With trees, [ascent.eliminateByTree] may be called.
func (s *ascent) setup(x *relaxation, clock *clock.Clock, trees bool) {
	s.x, s.trees = x, trees
	s.clock, s.assign.clock = clock, clock
	s.isDirt = resize(s.isDirt, x.n*x.m)
	clear(s.isDirt)
	s.dirty, s.all = s.dirty[:0], false
	s.slack = resize(s.slack, x.row.len()*x.col.len())
	if s.turn = 0; trees {
		s.rowEnds, s.colEnds = resize(s.rowEnds, x.row.len()*x.m), resize(s.colEnds, x.col.len()*x.n)
		s.rowForest.setup(&x.row)
		s.colForest.setup(&x.col)
	}
}

// touch marks the star of a pair of nodes as out of date.
func (s *ascent) touch(cell int) {
	if !s.isDirt[cell] {
		s.isDirt[cell] = true
		s.dirty = append(s.dirty, int32(cell))
	}
}

// touchAll marks all stars as out of date.
func (s *ascent) touchAll() { s.all = true }

// opened lists the pairs of row a, or of column a, that d does not exclude: the other nodes, by how many half-edges
// they have, so that loops over these end as those before did.
func (s *ascent) opened(d *dual, a int, byCol bool) []int32 {
	order, at, step := s.x.col.order, a*d.m, 1
	if byCol {
		order, at, step = s.x.row.order, a, d.m
	}
	s.open = resize(s.open, len(order))
	open, profit, k := s.open, d.profit, 0
	for _, i := range order {
		open[k] = i
		k += int(uint(forbidden/2-1-profit[at+int(i)*step]) >> 63) // as excluded, without a branch
	}
	return open[:k]
}

// eval computes the profit of the pair (a, b), its node profit and its star, and sets y and z to the duals of that, as
// many as the half-edges of a and of b.
func (s *ascent) eval(d *dual, a, b int, y, z []int) int {
	x := s.x
	p := x.node[a*x.m+b]
	if len(y) == 0 || len(z) == 0 {
		clear(y)
		clear(z)
		return p
	}
	cols := x.col.len()
	return p + s.star.solve(d.share[int(x.row.start[a])*cols+int(x.col.start[b]):], cols, y, z)
}

// update recomputes the profit of the pair (a, b), raises its dual where that exceeds the duals, and stores the slack
// and the dual values of its star.
func (s *ascent) update(d *dual, a, b int) {
	x := s.x
	cols := x.col.len()
	e0, f0 := int(x.row.start[a]), int(x.col.start[b])
	s.duals = resize(s.duals, x.row.degree(int32(a))+x.col.degree(int32(b)))
	ys, zs, _ := x.cut(s.duals, a, b)
	p := s.eval(d, a, b, ys, zs)
	d.profit[a*d.m+b] = p
	if over := p - d.u[a] - d.v[b]; over > 0 {
		d.u[a] += over
		d.bound += over
	}
	if s.trees {
		for j, z := range zs {
			s.colEnds[(f0+j)*x.n+a] = z
		}
		for i, y := range ys {
			s.rowEnds[(e0+i)*x.m+b] = y
		}
	}
	for i, y := range ys {
		at := (e0+i)*cols + f0
		share, slack := d.share[at:at+len(zs)], s.slack[at:at+len(zs)]
		for j, z := range zs {
			slack[j] = y + z - share[j]
		}
	}
}

// flush recomputes the profits of touched pairs and raises duals where these exceed
// them. It reports whether there was time for all; if not, d.bound does not hold.
func (s *ascent) flush(d *dual) bool {
	if s.all {
		for a := range d.n {
			open := s.opened(d, a, false)
			if s.clock.Spend(64 * len(open)) {
				return false
			}
			for _, b := range open {
				s.update(d, a, int(b))
			}
		}
		s.all = false
		for _, cell := range s.dirty {
			s.isDirt[cell] = false
		}
		s.dirty = s.dirty[:0]
	}
	for _, cell := range s.dirty {
		if s.clock.Spend(64) {
			return false
		}
		s.isDirt[cell] = false
		if !excluded(d.profit[cell]) {
			s.update(d, int(cell)/d.m, int(cell)%d.m)
		}
	}
	s.dirty = s.dirty[:0]
	// Only tight pairs may stay matched: solve relies on that.
	for a := range d.n {
		if b := int(d.rowMatch[a]); b >= 0 && d.u[a]+d.v[b] != d.profit[a*d.m+b] {
			d.rowMatch[a], d.colMatch[b] = -1, -1
		}
	}
	return true
}

// kill excludes the pair (a, b) and all pairs of half-edges that start or end there.
func (s *ascent) kill(d *dual, a, b int) {
	x := s.x
	d.exclude(a, b)
	cols := x.col.len()
	for e := x.row.start[a]; e < x.row.start[a+1]; e++ {
		to, rev := int(x.row.list[e].to)*x.m, int(x.row.list[e].rev)*cols
		for f := x.col.start[b]; f < x.col.start[b+1]; f++ {
			back := &x.col.list[f]
			d.share[int(e)*cols+int(f)] = dead
			s.slack[int(e)*cols+int(f)], s.slack[rev+int(back.rev)] = -dead, -dead
			if share := &d.share[rev+int(back.rev)]; *share != dead {
				if *share > 0 { // else no matching uses it, and the star stays
					s.touch(to + int(back.to))
				}
				*share = dead
			}
		}
	}
}

// eliminatePairs excludes every pair of half-edges of l that no map of profit need can
// contain: such a map loses the slack of the two pairs of nodes at its ends and its own in
// their two stars. Flush must have seen all stars since shares were changed. The pairs of
// nodes stay, but not together: [ascent.fix] excludes the one once the other is decided.
func (s *ascent) eliminatePairs(d *dual, l *linear, need int) {
	spare := min(d.bound-need, never-1)
	cols := s.x.col.len()
	if s.clock.Spend(4 * len(l.pairs)) {
		return
	}
	s.cellSlack = resize(s.cellSlack, len(l.cells))
	for c := range l.cells {
		k := &l.cells[c]
		s.cellSlack[c] = -dead
		if p := d.profit[k.at]; !excluded(p) {
			s.cellSlack[c] = d.u[k.a] + d.v[k.b] - p
		}
	}
	for i := range l.pairs {
		o := &l.pairs[i]
		at := int(o.e)*cols + int(o.f)
		rev := int(s.x.row.list[o.e].rev)*cols + int(s.x.col.list[o.f].rev)
		if exceeds(s.cellSlack[o.c1]+s.cellSlack[o.c2]+s.slack[at]+s.slack[rev], spare) {
			s.part(d, at, rev, int(l.cells[o.c1].at), int(l.cells[o.c2].at))
		}
	}
}

// part excludes a pair of half-edges, whose shares are at and rev, in the given pairs of nodes.
func (s *ascent) part(d *dual, at, rev, cell1, cell2 int) {
	if d.share[at] > 0 { // else no matching uses it, and the star stays
		s.touch(cell1)
	}
	if d.share[rev] > 0 {
		s.touch(cell2)
	}
	d.share[at], d.share[rev] = dead, dead
	s.slack[at], s.slack[rev] = -dead, -dead
}

// fix excludes every other pair of row a and of column b, and those that (a, b) cannot be
// combined with. It reports whether there were any. If time ends, some stay, and the bound
// of the state still holds.
func (s *ascent) fix(d *dual, a, b int) (changed bool) {
	for c := range d.m {
		if c != b && !excluded(d.profit[a*d.m+c]) && !s.clock.Spend(256) {
			s.kill(d, a, c)
			changed = true
		}
	}
	for c := range d.n {
		if c != a && !excluded(d.profit[c*d.m+b]) && !s.clock.Spend(256) {
			s.kill(d, c, b)
			changed = true
		}
	}
	x := s.x
	for e := x.row.start[a]; e < x.row.start[a+1]; e++ {
		c := int(x.row.list[e].to)
		for f := x.col.start[b]; f < x.col.start[b+1]; f++ {
			g := int(x.col.list[f].to)
			if d.share[int(e)*x.col.len()+int(f)] == dead && !excluded(d.profit[c*d.m+g]) && !s.clock.Spend(256) {
				s.kill(d, c, g)
				changed = true
			}
		}
	}
	return changed
}

// eliminate excludes every pair that no map of profit need can contain, by its
// reduced cost; see [plainSearch.choose].
func (s *ascent) eliminate(d *dual, need int) {
	spare := min(d.bound-need, never-1)
	for a := range d.n {
		if s.clock.Spend(2 * d.m) {
			return
		}
		row := d.profit[a*d.m : a*d.m+d.m]
		for b, v := range d.v[:len(row)] {
			if exceeds(d.u[a]+v-row[b], spare) {
				s.kill(d, a, b)
			}
		}
	}
}
