package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomShorts returns n values from least to most, between two guards that are 7.
func randomShorts(rng *rand.Rand, n, least, most int) []int16 {
	s := make([]int16, n+2)
	for i := range s {
		s[i] = int16(least + rng.IntN(most-least+1))
	}
	s[0], s[n+1] = 7, 7
	return s
}

func inner(s []int16) []int16 { return s[1 : len(s)-1] }

// starCase is a random case of both kernels, with guards around all that is written.
type starCase struct {
	rows, cols, lanes                      int
	shares, most, base, less, part         []int16
	total, byCol, rowMost, colMost, raised []int16
}

func newStarCase(rng *rand.Rand, rows, cols, lanes, size int) *starCase {
	c := &starCase{rows: rows, cols: cols, lanes: lanes}
	c.shares = randomShorts(rng, rows*cols*lanes, -size/3-1, size)
	for i, x := range c.shares {
		c.shares[i] = max(-1, x)
	}
	c.most = randomShorts(rng, rows*cols*lanes, size/2, size)
	c.base, c.less = randomShorts(rng, lanes, -size, size), randomShorts(rng, lanes, 0, size)
	c.part = randomShorts(rng, lanes, 0, 1<<15-1)
	c.total, c.byCol = randomShorts(rng, lanes, 0, 9), randomShorts(rng, lanes, 0, 9)
	c.rowMost, c.colMost = randomShorts(rng, rows*lanes, 0, 9), randomShorts(rng, cols*lanes, 0, 9)
	return c
}

func (c *starCase) run(o Ops, u, rowPart int16, from int) (most int16) {
	c.raised = slices.Clone(c.shares)
	s := &Stars{c.rows, c.cols, c.lanes, inner(c.raised)}
	b := &StarBounds{inner(c.total), inner(c.byCol), inner(c.rowMost), inner(c.colMost)}
	most = o.BoundStars(b, s, inner(c.base), inner(c.less))
	at := from * c.cols * c.lanes
	some := &Stars{c.rows - from, c.cols, c.lanes, s.Shares[at:]}
	b.RowMost = b.RowMost[from*c.lanes:]
	o.RaiseStars(some, inner(c.most)[at:], b, inner(c.less), inner(c.part), u, rowPart)
	return most
}

func TestStars(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, size := range []int{3, 300, 1<<15 - 1} {
		for rows := range 6 {
			for cols := range 6 {
				for _, lanes := range []int{StarLane, 2 * StarLane, 3 * StarLane} {
					c := newStarCase(rng, rows, cols, lanes, size)
					u, rowPart, from := int16(rng.IntN(2*size)-size), int16(rng.IntN(1<<15)), rng.IntN(rows+1)
					want := *c
					for _, f := range []*[]int16{&want.total, &want.byCol, &want.rowMost, &want.colMost} {
						*f = slices.Clone(*f)
					}
					most := referenceStars(&want, u, rowPart, from)
					for _, level := range Levels() {
						name := fmt.Sprintf("%v, %d by %d, %d lanes, up to %d", level, rows, cols, lanes, size)
						if got := c.run(At(level), u, rowPart, from); got != most {
							t.Fatalf("%s: greatest %d, want %d", name, got, most)
						}
						for i, pair := range [][2][]int16{{c.total, want.total}, {c.byCol, want.byCol}, {c.rowMost, want.rowMost}, {c.colMost, want.colMost}, {c.raised, want.raised}} {
							if !slices.Equal(pair[0], pair[1]) {
								t.Fatalf("%s: result %d is\n%v, want\n%v", name, i, pair[0], pair[1])
							}
						}
					}
				}
			}
		}
	}
}

