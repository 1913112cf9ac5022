package kernel

import "fmt"

// StarLane is what numbers of lanes of [Ops.BoundStars] and [Ops.RaiseStars] are
// multiples of.
const StarLane = 32

// Stars are bipartite graphs with the same rows, one in each lane. Row r and column c of
// lane v are joined by an edge of weight Shares[r, c, v], or by none if that is -1.
type Stars struct {
	Rows, Cols, Lanes int
	Shares            []int16 // [Rows, Cols, Lanes], -1 or more
}

// StarBounds bound the weights of the matchings of [Stars]. A matching weighs at most
// what the heaviest edges of the rows weigh together, and at most what those of the
// columns do.
type StarBounds struct {
	Total   []int16 // [Lanes]
	ByCol   []int16 // [Lanes]: -1 where the columns give the lesser bound, else 0
	RowMost []int16 // [Rows, Lanes] the heaviest edges, or 0; may be longer
	ColMost []int16 // [Cols, Lanes]; may be longer
}

// BoundStars bounds the matchings of s and adds the base of every lane:
//
//	RowMost[r, v] = max(0, max over c of Shares[r, c, v])
//	ColMost[c, v] = max(0, max over r of Shares[r, c, v])
//	Total[v] = base[v] + min(sum of RowMost[r, v], sum of ColMost[c, v])
//
// It returns the greatest Total[v] - less[v]. Sums are those of 16 bits with
// saturation. Bits are the same at all levels.
func (o Ops) BoundStars(b *StarBounds, s *Stars, base, less []int16) (most int16) {
	s.check()
	b.check(s)
	checkLength("base", len(base), s.Lanes)
	checkLength("less", len(less), s.Lanes)
	if o.level == Generic || s.Rows == 0 || s.Cols == 0 {
		return boundStarsGeneric(b, s, base, less)
	}
	return int16(boundStarsAVX2(&b.Total[0], &b.ByCol[0], &b.RowMost[0], &b.ColMost[0], &s.Shares[0], &base[0], &less[0],
		s.Rows, s.Cols, s.Lanes))
}

// RaiseStars raises the weights of edges as far as the bounds in b and an allowance for
// every lane permit:
//
//	each[v] = 2·(u + less[v] - Total[v])·part[v] / 2¹⁶
//	Shares[r, c, v] = min(most[r, c, v], each[v] + (RowMost[r, v] or, where ByCol, ColMost[c, v]))
//
// where part[v] is rowPart unless ByCol[v]. Edges of weight -1 stay. The rows of s may be
// some of those that b is of: its RowMost begins with the first of them.
func (o Ops) RaiseStars(s *Stars, most []int16, b *StarBounds, less, part []int16, u, rowPart int16) {
	s.check()
	b.check(s)
	checkLength("most", len(most), s.Rows*s.Cols*s.Lanes)
	checkLength("less", len(less), s.Lanes)
	checkLength("part", len(part), s.Lanes)
	switch {
	case s.Rows == 0 || s.Cols == 0:
	case o.level == Generic:
		raiseStarsGeneric(s, most, b, less, part, u, rowPart)
	default:
		raiseStarsAVX2(&s.Shares[0], &most[0], &b.Total[0], &b.ByCol[0], &b.RowMost[0], &b.ColMost[0], &less[0], &part[0],
			s.Rows, s.Cols, s.Lanes, u, rowPart)
	}
}

// NearestLanes relaxes the columns of a shortest-path search from one more row, and
// returns which are nearest and at what distance:
//
//	x = line + length[v] - gain[v]
//	if open[v] ≥ 0 and x < near[v] { near[v], from[v] = x, origin }
//
// A bit of lanes is set for every open v at the least near[v]. Lanes are closed where
// open is -1; there are at most 64. Sums are those of 16 bits with saturation. If no
// open lane is nearer than the greatest number there is, none is set.
func (o Ops) NearestLanes(near, from, open, length, gain []int16, line, origin int16) (lanes uint64, distance int16) {
	n := len(near)
	if n < StarLane || n%StarLane != 0 || n > 64 {
		panic(fmt.Sprintf("kernel: %d lanes", n))
	}
	checkLength("from", len(from), n)
	checkLength("open", len(open), n)
	checkLength("length", len(length), n)
	checkLength("gain", len(gain), n)
	if o.level == Generic {
		return nearestLanesGeneric(near, from, open, length, gain, line, origin)
	}
	lanes, d := nearestLanesAVX2(&near[0], &from[0], &open[0], &length[0], &gain[0], n, line, origin)
	return lanes, int16(d)
}

func (s *Stars) check() {
	if s.Lanes < StarLane || s.Lanes%StarLane != 0 || s.Rows < 0 || s.Cols < 0 {
		panic(fmt.Sprintf("kernel: %d stars of %d by %d", s.Lanes, s.Rows, s.Cols))
	}
	checkLength("shares", len(s.Shares), s.Rows*s.Cols*s.Lanes)
}

func (b *StarBounds) check(s *Stars) {
	checkLength("total", len(b.Total), s.Lanes)
	checkLength("by column", len(b.ByCol), s.Lanes)
	if len(b.RowMost) < s.Rows*s.Lanes || len(b.ColMost) < s.Cols*s.Lanes {
		panic(fmt.Sprintf("kernel: %d and %d maxima of %d stars of %d by %d", len(b.RowMost), len(b.ColMost), s.Lanes, s.Rows,
			s.Cols))
	}
}
