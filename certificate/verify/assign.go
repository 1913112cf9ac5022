package verify

import "math"

// Assignment finds heaviest assignments of rows to columns. Weights are at least 0, and a
// row may stay alone: it then has one of as many columns more of weight 0.
type Assignment struct {
	Weight [][]int64 // [rows][columns]
	RowOf  []int     // [columns] the row of each, or -1
	Row    []int64   // duals: Row[i] + Col[j] ≥ Weight[i][j]; their sum is the result
	Col    []int64
}

// NewAssignment returns one whose weights are 0.
func NewAssignment(rows, cols int) *Assignment {
	a := &Assignment{RowOf: make([]int, rows+cols), Row: make([]int64, rows), Col: make([]int64, rows+cols)}
	for range rows {
		a.Weight = append(a.Weight, make([]int64, rows+cols))
	}
	return a
}

// Solve returns the weight of the heaviest assignment. It adds one row after another, by the
// shortest augmenting path (Kuhn and Munkres), and calls stop before each.
func (a *Assignment) Solve(stop func()) (total int64) {
	for j := range a.RowOf {
		a.RowOf[j] = -1
	}
	slack, before, done := make([]int64, len(a.Col)), make([]int, len(a.Col)), make([]bool, len(a.Col))
	for i := range a.Weight {
		stop()
		for j := range slack {
			slack[j], before[j], done[j] = math.MaxInt64, -1, false
		}
		at, row := -1, i
		for row >= 0 {
			next, step := -1, int64(math.MaxInt64)
			for j, w := range a.Weight[row] {
				if d := a.Row[row] + a.Col[j] - w; !done[j] && d < slack[j] {
					slack[j], before[j] = d, at
				}
				if !done[j] && slack[j] < step {
					next, step = j, slack[j]
				}
			}
			a.Row[i] -= step
			for j := range slack {
				if done[j] {
					a.Row[a.RowOf[j]] -= step
					a.Col[j] += step
				} else {
					slack[j] -= step
				}
			}
			at, row, done[next] = next, a.RowOf[next], true
		}
		for at >= 0 {
			if to := before[at]; to < 0 {
				a.RowOf[at], at = i, -1
			} else {
				a.RowOf[at], at = a.RowOf[to], to
			}
		}
	}
	for _, dual := range append(a.Row, a.Col...) {
		total += dual
	}
	return total
}
