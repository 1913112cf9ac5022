// Package assign solves the linear sum assignment problem with error
// correction (LSAPE): every row takes a column of its own or is deleted, every
// column that no row takes is inserted, and the sum of the costs is least. The
// plain assignment problem (LSAP) is the case in which nothing may be deleted
// and insertion is free.
//
// Bougleux, Gaüzère, Blumenthal and Brun, "Fast linear sum assignment with
// error-correction and no cost constraints", Pattern Recognition Letters 2020,
// define the problem; the method here is the successive shortest path method of
// Jonker and Volgenant (1987), row by row, with deletion as a second way in
// which a path may end.
//
// Dimensions: n rows, m columns; matrices are row-major.
package assign

import (
	"fmt"
	"math"
)

// None stands for the column of a deleted row and the row of an inserted column.
const None = -1

// Solver holds the solution of one problem and the memory for the next. The
// zero value is ready for use. It is not safe for concurrent use.
//
// After Solve, the duals prove the solution: U[i] + V[j] ≤ cost[i, j],
// U[i] ≤ del[i] and V[j] ≤ ins[j] hold everywhere, with equality for what the
// solution uses, so that the sum of all U and V is the cost. The slices belong
// to the solver and last until the next call.
type Solver struct {
	// Stop, if set, is called with the work done, in units of about a
	// nanosecond, and reports whether to stop.
	Stop func(work int) bool

	Row []int32   // [n] column of every row, or None
	Col []int32   // [m] row of every column, or None
	U   []float64 // [n]
	V   []float64 // [m]

	cost, del, ins []float64

	dist []float64 // [m] length of the shortest path to each column
	from []int32   // [m] last row of that path
	cols []int32   // [m] all columns, those settled first
}

// Solve solves the problem with n = len(del) rows and m = len(ins) columns and
// returns the least cost. All costs may be negative; cost [n, m] and ins must be
// finite, and del may be +Inf, as long as no row is forced to be deleted. It
// panics if the lengths disagree.
//
// If Stop ends it, the duals are feasible all the same: Solve returns their sum,
// which the least cost is not below, and rows not placed by then count as deleted.
func (s *Solver) Solve(cost, del, ins []float64) float64 {
	n, m := len(del), len(ins)
	if len(cost) != n*m {
		panic(fmt.Sprintf("assign: %d costs for %d rows and %d columns", len(cost), n, m))
	}
	s.cost, s.del, s.ins = cost, del, ins
	s.Row, s.Col = fill(s.Row, n, None), fill(s.Col, m, None)
	s.U, s.V = fill(s.U, n, 0), append(s.V[:0], ins...)
	s.dist, s.from, s.cols = sized(s.dist, m), sized(s.from, m), sized(s.cols, m)
	if s.Stop != nil {
		s.reduceRows(n, m)
	}
	for i := range n {
		if !s.augment(i) {
			return sum(s.U) + sum(s.V)
		}
	}
	total := 0.0
	for i, j := range s.Row {
		if j == None {
			total += del[i]
		} else {
			total += cost[i*m+int(j)]
		}
	}
	for j, i := range s.Col {
		if i == None {
			total += ins[j]
		}
	}
	return total
}

// reduceRows raises the duals of all rows as far as they go, so that they are
// feasible before the rows are placed.
func (s *Solver) reduceRows(n, m int) {
	for i := range n {
		if s.Stop(m) {
			// Too late even for this: what no entry is below bounds the rest.
			for k := i; k < n; k++ {
				s.U[k] = math.Inf(-1)
			}
			return
		}
		least := s.del[i]
		for j, c := range s.cost[i*m : i*m+m] {
			least = min(least, c-s.V[j])
		}
		s.U[i] = least
	}
}

func sum(a []float64) float64 {
	total := 0.0
	for _, x := range a {
		total += x
	}
	return total
}

// augment places row i, given that the rows before it are placed at least
// cost, along a shortest path of reduced costs: it ends in a free column or in
// a deletion. It reports false if it was stopped, and then nothing has changed.
func (s *Solver) augment(i int) bool {
	m := len(s.V)
	if s.Stop != nil && s.Stop(2*m) {
		return false
	}
	dist, from, cols, v := s.dist[:m], s.from[:m], s.cols[:m], s.V[:m]
	settled := 0
	end, last := s.del[i]-s.U[i], i // cheapest deletion so far, and its row
	hole := None                    // the free column that ends the path, if any does
	best, at := end, None
	for j, cost := range s.cost[i*m : i*m+m] {
		x := cost - v[j] - s.U[i]
		dist[j], from[j], cols[j] = x, int32(i), int32(j)
		if x < best {
			best, at = x, j
		}
	}
	for at != None {
		j := cols[at]
		if s.Col[j] == None {
			hole, end = int(j), best
			break
		}
		cols[at], cols[settled] = cols[settled], j
		settled++
		row, length := int(s.Col[j]), best
		if s.Stop != nil && s.Stop(2*m) {
			return false
		}
		if x := length + s.del[row] - s.U[row]; x < end {
			end, last = x, row
		}
		costs := s.cost[row*m : row*m+m]
		shift := length - s.U[row]
		best, at = end, None
		for k := settled; k < m; k++ {
			j := cols[k]
			d := dist[j]
			if x := costs[j] - v[j] + shift; x < d {
				d = x
				dist[j], from[j] = x, int32(row)
			}
			if d < best {
				best, at = d, k
			}
		}
	}
	s.U[i] += end
	for _, j := range cols[:settled] {
		gap := end - dist[j]
		s.U[s.Col[j]] += gap
		v[j] -= gap
	}
	if hole == None {
		hole = int(s.Row[last])
		s.Row[last] = None
		if last == i {
			return true
		}
	}
	for {
		r := int(from[hole])
		s.Col[hole] = int32(r)
		hole, s.Row[r] = int(s.Row[r]), int32(hole)
		if r == i {
			return true
		}
	}
}

func sized[T any](a []T, n int) []T {
	if cap(a) < n {
		return make([]T, n)
	}
	return a[:n]
}

func fill[T any](a []T, n int, x T) []T {
	a = sized(a, n)
	for i := range a {
		a[i] = x
	}
	return a
}
