package kernel

import "math"

func exactGeneric(dst []float64, q, groups []float32, n *Norm) {
	dim := len(q)
	for g := 0; g < len(dst); g += Lane {
		total := dst[g : g+Lane : g+Lane]
		clear(total)
		group := groups[g*dim : (g+Lane)*dim]
		for _, w := range n.Widths {
			var sums [Lane]float64
			for i, a := range q[len(q)-len(group)/Lane:][:w] {
				row := group[i*Lane : (i+1)*Lane : (i+1)*Lane]
				for l := range sums {
					d := float64(a - row[l])
					if n.Hinge {
						d = max(0, d)
					}
					if n.L2 {
						sums[l] += d * d
					} else {
						sums[l] += math.Abs(d)
					}
				}
			}
			group = group[w*Lane:]
			for l, s := range sums {
				if n.L2 {
					s = math.Sqrt(s)
				}
				if n.Max {
					total[l] = max(total[l], s)
				} else {
					total[l] += s
				}
			}
		}
	}
}

func screenGeneric(dst, q, groups []float32, n *Norm) {
	dim := len(q)
	for g := 0; g < len(dst); g += Lane {
		total := dst[g : g+Lane : g+Lane]
		clear(total)
		group := groups[g*dim : (g+Lane)*dim]
		for _, w := range n.Widths {
			var sums [Lane]float32
			screenBlock(&sums, q[len(q)-len(group)/Lane:][:w], group, n)
			group = group[w*Lane:]
			endBlock(total, &sums, n)
		}
	}
}

// endBlock adds the norm of a block to the totals.
func endBlock(total []float32, sums *[Lane]float32, n *Norm) {
	for l, s := range sums {
		if n.L2 {
			s = float32(math.Sqrt(float64(s)))
		}
		if n.Max {
			total[l] = max(total[l], s)
		} else {
			total[l] += s
		}
	}
}

// screenBlock adds up one block of the norm.
func screenBlock(sums *[Lane]float32, q, group []float32, n *Norm) {
	for i, a := range q {
		var row [Lane]float32
		for l, x := range group[i*Lane : (i+1)*Lane] {
			row[l] = a - x
		}
		addTerms(sums, &row, n)
	}
}

// addTerms adds the terms of differences.
func addTerms(sums, differences *[Lane]float32, n *Norm) {
	switch {
	case n.L2 && n.Hinge:
		for l, d := range differences {
			d = positive(d)
			sums[l] += float32(d * d)
		}
	case n.L2:
		for l, d := range differences {
			sums[l] += float32(d * d)
		}
	case n.Hinge:
		for l, d := range differences {
			sums[l] += positive(d)
		}
	default:
		for l, d := range differences {
			sums[l] += float32(math.Abs(float64(d)))
		}
	}
}

func findGeneric(values []float32, limit float32) int {
	for i, v := range values {
		if v <= limit {
			return i
		}
	}
	return len(values)
}
