package within

import "math/bits"

type scratch struct {
	dist [MaxNodes]int32
	from [MaxNodes]int8
}

// solve completes the assignment of s by shortest augmenting paths from the rows
// without a column (Jonker and Volgenant 1987). It reports whether the assignment
// changed, and whether the bound is still within the limit; it stops as soon as that
// is not so.
func (d *Decider) solve(s *state, limit int32) (changed, ok bool) {
	for i := range s.n {
		if s.row[i] >= 0 {
			continue
		}
		changed = true
		if d.augment(s, i); s.lower > limit {
			return true, false
		}
	}
	return changed, s.lower <= limit
}

// augment gives row first a column along the shortest alternating path over pairs in
// the domains, and moves the rows on the path to other columns.
func (d *Decider) augment(s *state, first int) {
	n, real := s.n, d.row.n
	every := lowest(n)
	v := &s.v
	open, reached, scanned := every, uint64(0), uint64(0)
	i, base := first, -s.u[first]
	var end int
	var length int32
	for {
		line := s.cost[i*n : i*n+n]
		columns := every
		if i < real {
			columns = s.domain[i]
		}
		for rest := columns & open; rest != 0; rest &= rest - 1 {
			j := bits.TrailingZeros64(rest) & (MaxNodes - 1)
			x := base + line[j] - v[j]
			if bit := rest & -rest; reached&bit == 0 {
				reached |= bit
			} else if x >= d.dist[j] {
				continue
			}
			d.dist[j], d.from[j] = x, int8(i)
		}
		least, at := int32(far), -1
		for rest := reached & open; rest != 0; rest &= rest - 1 {
			j := bits.TrailingZeros64(rest) & (MaxNodes - 1)
			if d.dist[j] < least {
				least, at = d.dist[j], j
			}
		}
		if at < 0 {
			s.lower += far // no column is left, so no map is
			return
		}
		if s.col[at] < 0 {
			end, length = at, least
			break
		}
		open &^= 1 << uint(at)
		scanned |= 1 << uint(at)
		i = int(s.col[at])
		base = least - s.u[i]
	}
	s.u[first] += length
	for ; scanned != 0; scanned &= scanned - 1 {
		j := bits.TrailingZeros64(scanned) & (MaxNodes - 1)
		s.u[s.col[j]] += length - d.dist[j]
		v[j] -= length - d.dist[j]
	}
	s.lower += length
	for j := end; ; {
		i := d.from[j]
		s.col[j] = i
		before := s.row[i]
		s.row[i] = int8(j)
		if int(i) == first {
			return
		}
		j = int(before)
	}
}
