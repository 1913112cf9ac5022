package kernel

import "math"

func snapToGridGeneric(cell []uint8, rest, q, base []float32, inverse float32, hinge bool) {
	for i, x := range q {
		t := (x - base[i]) * inverse
		c := min(max(t, 0), 255)
		k := float32(math.RoundToEven(float64(c)))
		cell[i] = uint8(k)
		outside := t - c
		if hinge {
			outside = positive(outside)
		} else {
			outside = float32(math.Abs(float64(outside)))
		}
		rest[i] = outside - float32(math.Abs(float64(c-k)))
	}
}

func screenGridGeneric(dst *[GridLane]float32, cell, codes []uint8, offset []float32, pairs []int, step float32, hinge, greatest bool) {
	var totals [GridLane]float32
	for b, n := range pairs {
		var sums [GridLane]int32
		for p := range n {
			row := (*[2 * GridLane]uint8)(codes[p*2*GridLane:])
			addPair(&sums, int32(cell[2*p]), int32(cell[2*p+1]), row, hinge)
		}
		cell, codes = cell[2*n:], codes[2*n*GridLane:]
		for v, s := range sums {
			t := max(0, offset[b]+float32(s))
			if greatest {
				totals[v] = max(totals[v], t)
			} else {
				totals[v] += t
			}
		}
	}
	for v, t := range totals {
		dst[v] = step * t
	}
}

func addPair(sums *[GridLane]int32, x, y int32, row *[2 * GridLane]uint8, hinge bool) {
	if hinge {
		for v := range sums {
			sums[v] += max(0, x-int32(row[2*v])) + max(0, y-int32(row[2*v+1]))
		}
		return
	}
	for v := range sums {
		d, e := x-int32(row[2*v]), y-int32(row[2*v+1])
		sums[v] += max(d, -d) + max(e, -e)
	}
}
