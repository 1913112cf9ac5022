package within

import (
	"math"
	"math/bits"
	"slices"
)

// outcome is what an assignment says of a state.
type outcome uint8

const (
	assigned   outcome = iota
	impossible         // some row has no column
	unknown            // sums grew too large for 16 bits
)

// assign completes the assignment of greatest profit for the present profits, from
// duals that allow them, after a sweep.
func (d *Decider) assign(s *state) outcome {
	rows, cols, lanes := d.pair.row.n, d.pair.col.n, d.pair.net.Lanes
	for i := range cols {
		if j := int(s.row[i]); j >= 0 {
			profit := int32(0)
			if i < rows {
				profit = int32(s.Profit[i*lanes+j])
			}
			if s.U[i]+int32(s.V[j]) != profit {
				s.release(i, j)
			}
		}
	}
	for i := range rows { // what needs no path
		if s.row[i] >= 0 {
			continue
		}
		if s.U[i] <= none { // all columns are excluded
			return impossible
		}
		if free := s.Tight[i] &^ s.taken[0]; free != 0 {
			j := bits.TrailingZeros64(free)
			s.row[i], s.col[j] = int8(j), int8(i)
			s.taken.add(j)
		}
	}
	for i := range cols {
		if s.row[i] >= 0 {
			continue
		}
		if i >= rows {
			s.U[i] = -int32(slices.Min(s.V[:cols]))
		}
		if o := d.augment(s, i); o != assigned {
			return o
		}
	}
	return assigned
}

// Limits of what augment adds, in grains. Within them the distance to a column is at most
// apart unless the pair is excluded, and above it if it is.
const (
	mostLine  = 12000
	leastLine = -10000
	mostDual  = 7000
	apart     = mostLine + mostDual
)

// paths is the scratch of augment: of every column, how near it is, which row it is
// reached from, and -1 once it was passed.
type paths struct {
	near, from, open [MaxNodes]int16
	nothing          [MaxNodes]int16 // what a row earns that stands for none
	passed           []int8
}

func (x *paths) setup(cols int) {
	for j := range x.nothing {
		x.nothing[j] = 0
		if j >= cols {
			x.nothing[j] = none
		}
	}
}

// augment gives row first a column along the shortest alternating path (Jonker and
// Volgenant 1987), looking at all columns at a time.
func (d *Decider) augment(s *state, first int) outcome {
	p := &d.pair
	x := &d.paths
	near, from, open := x.near[:p.net.Lanes], &x.from, x.open[:p.net.Lanes]
	for j := range near {
		near[j], open[j] = math.MaxInt16, 0
	}
	x.passed = x.passed[:0]
	i, base := first, int32(0)
	var end int
	var length int32
	for {
		profit := x.nothing[:p.net.Lanes]
		if i < p.row.n {
			profit = s.Profit[i*p.net.Lanes:][:p.net.Lanes]
		}
		line := base + s.U[i]
		if line < leastLine || line > mostLine {
			return unknown
		}
		at, distance, free := d.nearest(s, profit, int16(line), int16(i))
		if at < 0 || distance > apart {
			return impossible
		}
		length = int32(distance)
		if free {
			end = at
			break
		}
		open[at] = -1
		x.passed = append(x.passed, int8(at))
		i, base = int(s.col[at]), length
	}
	s.U[first] -= length
	for _, j := range x.passed {
		by := length - int32(near[j])
		s.U[s.col[j]] -= by
		if s.V[j] += int16(by); s.V[j] > mostDual {
			return unknown
		}
	}
	s.taken.add(end)
	for j := end; ; {
		i := int8(from[j])
		s.col[j] = i
		before := s.row[i]
		s.row[i] = int8(j)
		if int(i) == first {
			return assigned
		}
		j = int(before)
	}
}

// nearest looks from row i for the open column that is nearest, and reports whether it is
// free. Of equally near columns a free one comes first.
func (d *Decider) nearest(s *state, profit []int16, line, i int16) (column int, distance int16, free bool) {
	x, lanes := &d.paths, d.pair.net.Lanes
	column, distance = -1, math.MaxInt16
	if lanes <= 64 {
		found, length := d.ops.NearestLanes(x.near[:lanes], x.from[:lanes], x.open[:lanes], s.V, profit, line, i)
		if found == 0 {
			return -1, length, false
		}
		loose := found &^ s.taken[0]
		if loose != 0 {
			found = loose
		}
		return bits.TrailingZeros64(found), length, loose != 0
	}
	for from := 0; from < lanes; from += 64 {
		to := min(from+64, lanes)
		found, length := d.ops.NearestLanes(x.near[from:to], x.from[from:to], x.open[from:to], s.V[from:to],
			profit[from:to], line, i)
		if found == 0 || length > distance || length == distance && free {
			continue
		}
		loose := found &^ s.taken[from/64]
		if loose == 0 && length == distance {
			continue
		}
		distance, free = length, loose != 0
		if free {
			found = loose
		}
		column = from + bits.TrailingZeros64(found)
	}
	return column, distance, free
}
