package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// heaviest returns the weight of the heaviest matching of the rows given with the columns that are not used.
func heaviest(rows [][]int16, used int) int16 {
	if len(rows) == 0 {
		return 0
	}
	best := heaviest(rows[1:], used)
	for c, x := range rows[0] {
		if x > 0 && used>>c&1 == 0 {
			best = max(best, x+heaviest(rows[1:], used|1<<c))
		}
	}
	return best
}

// TestMatch: stars are matched as by trying all matchings, at all levels, also after one of their half-edges was raised,
// by which no star earns more than allowed.
func TestMatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	raised, taken := 0, 0
	for trial := range 500 {
		rows, cols, lanes := trial%8, 3+rng.IntN(2), StarLane*(1+rng.IntN(3))
		c := newStarCase(rng, rows, cols, lanes, 1<<12)
		x, line := rng.IntN(max(1, rows)), cols*lanes
		n := &StarNet{Rows: 1, Slots: cols, Lanes: lanes}
		var first *starCase
		var firstMatch *starMatch
		for _, level := range Levels() {
			o, name := At(level), fmt.Sprintf("trial %d, %v, %d by %d, %d lanes", trial, level, rows, cols, lanes)
			got := *c
			got.shares, got.total = slices.Clone(c.shares), slices.Clone(c.total)
			s := &Stars{rows, cols, lanes, inner(got.shares)}
			m := n.scratch()
			check := func(row int) {
				t.Helper()
				for v := range lanes {
					var list [][]int16
					for r := range rows {
						var weights []int16
						for y := range cols {
							weights = append(weights, s.Shares[r*line+y*lanes+v])
						}
						list = append(list, weights)
					}
					if want := inner(c.base)[v] + heaviest(list, 0); inner(got.total)[v] != want {
						t.Fatalf("%s: lane %d earns %d, want %d", name, v, inner(got.total)[v], want)
					}
					if rows == 0 {
						continue
					}
					list = slices.Delete(list, row, row+1)
					for y := range cols {
						if want := heaviest(list, 1<<y); m.rest[y*lanes+v] != want {
							t.Fatalf("%s: lane %d has %d left without column %d, want %d", name, v, m.rest[y*lanes+v], y, want)
						}
					}
				}
			}
			u := o.match(m, s, x, inner(got.total), inner(c.base), inner(c.less))
			check(x)
			if want := referenceMost(inner(got.total), inner(c.less)); u != want {
				t.Fatalf("%s: at most %d, want %d", name, u, want)
			}
			if rows > 0 {
				before, u := slices.Clone(inner(got.total)), u+100
				least := u - 3000
				o.allow(m, inner(got.total), inner(c.less), inner(c.part), u, 1<<13, 3<<13)
				own := s.Shares[x*line:][:line]
				old := slices.Clone(own)
				o.lift(m, own, inner(c.most)[x*line:][:line], inner(got.total), inner(c.base), inner(c.less), least)
				check(x)
				for v, most := range before {
					less := inner(c.less)[v]
					if now := inner(got.total)[v]; now > max(most, u+less) {
						t.Fatalf("%s: lane %d earns %d after %d, allowed is %d", name, v, now, most, u+less)
					} else if now > most {
						raised++
					}
					for y := range cols {
						at := y*lanes + v
						if low := inner(c.base)[v]+m.rest[at]+old[at] < least+less; own[at] < 0 != (old[at] < 0 || low) {
							t.Fatalf("%s: lane %d, column %d: share %d of %d", name, v, y, own[at], old[at])
						} else if low && old[at] >= 0 {
							taken++
						}
					}
				}
			}
			if first == nil {
				first, firstMatch = &got, m
			} else if !slices.Equal(first.shares, got.shares) || !slices.Equal(first.total, got.total) || rows > 0 && !slices.Equal(firstMatch.cap, m.cap) {
				t.Fatalf("%s: other bits than at level %v", name, Levels()[0])
			}
		}
	}
	if raised < 1000 || taken < 100 {
		t.Errorf("%d stars earn more, %d shares were taken", raised, taken)
	}
}

func referenceMost(total, less []int16) int16 {
	most := int32(-1 << 15)
	for v := range total {
		most = max(most, int32(total[v])-int32(less[v]))
	}
	return saturated(most)
}
