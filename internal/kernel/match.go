package kernel

import (
	"math"
)

// mostMatched is the greatest number of columns of stars that are matched exactly.
const mostMatched = 4

// matched reports whether stars are matched exactly. What is raised must lead ahead.
func (n *StarNet) matched() bool {
	return !n.Both && (n.Slots == 3 || n.Slots == 4)
}

// starMatch is the scratch of matched stars, [Lanes] of each but the first.
type starMatch struct {
	rest []int16 // [mostMatched + 1, Lanes], see match
	// what the raise of one row of a star may add to what it earns; what it may earn in the end, and now
	each, top, cap []int16
}

// match finds what the stars of a row earn, and what is left of it without one of its half-edges x:
//
//	rest[c, v] = weight of the heaviest matching of the other half-edges with the columns but c
//	total[v] = base[v] + max over c of rest[c, v] + max(0, share[x, c, v])
//
// where c may also be none of the columns. It returns the greatest total[v] - less[v]. Weights are at most 2¹², bits of
// all
// but that rest the same at all levels. A row without half-edges may name any x.
func (o Ops) match(m *starMatch, s *Stars, x int, total, base, less []int16) (most int16) {
	if o.level == Generic {
		return matchGeneric(m, s, x, total, base, less)
	}
	line := s.Cols * s.Lanes
	f, many := matchStar3AVX2, matchMany3AVX2
	if s.Cols == 4 {
		f, many = matchStar4AVX2, matchMany4AVX2
	}
	var rows [mostMatched]*int16
	rows[0] = &base[0] // not read if there is no half-edge
	for r, at := 0, x*line; r < min(s.Rows, mostMatched); r++ {
		rows[r] = &s.Shares[at]
		if at += line; at == s.Rows*line {
			at = 0
		}
	}
	if s.Rows > mostMatched {
		many(&m.rest[0], &s.Shares[0], x, s.Rows, s.Lanes)
	}
	return int16(f(&total[0], &m.rest[0], &base[0], &less[0], rows[0], rows[1], rows[2], rows[3], s.Rows, s.Lanes))
}

// allow says by how much the half-edges of a star may be raised, one after another:
//
//	each[v] = 2·(u + less[v] - total[v])·max(rowPart, part[v]) / 2¹⁶
//	cap[v] = total[v]
//	top[v] = total[v] + 2·(u + less[v] - total[v])·allPart / 2¹⁶
func (o Ops) allow(m *starMatch, total, less, part []int16, u, rowPart, allPart int16) {
	if o.level == Generic {
		allowGeneric(m, total, less, part, u, rowPart, allPart)
		return
	}
	allowStarAVX2(&m.each[0], &m.top[0], &m.cap[0], &total[0], &less[0], &part[0], len(total), u, rowPart, allPart)
}

// lift raises the shares of the half-edge that match named as far as its stars may earn more, and takes those with
// which they would earn too little:
//
//	cap[v] = min(top[v], cap[v] + each[v])
//	share[c, v] = -1 if it was, or if base[v] + rest[c, v] + share[c, v] < least + less[v], else min(most[c, v], cap[v] - base[v] - rest[c, v])
//
// and total[v] as match does.
func (o Ops) lift(m *starMatch, share, most, total, base, less []int16, least int16) {
	lanes := len(total)
	switch {
	case o.level == Generic:
		liftGeneric(m, share, most, total, base, less, least)
	case len(share) == 4*lanes:
		liftStar4AVX2(&share[0], &most[0], &total[0], &m.rest[0], &m.each[0], &m.top[0], &m.cap[0], &base[0], &less[0], lanes,
			least)
	default:
		liftStar3AVX2(&share[0], &most[0], &total[0], &m.rest[0], &m.each[0], &m.top[0], &m.cap[0], &base[0], &less[0], lanes,
			least)
	}
}

// sweepMatched goes through the rows of a net whose stars are matched.
func (o Ops) sweepMatched(n *StarNet, s *StarState, w Sweep) (bound int32) {
	bound = w.Bound
	m := n.scratch()
	line := n.Slots * n.Lanes
	for k := range n.Rows {
		i := k
		if w.Backwards {
			i = n.Rows - 1 - k
		}
		first, from, to := n.Start[i], n.Split[i], n.Start[i+1]
		star := n.stars(s, first, to)
		if w.Backwards {
			from, to = first, n.Split[i]
		}
		if !w.Raise || from == to {
			from, to = first, first
		}
		total, base := s.Profit[i*n.Lanes:][:n.Lanes], s.Node[i*n.Lanes:][:n.Lanes]
		u := int32(o.match(m, star, int(from-first), total, base, s.V))
		bound += u - s.U[i]
		s.U[i] = u
		if w.Raise && bound < w.Need {
			return bound
		}
		if from < to {
			o.allow(m, total, s.V, n.Part, int16(u), n.RowPart[to-from], n.RowPart[1])
		}
		for x := from; x < to; x++ {
			if x > from {
				o.match(m, star, int(x-first), total, base, s.V)
			}
			own, weight := s.Shares[int(x)*line:][:line], n.Weight[int(n.Kind[x])*line:][:line]
			o.lift(m, own, weight, total, base, s.V, saturated(u-int32(w.Spare)))
			o.reverse(n, s, x, own, weight)
		}
	}
	o.tight(n, s)
	return bound
}

