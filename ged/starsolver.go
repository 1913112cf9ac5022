package ged

// starSolver finds heaviest matchings of small bipartite graphs, in which no
// edge of weight 0 or less is used.
type starSolver struct {
	y, z   []int // duals: y + z ≥ weight, y, z ≥ 0, Σy + Σz the weight found
	pairs  [][2]int32
	weight []int
	ym, zm []int32
	assign assigner
}

// solve finds the heaviest matching of the half-edges e0 to e1 of the rows with
// those from f0 to f1 of the columns, by their shares, and returns its weight.
// The duals and the pairs, counted from e0 and f0, are left in s.
func (s *starSolver) solve(share []int, cols, e0, e1, f0, f1 int) int {
	r, c := e1-e0, f1-f0
	s.y, s.z = resize(s.y, r), resize(s.z, c)
	s.pairs = s.pairs[:0]
	if r == 0 || c == 0 {
		clear(s.y)
		clear(s.z)
		return 0
	}
	if r > c {
		return s.solveColumns(share, cols, e0, e1, f0, f1)
	}
	s.zm = resize(s.zm, c)
	for j := range c {
		s.z[j], s.zm[j] = 0, -1
	}
	total := 0
	clash := false
	for i := range r {
		best, at := 0, -1
		for j, w := range share[(e0+i)*cols+f0 : (e0+i)*cols+f1] {
			if w > best {
				best, at = w, j
			}
		}
		s.y[i] = best
		total += best
		if at < 0 {
			continue
		}
		s.pairs = append(s.pairs, [2]int32{int32(i), int32(at)})
		clash = clash || s.zm[at] >= 0
		s.zm[at] = int32(i)
	}
	if !clash {
		return total
	}
	return s.settle(share, cols, e0, e1, f0, f1, total)
}

// solveColumns is the greedy part of solve for stars with fewer columns.
func (s *starSolver) solveColumns(share []int, cols, e0, e1, f0, f1 int) int {
	r, c := e1-e0, f1-f0
	s.ym = resize(s.ym, r)
	for i := range r {
		s.y[i], s.ym[i] = 0, -1
	}
	total := 0
	clash := false
	for j := range c {
		best, at := 0, -1
		for i := range r {
			if w := share[(e0+i)*cols+f0+j]; w > best {
				best, at = w, i
			}
		}
		s.z[j] = best
		total += best
		if at < 0 {
			continue
		}
		s.pairs = append(s.pairs, [2]int32{int32(at), int32(j)})
		clash = clash || s.ym[at] >= 0
		s.ym[at] = int32(j)
	}
	if !clash {
		return total
	}
	return s.settle(share, cols, e0, e1, f0, f1, total)
}

// settle completes solve where two half-edges want the same partner.
func (s *starSolver) settle(share []int, cols, e0, e1, f0, f1, total int) int {
	r, c := e1-e0, f1-f0
	s.ym, s.zm = resize(s.ym, r), resize(s.zm, c)
	for i := range s.ym {
		s.ym[i] = -1
	}
	for j := range s.zm {
		s.zm[j] = -1
	}
	for _, p := range s.pairs {
		if s.ym[p[0]] < 0 && s.zm[p[1]] < 0 {
			s.ym[p[0]], s.zm[p[1]] = p[1], p[0]
		}
	}
	s.weight = s.weight[:0]
	for i := range r {
		s.weight = append(s.weight, share[(e0+i)*cols+f0:(e0+i)*cols+f1]...)
	}
	v := view{s.y, s.z, s.ym, s.zm, s.weight, c, 1}
	for i := range r {
		if s.ym[i] < 0 && s.y[i] > 0 {
			total -= s.assign.augment(&v, i, total)
		}
	}
	w := view{s.z, s.y, s.zm, s.ym, s.weight, 1, c}
	for j := range c {
		if s.zm[j] < 0 && s.z[j] > 0 {
			total -= s.assign.augment(&w, j, total)
		}
	}
	s.pairs = s.pairs[:0]
	for i, j := range s.ym {
		if j >= 0 {
			s.pairs = append(s.pairs, [2]int32{int32(i), j})
		}
	}
	return total
}
