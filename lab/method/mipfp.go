package method

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/greedgraph/greed/ged"
)

const (
	// starts is how many descents mIPFP makes.
	starts = 10
	// disturbance is the noise of the last start, as a share of the largest cost.
	disturbance = 0.5
)

// mipfp makes several descents of IPFP from different assignments and improves
// each result by exchanges, until one attains the lower bound (Daller, Bougleux,
// Gaüzère and Brun, "Approximate graph edit distance by several local searches in
// parallel", ICPRAM 2018). The first start is the assignment of BRANCH; the others
// are assignments of the same branches with costs disturbed, the more so the
// later, by a fixed random sequence. The lower bound is that of BRANCH.
func mipfp(x *pair, opt ged.Options) ged.Result {
	f := newQuadratic(x)
	lower := x.base + f.bound(0)
	branches := slices.Clone(f.cells)
	largest := 0.0
	for _, c := range branches {
		largest = max(largest, math.Abs(c))
	}
	r := rand.New(rand.NewPCG(1, 0))
	l := newLocal(x)
	best, bestImage := f.total(f.image), slices.Clone(f.image)
	descents := int64(0)
	for descents < starts && (opt.States == 0 || descents < opt.States) && !x.clock.Look() {
		if descents > 0 {
			noise := largest * disturbance * float64(descents) / starts
			for k, c := range branches {
				f.cells[k] = c + noise*r.Float64()
			}
			f.solver.Solve(f.cells, f.zeros[:f.n], f.zeros[:f.m])
			copy(f.image, f.solver.Row)
		}
		descents++
		f.descend(maxIterations)
		l.use(f.bestImage)
		l.improve(0)
		if total := x.total(l.image); total < best {
			best = total
			copy(bestImage, l.image)
		}
		if x.rounding.Lower(lower) >= x.base+best {
			break
		}
	}
	result := x.result(lower, bestImage)
	result.States = descents
	return result
}