// scratch returns room for the matchings of stars.
func (n *StarNet) scratch() *starMatch {
	m := &n.match
	for _, x := range []*[]int16{&m.rest, &m.each, &m.top, &m.cap} {
		if len(*x) < (mostMatched+1)*n.Lanes {
			*x = make([]int16, (mostMatched+1)*n.Lanes)
		}
	}
	return m
}

func matchGeneric(m *starMatch, s *Stars, x int, total, base, less []int16) int16 {
	n := s.Lanes
	greatest := int16(math.MinInt16)
	for v := range n {
		var rows [mostMatched][mostMatched]int16
		for r := range min(s.Rows, mostMatched) {
			at := (x+r)%s.Rows*s.Cols*n + v
			for c := range s.Cols {
				rows[r][c] = max(0, s.Shares[at+c*n])
			}
		}
		own, a, b, d := &rows[0], &rows[1], &rows[2], &rows[3]
		var rest [mostMatched + 1]int16
		if s.Rows > mostMatched {
			rest = s.restOfMany(x, v)
		} else {
			pair := func(c, e int) int16 { return max(a[c]+b[e], a[e]+b[c]) }
			p01, p02, p03, p12, p13, p23 := pair(0, 1), pair(0, 2), pair(0, 3), pair(1, 2), pair(1, 3), pair(2, 3)
			rest = [mostMatched + 1]int16{
				max(d[1]+p23, d[2]+p13, d[3]+p12), max(d[0]+p23, d[2]+p03, d[3]+p02),
				max(d[0]+p13, d[1]+p03, d[3]+p01), max(d[0]+p12, d[1]+p02, d[2]+p01),
			}
		}
		most := rest[mostMatched]
		for c, share := range own {
			m.rest[c*n+v] = rest[c]
			most = max(most, rest[c]+share)
		}
		m.rest[mostMatched*n+v] = rest[mostMatched]
		total[v] = base[v] + most
		greatest = max(greatest, saturated(int32(total[v])-int32(less[v])))
	}
	return greatest
}

// restOfMany returns what all rows but x earn with lane v, with all columns but each, and with all.
func (s *Stars) restOfMany(x, v int) (rest [mostMatched + 1]int16) {
	var earned [1 << mostMatched]int16 // by the rows so far, with each set of columns
	for r := range s.Rows {
		if r == x {
			continue
		}
		for set := len(earned) - 1; set > 0; set-- {
			for c := range s.Cols {
				if set>>c&1 != 0 {
					earned[set] = max(earned[set], earned[set&^(1<<c)]+s.Shares[(r*s.Cols+c)*s.Lanes+v])
				}
			}
		}
	}
	for c := range rest {
		rest[c] = earned[(len(earned)-1)&^(1<<c)]
	}
	return rest
}

func allowGeneric(m *starMatch, total, less, part []int16, u, rowPart, allPart int16) {
	for v, t := range total {
		spare := int32(saturated(int32(saturated(int32(u)+int32(less[v]))) - int32(t)))
		spare = int32(saturated(2 * spare))
		m.each[v] = int16(spare * int32(max(rowPart, part[v])) >> 16)
		m.cap[v], m.top[v] = t, saturated(int32(t)+spare*int32(allPart)>>16)
	}
}

func liftGeneric(m *starMatch, share, most, total, base, less []int16, least int16) {
	n := len(total)
	for v := range total {
		m.cap[v] = min(m.top[v], saturated(int32(m.cap[v])+int32(m.each[v])))
		left := saturated(int32(m.cap[v]) - int32(base[v]))
		least := saturated(int32(saturated(int32(least)+int32(less[v]))) - int32(base[v]))
		best := int16(0)
		for c := range mostMatched + 1 {
			rest := m.rest[c*n+v]
			best = max(best, rest)
			at := c*n + v
			if at >= len(share) {
				break
			}
			if share[at] < 0 || rest+share[at] < least {
				share[at] = -1
				continue
			}
			share[at] = min(most[at], left-rest)
			best = max(best, rest+share[at])
		}
		total[v] = base[v] + best
	}
}
