package ged

// sweep improves the duals by dual ascent, one row or column after another (Hahn
// and Grant, 1998). For each it recomputes the profits and lowers the dual as far as
// they allow. Pairs with slack left then raise their own shares by half of it, which
// lowers those of the neighbouring pairs, so that their duals can fall next. It
// reports whether the bound is still at least need.
func (s *ascent) sweep(d *dual, need int, byCol bool) bool {
	outer, dual := d.n, d.u
	near, far := &s.x.row, &s.x.col
	if byCol {
		outer, dual = d.m, d.v
		near, far = far, near
	}
	for o := range outer {
		if s.clock.Spend(64 * (len(far.start) - 1)) {
			break // duals are feasible after every row, so the bound holds
		}
		open := s.opened(d, o, byCol)
		s.duals = resize(s.duals, len(open)*near.degree(int32(o))+far.len())
		list := s.duals
		least := dual[o]
		for _, i := range open {
			a, b := o, int(i)
			if byCol {
				a, b = b, a
			}
			y, z, rest := s.x.cut(list, a, b)
			p := s.eval(d, a, b, y, z)
			d.profit[a*d.m+b] = p
			least = min(least, d.u[a]+d.v[b]-p)
			list = rest
		}
		dual[o] -= least
		d.bound -= least
		if d.bound < need {
			return false
		}
		list = s.duals
		for _, i := range open {
			a, b := o, int(i)
			if byCol {
				a, b = b, a
			}
			y, z, rest := s.x.cut(list, a, b)
			if len(y) > 0 && len(z) > 0 {
				s.spread(d, a, b, y, z)
			}
			list = rest
		}
	}
	s.touchAll()
	return true
}

// cut takes the duals of the star at (a, b) from the front of list.
func (x *relaxation) cut(list []int, a, b int) (y, z, rest []int) {
	r, c := x.row.degree(int32(a)), x.col.degree(int32(b))
	return list[:r], list[r : r+c], list[r+c:]
}

// spread raises the shares at (a, b), whose star has duals y and z, as far as half of its slack and these allow, and
// lowers the shares of the neighbouring pairs by as much.
func (s *ascent) spread(d *dual, a, b int, y, z []int) {
	x := s.x
	cols := x.col.len()
	e0, f0 := int(x.row.start[a]), int(x.col.start[b])
	profit, few := &d.profit[a*d.m+b], min(len(y), len(z))
	each := (d.u[a] + d.v[b] - *profit) / 2 / few
	*profit += each * few
	list := x.col.list[f0 : f0+len(z)]
	for i := range y {
		at := (e0+i)*cols + f0
		own := d.share[at : at+len(z)]
		back := d.share[int(x.row.list[e0+i].rev)*cols:]
		for j, now := range own {
			rev := &back[list[j].rev]
			w := now + *rev // the weight
			share := min(w, y[i]+z[j]+each)
			left := w - share
			if now == dead {
				share, left = dead, dead
			}
			own[j], *rev = share, left
		}
	}
}
