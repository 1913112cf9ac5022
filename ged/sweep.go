package ged

// sweep improves the duals by dual ascent, one row or column after another (Hahn
// and Grant, 1998). For each it recomputes the profits and lowers the dual as far as
// they allow. Pairs with slack left then raise their own shares by half of it, which
// lowers those of the neighbouring pairs, so that their duals can fall next. It
// reports whether the bound is still at least need.
func (s *ascent) sweep(d *dual, need int, byCol bool) bool {
	outer, inner := d.n, d.m
	dual := d.u
	if byCol {
		outer, inner = d.m, d.n
		dual = d.v
	}
	for o := range outer {
		if s.clock.Spend(64 * inner) {
			break // duals are feasible after every row, so the bound holds
		}
		s.duals = s.duals[:0]
		least := dual[o]
		for i := range inner {
			a, b := o, i
			if byCol {
				a, b = i, o
			}
			if excluded(d.profit[a*d.m+b]) {
				continue
			}
			p := s.eval(d, a, b)
			s.duals = append(s.duals, p)
			s.duals = append(s.duals, s.star.y...)
			s.duals = append(s.duals, s.star.z...)
			least = min(least, d.u[a]+d.v[b]-p)
		}
		dual[o] -= least
		d.bound -= least
		if d.bound < need {
			return false
		}
		rest := s.duals
		for i := range inner {
			a, b := o, i
			if byCol {
				a, b = i, o
			}
			if !excluded(d.profit[a*d.m+b]) {
				rest = s.spread(d, a, b, rest)
			}
		}
	}
	s.touchAll(d)
	return true
}

// spread raises the shares at (a, b) as far as half of its slack and the duals of
// its star allow, and lowers the shares of the neighbouring pairs by as much. It
// takes the profit and the duals of the star from the front of list and returns
// the rest.
func (s *ascent) spread(d *dual, a, b int, list []int) []int {
	x := s.x
	cols := x.col.len()
	e0, e1 := int(x.row.start[a]), int(x.row.start[a+1])
	f0, f1 := int(x.col.start[b]), int(x.col.start[b+1])
	p, y, z, rest := list[0], list[1:1+e1-e0], list[1+e1-e0:1+e1-e0+f1-f0], list[1+e1-e0+f1-f0:]
	if len(y) == 0 || len(z) == 0 {
		d.profit[a*d.m+b] = p
		return rest
	}
	each := (d.u[a] + d.v[b] - p) / 2 / min(len(y), len(z))
	d.profit[a*d.m+b] = p + each*min(len(y), len(z))
	for i := range y {
		e := &x.row.list[e0+i]
		own := d.share[(e0+i)*cols+f0 : (e0+i)*cols+f1]
		weight := x.weight[(e0+i)*cols+f0 : (e0+i)*cols+f1]
		for j := range z {
			if own[j] == dead {
				continue
			}
			f := &x.col.list[f0+j]
			w := weight[j]
			share := min(w, y[i]+z[j]+each)
			own[j] = share
			d.share[int(e.rev)*cols+int(f.rev)] = w - share
		}
	}
	return rest
}
