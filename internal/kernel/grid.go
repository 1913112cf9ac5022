package kernel

import "fmt"

// GridLane is the number of vectors that are kept together in a grid.
const GridLane = 32

// A grid holds vectors for ℓ1 norms in 8 bits a coordinate, with one step for
// all coordinates: coordinate i of vector v stands for
//
//	base[i] + step*codes[i/2][v][i%2]
//
// The blocks of the norm are padded to even widths with coordinates that are
// always 0; Pairs are half these widths.

// SnapToGrid brings a query into the grid: cell[i] is the nearest code of
// t = (q[i]-base[i])/step, and rest[i] what |t−v| for a code v is greater than
// |cell[i]−v| by, at least; with hinge, of max(0, t−v):
//
//	t := (q[i] - base[i]) * inverse
//	c := min(max(t, 0), 255)
//	cell[i] = round to even(c)
//	rest[i] = abs(t-c) - abs(c-cell[i]) // max(0, t-c) with hinge
//
// Lengths are a multiple of [Lane]. Bits are the same at all levels.
func (o Ops) SnapToGrid(cell []uint8, rest, q, base []float32, inverse float32, hinge bool) {
	checkWidth(len(q))
	checkLength("cell", len(cell), len(q))
	checkLength("rest", len(rest), len(q))
	checkLength("base", len(base), len(q))
	if len(q) > 0 {
		snapToGrid(o.level, cell, rest, q, base, inverse, hinge)
	}
}

// ScreenGrid computes bounds of the distances to the [GridLane] vectors of
// codes, from what [Ops.SnapToGrid] gave, offset being the sum of rest for
// each block:
//
//	for v := range dst {
//		for each block b {
//			s := sum of abs(cell[i]-codes[i/2][v][i%2]) // max(0, ·) with hinge
//			t := max(0, offset[b]+float32(s))
//			total += t // or the greatest, with greatest
//		}
//		dst[v] = step * total
//	}
//
// Bits are the same at all levels.
func (o Ops) ScreenGrid(dst *[GridLane]float32, cell, codes []uint8, offset []float32, pairs []int, step float32, hinge, greatest bool) {
	n := 0
	for _, p := range pairs {
		if p < 1 || p > 128 { // sums of 256 codes fit 16 bits
			panic(fmt.Sprintf("kernel: grid with a block of %d pairs", p))
		}
		n += p
	}
	if len(cell) < 2*n {
		panic(fmt.Sprintf("kernel: query of %d codes, want %d", len(cell), 2*n))
	}
	checkLength("codes", len(codes), 2*n*GridLane)
	checkLength("offset", len(offset), len(pairs))
	if n > 0 {
		screenGrid(o.level, dst, cell, codes, offset, pairs, step, hinge, greatest)
	}
}
