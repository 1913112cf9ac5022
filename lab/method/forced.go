package method

import (
	"math"

	"github.com/greedgraph/greed/internal/assign"
)

// forcing is a solver of assignment problems that can also tell what each place of a row costs.
type forcing struct {
	assign.Solver
	cost, del, ins []float64
	least          float64
	seek           []float64 // [n+1], see forced
	unplaced       []int32
}

// Solve is that of [assign.Solver]. Its arguments must stay as they are until the last call of
// forced.
func (s *forcing) Solve(cost, del, ins []float64) float64 {
	s.cost, s.del, s.ins = cost, del, ins
	s.least = s.Solver.Solve(cost, del, ins)
	return s.least
}

// forced sets dst[j], [m+1], to the least cost of the problem last solved when
// row i must take column j, for every j at once, and dst[m] to the least cost
// when row i is deleted. It returns dst and leaves the solution as it is.
//
// With row i taken out of the solution, its place is vacant. Who is driven out
// of column j by row i must find another place along a path of reduced costs
// that ends in the vacant place, so one search backwards from there, O(n(n+m)),
// answers for all columns.
func (s *forcing) forced(dst []float64, i int) []float64 {
	n, m := len(s.U), len(s.V)
	if cap(dst) < m+1 {
		dst = make([]float64, m+1)
	}
	dst = dst[:m+1]
	s.distancesTo(i)
	crowd := s.seek[n]
	vacant := int(s.Row[i])
	for j := range m {
		x := s.least + s.slack(i, j)
		switch r := s.Col[j]; {
		case j == vacant:
			x = s.least
		case r == assign.None:
			x += crowd
		default:
			x += s.seek[r]
		}
		dst[j] = x
	}
	dst[m] = s.least
	if vacant != assign.None {
		dst[m] += s.del[i] - s.U[i] + crowd
	}
	return dst
}

func (s *forcing) slack(i, j int) float64 { return s.cost[i*len(s.V)+j] - s.U[i] - s.V[j] }

// distancesTo fills seek[r], for every row r but i, with the length of the
// shortest path by which r, driven out of its place, lets the place of row i be
// filled. seek[n] is the same for the crowd: all deletions and insertions, which
// can take on one more row or column only by giving up another.
func (s *forcing) distancesTo(i int) {
	n, m := len(s.U), len(s.V)
	s.seek, s.unplaced = s.seek[:0], s.unplaced[:0]
	for range n + 1 {
		s.seek = append(s.seek, math.Inf(1))
	}
	for r := range n {
		if r != i {
			s.unplaced = append(s.unplaced, int32(r))
		}
	}
	s.unplaced = append(s.unplaced, int32(n))
	if vacant := int(s.Row[i]); vacant == assign.None {
		s.seek[n] = 0
	} else {
		s.relaxColumn(vacant, 0)
	}
	for len(s.unplaced) > 0 {
		at := 0
		for k, x := range s.unplaced {
			if s.seek[x] < s.seek[s.unplaced[at]] {
				at = k
			}
		}
		x := int(s.unplaced[at])
		last := len(s.unplaced) - 1
		s.unplaced[at] = s.unplaced[last]
		s.unplaced = s.unplaced[:last]
		d := s.seek[x]
		switch {
		case math.IsInf(d, 1):
			return
		case x == n:
			s.relaxCrowd(d, m)
		case s.Row[x] == assign.None:
			s.seek[n] = min(s.seek[n], d+s.del[x]-s.U[x])
		default:
			s.relaxColumn(int(s.Row[x]), d)
		}
	}
}

// relaxColumn considers column j as the first step of everyone still unplaced,
// d from its end.
func (s *forcing) relaxColumn(j int, d float64) {
	n := len(s.U)
	for _, y := range s.unplaced {
		if int(y) == n {
			s.seek[n] = min(s.seek[n], d+s.ins[j]-s.V[j])
		} else {
			s.seek[y] = min(s.seek[y], d+s.slack(int(y), j))
		}
	}
}

// relaxCrowd considers deletion, or a column that was inserted, as the first
// step of every unplaced row.
func (s *forcing) relaxCrowd(d float64, m int) {
	for _, y := range s.unplaced {
		least := s.del[y] - s.U[y]
		for j := range m {
			if s.Col[j] == assign.None {
				least = min(least, s.slack(int(y), j))
			}
		}
		s.seek[y] = min(s.seek[y], d+least)
	}
}
