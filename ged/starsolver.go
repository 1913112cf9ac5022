package ged

// starSolver finds heaviest matchings of small bipartite graphs. Matchings use no edge
// of weight 0 or less.
type starSolver struct {
	y, z   []int // duals: y + z ≥ weight, y, z ≥ 0; Σy + Σz is the weight of the matching
	pairs  [][2]int32
	weight []int
	ym, zm []int32
	assign assigner
}

// star is a block of shares: of the half-edges e0 to e1 of the rows with the half-edges
// f0 to f1 of the columns.
type star struct {
	share          []int
	cols           int // length of a row of share
	e0, e1, f0, f1 int
}

// solve finds the heaviest matching of w and returns its weight. It leaves the duals
// and the pairs in s, numbered from e0 and f0.
func (s *starSolver) solve(w star) int {
	r, c := w.e1-w.e0, w.f1-w.f0
	s.y, s.z = resize(s.y, r), resize(s.z, c)
	s.pairs = s.pairs[:0]
	if r <= c {
		clear(s.z)
		return s.greedy(w, s.y, s.z, w.e0*w.cols+w.f0, w.cols, 1, false)
	}
	clear(s.y)
	return s.greedy(w, s.z, s.y, w.e0*w.cols+w.f0, 1, w.cols, true)
}

// greedy gives every node of the near side, which is not the larger one, its heaviest
// edge. If no two nodes want the same partner, that is the heaviest matching. If the
// near side has just two nodes and they do, the one with less to lose takes its second
// choice, and its loss is the partner's dual. All other cases are left to augmentRest.
// The shares begin at origin, with the given strides.
func (s *starSolver) greedy(w star, near, far []int, origin, nearStep, farStep int, swapped bool) int {
	total := 0
	clash := false
	var spare [2]int
	var second [2]int32
	for x := range near {
		best, next, at, nextAt := 0, 0, -1, -1
		i := origin + x*nearStep
		for y := range far {
			p := w.share[i]
			i += farStep
			if p > next {
				if p > best {
					best, next, at, nextAt = p, best, y, at
				} else {
					next, nextAt = p, y
				}
			}
		}
		near[x] = best
		total += best
		if at < 0 {
			continue
		}
		if x < 2 {
			spare[x], second[x] = best-next, int32(nextAt)
		}
		for _, p := range s.pairs {
			clash = clash || int(p[1]) == at
		}
		s.pairs = append(s.pairs, [2]int32{int32(x), int32(at)})
	}
	if clash && len(near) == 2 {
		loser := 0
		if spare[1] < spare[0] {
			loser = 1
		}
		loss := spare[loser]
		total -= loss
		near[0] -= loss
		near[1] -= loss
		far[s.pairs[0][1]] = loss
		if second[loser] >= 0 {
			s.pairs[loser][1] = second[loser]
		} else {
			s.pairs[0] = s.pairs[1-loser]
			s.pairs = s.pairs[:1]
		}
		clash = false
	}
	if swapped {
		for i, p := range s.pairs {
			s.pairs[i] = [2]int32{p[1], p[0]}
		}
	}
	if clash {
		return s.augmentRest(w, total)
	}
	return total
}

// augmentRest completes the matching that greedy began, by augmenting paths.
func (s *starSolver) augmentRest(w star, total int) int {
	r, c := w.e1-w.e0, w.f1-w.f0
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
	for e := w.e0; e < w.e1; e++ {
		s.weight = append(s.weight, w.share[e*w.cols+w.f0:e*w.cols+w.f1]...)
	}
	rows := view{s.y, s.z, s.ym, s.zm, s.weight, c, 1}
	for i := range r {
		if s.ym[i] < 0 && s.y[i] > 0 {
			total -= s.assign.augment(&rows, i, total)
		}
	}
	cols := view{s.z, s.y, s.zm, s.ym, s.weight, 1, c}
	for j := range c {
		if s.zm[j] < 0 && s.z[j] > 0 {
			total -= s.assign.augment(&cols, j, total)
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