// referenceStars is the two kernels, lane by lane, by their definitions.
func referenceStars(c *starCase, u, rowPart int16, from int) int16 {
	sat := func(x int) int { return min(max(x, -1<<15), 1<<15-1) }
	shares := inner(c.shares)
	c.raised = slices.Clone(c.shares)
	greatest := -1 << 15
	for v := range c.lanes {
		edge := func(r, k int) int { return (r*c.cols+k)*c.lanes + v }
		rowMost, colMost := make([]int, c.rows), make([]int, c.cols)
		for r := range c.rows {
			for k := range c.cols {
				x := int(shares[edge(r, k)])
				rowMost[r], colMost[k] = max(rowMost[r], x), max(colMost[k], x)
			}
		}
		rows, cols := 0, 0
		for r, x := range rowMost {
			inner(c.rowMost)[r*c.lanes+v] = int16(x)
			rows = sat(rows + x)
		}
		for k, x := range colMost {
			inner(c.colMost)[k*c.lanes+v] = int16(x)
			cols = sat(cols + x)
		}
		total := sat(int(inner(c.base)[v]) + min(rows, cols))
		less := int(inner(c.less)[v])
		greatest = max(greatest, sat(total-less))
		part := int(rowPart)
		inner(c.total)[v], inner(c.byCol)[v] = int16(total), 0
		if rows > cols {
			inner(c.byCol)[v] = -1
			part = int(inner(c.part)[v])
		}
		each := sat(2*sat(sat(int(u)+less)-total)) * part >> 16
		for r := from; r < c.rows; r++ {
			for k := range c.cols {
				x := rowMost[r]
				if rows > cols {
					x = colMost[k]
				}
				if shares[edge(r, k)] >= 0 {
					inner(c.raised)[edge(r, k)] = int16(min(int(inner(c.most)[edge(r, k)]), sat(x+each)))
				}
			}
		}
	}
	return int16(greatest)
}

func TestNearestLanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for trial := range 300 {
		lanes := StarLane * (1 + trial%2)
		size := []int{3, 300, 1<<15 - 1}[rng.IntN(3)]
		near, from := randomShorts(rng, lanes, 0, size), randomShorts(rng, lanes, -1, 63)
		open, length, gain := randomShorts(rng, lanes, -1, 0), randomShorts(rng, lanes, 0, size), randomShorts(rng, lanes, -size, size)
		line, origin := int16(rng.IntN(size)), int16(rng.IntN(64))
		if trial%5 == 0 {
			for v := range lanes { // nothing is near
				inner(near)[v], inner(gain)[v] = 1<<15-1, -1<<15
			}
		}
		if trial%7 == 0 {
			for v := range lanes {
				inner(open)[v] = -1
			}
		}
		wantNear, wantFrom := slices.Clone(near), slices.Clone(from)
		nearest, distance := uint64(0), 1<<15-1
		for v := range lanes {
			if inner(open)[v] < 0 {
				continue
			}
			x := min(int(line)+int(inner(length)[v]), 1<<15-1) - int(inner(gain)[v])
			if x = min(max(x, -1<<15), 1<<15-1); x < int(inner(wantNear)[v]) {
				inner(wantNear)[v], inner(wantFrom)[v] = int16(x), origin
			}
			if d := int(inner(wantNear)[v]); d < distance {
				nearest, distance = 1<<uint(v), d
			} else if d == distance && d < 1<<15-1 {
				nearest |= 1 << uint(v)
			}
		}
		for _, level := range Levels() {
			a, b := slices.Clone(near), slices.Clone(from)
			gotLanes, got := At(level).NearestLanes(inner(a), inner(b), inner(open), inner(length), inner(gain), line, origin)
			if gotLanes != nearest || int(got) != distance || !slices.Equal(a, wantNear) || !slices.Equal(b, wantFrom) {
				t.Fatalf("%v, trial %d: lanes %x at %d, want %x at %d;\n%v\n%v, want\n%v\n%v", level, trial, gotLanes, got, nearest, distance, a, b, wantNear, wantFrom)
			}
		}
	}
}

func BenchmarkStars(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, level := range Levels() {
		b.Run(fmt.Sprintf("level=%v", level), func(b *testing.B) {
			c := newStarCase(rng, 2, 4, StarLane, 100)
			s := &Stars{c.rows, c.cols, c.lanes, inner(c.shares)}
			bounds := &StarBounds{inner(c.total), inner(c.byCol), inner(c.rowMost), inner(c.colMost)}
			o := At(level)
			for b.Loop() {
				o.BoundStars(bounds, s, inner(c.base), inner(c.less))
				o.RaiseStars(s, inner(c.most), bounds, inner(c.less), inner(c.part), 200, 1<<13)
			}
		})
	}
}
