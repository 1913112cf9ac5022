package vectorindex

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
)

// Flat is the linear scan, which every other index has to beat. Vectors are
// stored in groups of 16, dimension by dimension. They are screened in float32
// and the exact distance is computed for groups that may hold an answer.
type Flat struct {
	ops    kernel.Ops
	norm   norm.Norm
	kernel kernel.Norm
	n, dim int
	groups []float32 // [⌈n/16⌉, dim, 16]
}

// scanPart is how many vectors are screened at once: 128 KiB at 64
// dimensions, so that they stay in the second level of cache for the next
// query of the batch.
const scanPart = 512

// NewFlat returns a scan over vectors, [n, dim] row-major, which it copies.
// It returns an error that is [ErrNotFinite] if a value is not finite, and
// another if the norm is not valid.
func NewFlat(n norm.Norm, vectors []float32) (*Flat, error) {
	return newFlat(n, vectors, kernel.Best())
}

func newFlat(n norm.Norm, vectors []float32, ops kernel.Ops) (*Flat, error) {
	count, err := checkVectors(n, vectors)
	if err != nil {
		return nil, err
	}
	f := &Flat{ops: ops, norm: n, kernel: kernelNorm(n), n: count, dim: n.Dim()}
	f.groups = make([]float32, kernel.Pad(count)*f.dim)
	group := f.dim * kernel.Lane
	for v := range count {
		at := v/kernel.Lane*group + v%kernel.Lane
		for i, x := range vectors[v*f.dim : (v+1)*f.dim] {
			f.groups[at+i*kernel.Lane] = x
		}
	}
	return f, nil
}

func kernelNorm(n norm.Norm) kernel.Norm {
	return kernel.Norm{Widths: n.Widths, L2: n.Kind == norm.L2, Max: n.Combine == norm.Max, Hinge: n.Hinge}
}

// Norm returns the distance.
func (f *Flat) Norm() norm.Norm { return f.norm }

// Len returns the number of vectors.
func (f *Flat) Len() int { return f.n }

// KNN returns the k nearest vectors of each query.
func (f *Flat) KNN(ctx context.Context, queries []Query, k int) ([]Result, error) {
	return f.scan(ctx, queries, func(q Query) *collector { return newNearest(q, &f.kernel, k, f.n) })
}

// Range returns the vectors within theta of each query.
func (f *Flat) Range(ctx context.Context, queries []Query, theta float64) ([]Result, error) {
	if err := checkTheta(theta); err != nil {
		return nil, err
	}
	return f.scan(ctx, queries, func(q Query) *collector { return newRange(q, &f.kernel, theta) })
}

func (f *Flat) scan(ctx context.Context, queries []Query, collect func(Query) *collector) ([]Result, error) {
	if err := checkQueries(queries, f.dim); err != nil {
		return nil, err
	}
	collectors := make([]*collector, len(queries))
	for i, q := range queries {
		collectors[i] = collect(q)
	}
	var screened [scanPart]float32
	padded := kernel.Pad(f.n)
	for from := 0; from < padded; from += scanPart {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+scanPart, padded)
		for _, c := range collectors {
			if c.done() {
				continue
			}
			part := f.groups[from*f.dim : to*f.dim]
			f.ops.Screen(screened[:to-from], c.query.Vector, part, &f.kernel)
			f.verify(c, screened[:to-from], part, from)
		}
	}
	results := make([]Result, len(collectors))
	for i, c := range collectors {
		results[i] = c.result()
	}
	return results, ctx.Err()
}

// verify computes the exact distances of groups with a candidate.
func (f *Flat) verify(c *collector, screened, part []float32, from int) {
	var distances [kernel.Lane]float64
	for at := 0; ; {
		at += f.ops.Find(screened[at:], c.limit)
		if at == len(screened) {
			return
		}
		at &^= kernel.Lane - 1
		f.ops.Exact(distances[:], c.query.Vector, part[at*f.dim:(at+kernel.Lane)*f.dim], &f.kernel)
		for l, d := range distances {
			if position := from + at + l; position < f.n {
				c.offer(Hit{position, d})
			}
		}
		at += kernel.Lane
	}
}

// Check returns an error if a stored value is not finite.
func (f *Flat) Check() error {
	if len(f.groups) != kernel.Pad(f.n)*f.dim {
		return fmt.Errorf("vectorindex: %d values for %d vectors of %d", len(f.groups), f.n, f.dim)
	}
	if i := notFinite(f.groups); i >= 0 {
		return fmt.Errorf("%w: value %d of the groups", ErrNotFinite, i)
	}
	return nil
}
