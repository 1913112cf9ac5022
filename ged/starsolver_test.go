package ged

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestStarSolver checks heaviest matchings and their dual values by enumeration. A near half-edge's is what the rest
// would earn less without it, a far one's what all would earn more with another like it.
func TestStarSolver(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 26))
	var s starSolver
	for range 20000 {
		rows, cols := 1+r.IntN(4), 1+r.IntN(4)
		shares := make([][]int, rows+1)
		for e := range shares {
			shares[e] = make([]int, cols+2)
			for f := range shares[e] {
				shares[e][f] = r.IntN(20) - 5
				if r.IntN(4) == 0 {
					shares[e][f] = dead
				}
			}
		}
		near, far := make([]int, rows), make([]int, cols)
		got := s.solve(slices.Concat(shares...)[cols+3:], cols+2, near, far)
		weights := make([][]int, rows)
		for e := range weights {
			weights[e] = shares[e+1][1 : cols+1]
		}
		if rows > cols {
			weights, near, far = transpose(weights), far, near
		}
		most := heaviest(weights, 0)
		wantNear, wantFar := make([]int, len(near)), make([]int, len(far))
		for x := range near {
			wantNear[x] = most - heaviest(slices.Delete(slices.Clone(weights), x, x+1), 0)
		}
		for y := range far {
			more := make([][]int, len(weights))
			for x, row := range weights {
				more[x] = append(slices.Clone(row), row[y])
			}
			wantFar[y] = heaviest(more, 0) - most
		}
		if got != most || !slices.Equal(near, wantNear) || !slices.Equal(far, wantFar) {
			t.Fatalf("%v: matching of %d, duals %v and %v; want %d, %v and %v", weights, got, near, far, most, wantNear, wantFar)
		}
	}
}

// heaviest returns the weight of the heaviest matching that uses none of the columns taken, which are bits.
func heaviest(weights [][]int, taken uint) int {
	if len(weights) == 0 {
		return 0
	}
	best := heaviest(weights[1:], taken)
	for y, w := range weights[0] {
		if taken>>y&1 == 0 {
			best = max(best, w+heaviest(weights[1:], taken|1<<y))
		}
	}
	return best
}

func transpose(rows [][]int) [][]int {
	cols := make([][]int, len(rows[0]))
	for _, row := range rows {
		for j, w := range row {
			cols[j] = append(cols[j], w)
		}
	}
	return cols
}
