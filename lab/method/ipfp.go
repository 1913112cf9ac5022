package method

import (
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/internal/assign"
)

// maxIterations bounds the steps of IPFP. On pairs of Protein graphs the mean
// upper bound is 82.5 after 3 steps, 62.8 after 10, 61.9 after 20 or 100.
const maxIterations = 20

// ipfp improves the assignment of BRANCH by the integer projected fixed point
// method. The lower bound is that of BRANCH.
func ipfp(x *pair, opt ged.Options) ged.Result {
	f := newQuadratic(x)
	lower := x.base + f.bound(0)
	limit := int64(maxIterations)
	if opt.States > 0 {
		limit = min(limit, opt.States)
	}
	steps := f.descend(limit)
	r := x.result(lower, f.bestImage)
	r.States = steps
	return r
}

// quadratic is the change of a node map as a function of a doubly
// sub-stochastic matrix x, [n, m]: linear in the nodes, quadratic in the edges.
// A row or column may sum to less than 1, the rest being deleted or inserted.
type quadratic struct {
	*brancher
	x, gradient, direction []float64

	best      float64 // least change of a map since the start of a descent
	bestImage []int32
}

func newQuadratic(x *pair) *quadratic {
	size := x.n * x.m
	return &quadratic{
		brancher: newBrancher(x),
		x:        make([]float64, size), gradient: make([]float64, size), direction: make([]float64, size),
		bestImage: make([]int32, x.n),
	}
}

// descend runs IPFP from the map in image (Leordeanu, Hebert and Sukthankar, NIPS 2009;
// for edit distances Bougleux, Gaüzère and Brun, ICPR 2016). Each step moves towards the
// assignment that is best for the gradient, as far as the change falls. There are at
// most limit steps. It leaves the best assignment that it met in bestImage and returns
// the number of steps.
func (f *quadratic) descend(limit int64) int64 {
	f.best = f.total(f.image)
	copy(f.bestImage, f.image)
	f.indicator(f.x)
	steps := int64(0)
	for ; steps < limit && !f.clock.Look(); steps++ {
		here := f.differentiate()
		if f.clock.Ended() {
			return steps
		}
		there := f.project(f.gradient)
		f.indicator(f.direction)
		slope := 0.0
		for k := range f.direction {
			f.direction[k] -= f.x[k]
			slope += f.gradient[k] * f.direction[k]
		}
		if slope >= -1e-9 {
			return steps
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
	return steps
}

// project sets the image to the assignment of least cost, keeps it if it is the
// best, and returns its change.
func (f *quadratic) project(cost []float64) float64 {
	f.solver.Solve(cost, f.zeros[:f.n], f.zeros[:f.m])
	copy(f.image, f.solver.Row)
	total := f.total(f.image)
	if total < f.best {
		f.best = total
		copy(f.bestImage, f.image)
	}
	return total
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

// differentiate sets the gradient at x and returns the value there, unless time ends
// before that.
func (f *quadratic) differentiate() float64 {
	copy(f.gradient, f.change)
	for side := range f.sides {
		for i := range f.n {
			if f.large() && f.clock.Spend(f.m+2*len(f.rowArcs.of(side, i))*len(f.columnArcs.arcs[side])) {
				return 0
			}
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
