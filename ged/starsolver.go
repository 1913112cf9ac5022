package ged

// starSolver finds heaviest matchings of small bipartite graphs. Matchings use no edge
// of weight 0 or less.
type starSolver struct {
	nearMatch, farMatch []int32
	assign              assigner
}

// solve finds the weight of the heaviest matching of the half-edges of a row with those of a column, whose shares are
// the first ones of lines of so many. Of all duals, y + z ≥ share, y, z ≥ 0, whose sum is that weight, it sets y and z
// to those that are least on the larger side, on that of the columns if neither is.
func (s *starSolver) solve(share []int, line int, y, z []int) int {
	if len(y) <= len(z) {
		return s.match(share, y, z, line, 1)
	}
	return s.match(share, z, y, 1, line)
}

// match is solve for a near side that is not the larger one. The strides are those of share. Stars of
// molecules, where which edge is the heaviest is hard to predict, take few branches.
func (s *starSolver) match(share, near, far []int, nearStep, farStep int) int {
	switch {
	case len(near) == 1:
		best := 0
		for y := range far {
			best = max(best, share[y*farStep])
			far[y] = 0
		}
		near[0] = best
		return best
	case len(near) == 2:
		return match2((*[2]int)(near), far, share, share[nearStep:], farStep)
	case len(near) == 3 && len(far) == 3:
		return match3((*[3]int)(near), (*[3]int)(far), share, share[nearStep:], share[2*nearStep:])
	}
	return s.matchAny(share, near, far, nearStep, farStep)
}

// match2 matches a near side of two. If both have the same heaviest edge, the one with less to lose takes its second
// choice, and its loss is the dual of the first.
func match2(near *[2]int, far, row0, row1 []int, step int) int {
	best0, next0, best1, next1 := 0, 0, 0, 0
	for y := range far {
		p := row0[y*step]
		next0 = max(next0, min(best0, p))
		best0 = max(best0, p)
		p = row1[y*step]
		next1 = max(next1, min(best1, p))
		best1 = max(best1, p)
	}
	least := min(best0-next0, best1-next1)
	loss := 0
	for y := range far {
		z := max(0, least-(best0-row0[y*step])-(best1-row1[y*step]))
		far[y] = z
		loss += z
	}
	near[0], near[1] = best0-loss, best1-loss
	return best0 + best1 - loss
}

// match3 matches three with three. A near one's dual is what the others would earn less without it.
func match3(near, far *[3]int, row0, row1, row2 []int) int {
	a0, a1, a2 := max(0, row0[0]), max(0, row0[1]), max(0, row0[2])
	b0, b1, b2 := max(0, row1[0]), max(0, row1[1]), max(0, row1[2])
	c0, c1, c2 := max(0, row2[0]), max(0, row2[1]), max(0, row2[2])
	without0, without1 := max(b1+c2, b2+c1), max(a1+c2, a2+c1)
	total := a0 + without0
	k0, k1 := max(b0+c2, b2+c0), max(a0+c2, a2+c0)
	total = max(total, a1+k0)
	without0, without1 = max(without0, k0), max(without1, k1)
	k0, k1 = max(b0+c1, b1+c0), max(a0+c1, a1+c0)
	total = max(total, a2+k0)
	without0, without1 = max(without0, k0), max(without1, k1)
	without2 := max(a0+b1, a1+b0, a0+b2, a2+b0, a1+b2, a2+b1)
	y0, y1, y2 := total-without0, total-without1, total-without2
	near[0], near[1], near[2] = y0, y1, y2
	far[0] = max(0, a0-y0, b0-y1, c0-y2)
	far[1] = max(0, a1-y0, b1-y1, c1-y2)
	far[2] = max(0, a2-y0, b2-y1, c2-y2)
	return total
}

// matchAny gives every near one its heaviest edge. If no two want the same partner, that is the heaviest
// matching; else augmenting paths complete it.
func (s *starSolver) matchAny(share, near, far []int, nearStep, farStep int) int {
	s.nearMatch, s.farMatch = resize(s.nearMatch, len(near)), resize(s.farMatch, len(far))
	for y := range far {
		far[y], s.farMatch[y] = 0, -1
	}
	total, clash := 0, false
	for x := range near {
		best, at := 0, -1
		for y := range far {
			if p := share[x*nearStep+y*farStep]; p > best {
				best, at = p, y
			}
		}
		near[x], s.nearMatch[x] = best, -1
		total += best
		switch {
		case at < 0:
		case s.farMatch[at] < 0:
			s.nearMatch[x], s.farMatch[at] = int32(at), int32(x)
		default:
			clash = true
		}
	}
	if !clash {
		return total
	}
	w := view{near, far, s.nearMatch, s.farMatch, share, nearStep, farStep}
	for x, y := range s.nearMatch {
		if y < 0 && near[x] > 0 {
			total -= s.assign.augment(&w, x, total)
		}
	}
	return total
}
