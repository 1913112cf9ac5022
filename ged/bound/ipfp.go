package bound

import (
	"context"
	"time"

	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/internal/assign"
)

// maxIterations bounds the steps of IPFP, which converges in about ten.
const maxIterations = 100

// quadratic is the change of a node map as a function of a doubly
// sub-stochastic matrix x, [n, m]: linear in the nodes, quadratic in the edges.
// A row or column may sum to less than 1, the rest being deleted or inserted.
type quadratic struct {
	*brancher
	x, gradient, direction []float64
}

// ipfp improves the assignment of BRANCH by the integer projected fixed point
// method (Leordeanu, Hebert and Sukthankar, NIPS 2009; for edit distances
// Bougleux, Gaüzère and Brun, ICPR 2016): go from x towards the assignment that
// is best for the gradient at x, as far as the change keeps falling. Assignments
// met on the way are node maps; the best of them is the upper bound. The lower
// bound is that of BRANCH.
func ipfp(ctx context.Context, x *pair, opt ged.Options) ged.Result {
	start := time.Now()
	f := quadratic{brancher: newBrancher(x)}
	lower := x.base + f.bound(0)
	best, bestImage := x.total(f.image), append([]int32{}, f.image...)
	try := func() float64 {
		total := x.total(f.image)
		if total < best {
			best = total
			copy(bestImage, f.image)
		}
		return total
	}
	size := x.n * x.m
	f.x, f.gradient, f.direction = make([]float64, size), make([]float64, size), make([]float64, size)
	f.indicator(f.x)
	steps := int64(0)
	for ; steps < maxIterations && ctx.Err() == nil; steps++ {
		if opt.Time > 0 && time.Since(start) > opt.Time || opt.States > 0 && steps == opt.States {
			break
		}
		here := f.differentiate()
		f.project(f.gradient)
		there := try()
		f.indicator(f.direction)
		slope := 0.0
		for k := range f.direction {
			f.direction[k] -= f.x[k]
			slope += f.gradient[k] * f.direction[k]
		}
		if slope >= -1e-9 {
			break
		}
		step := 1.0
		if curvature := there - here - slope; curvature > 0 {
			step = min(1, -slope/(2*curvature))
		}
		for k, d := range f.direction {
			f.x[k] += step * d
		}
	}
	for k, v := range f.x {
		f.gradient[k] = -v
	}
	f.project(f.gradient)
	try()
	r := x.result(lower, bestImage)
	r.States = steps
	return r
}

// project sets the image to the assignment of least cost.
func (f *quadratic) project(cost []float64) {
	f.solver.Solve(cost, f.zeros[:f.n], f.zeros[:f.m])
	copy(f.image, f.solver.Row)
}

// indicator sets dst, [n, m], to the matrix of the image.
func (f *quadratic) indicator(dst []float64) {
	clear(dst)
	for i, j := range f.image {
		if j != assign.None {
			dst[i*f.m+int(j)] = 1
		}
	}
}

// differentiate sets the gradient at x and returns the value there.
func (f *quadratic) differentiate() float64 {
	copy(f.gradient, f.change)
	for side := range f.sides {
		for i := range f.n {
			for _, a := range f.rowArcs.of(side, i) {
				for j := range f.m {
					for _, b := range f.columnArcs.of(side, j) {
						if x := f.x[int(a.to)*f.m+int(b.to)]; x != 0 {
							f.gradient[i*f.m+j] += x * f.edges.of(a.label, b.label)
						}
					}
				}
			}
		}
	}
	value := 0.0
	for k, x := range f.x {
		value += x * (f.change[k] + f.gradient[k]) / 2
	}
	return value
}
