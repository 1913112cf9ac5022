package nn

import (
	"math"
	"slices"

	"github.com/greedgraph/greed/internal/kernel"
)

// Muon is the optimiser of Jordan et al. (2024) for the weight matrices of linear maps. The
// direction of a step is the average of recent gradients, made approximately orthogonal. It
// is scaled as by Liu et al. (2025), so that it can share the learning rates of [AdamW],
// which updates the other parameters and applies weight decay to all.
//
// Matrices are independent: workers may update different ones concurrently.
type Muon struct {
	Momentum []float32 // as Params.Flat; its state is part of a checkpoint
	blocks   []columnBlock
}

// A columnBlock is up to muonColumns columns of a matrix, which are made orthogonal
// separately: a wide matrix as a whole takes four times as long per column and trains no
// better (docs/tried-learning.md).
type columnBlock struct {
	of        *Param
	from, end int // columns
	average   []float32
	work      orthogonal
}

const (
	muonMomentum = 0.95
	muonColumns  = 64
	newtonSteps  = 5
	// muonScale makes the mean square of a step half that of AdamW's, which trains better
	// than an equal one (docs/divergence.md).
	muonScale = 0.1
	// leastMomentum is the norm below which an average of gradients gives no direction. That
	// of a matrix whose units are dead decays for ever: scaled to norm 1 it would still move
	// the weights, and from 1e-39 on become infinite.
	leastMomentum = 1e-7
)

// NewMuon returns an optimiser of matrices of ps, whose dimensions are multiples of 16.
func NewMuon(ps *Params, matrices []*Param) *Muon {
	m := &Muon{Momentum: make([]float32, len(ps.Flat()))}
	for _, p := range matrices {
		for from := 0; from < p.Cols; from += muonColumns {
			end := min(from+muonColumns, p.Cols)
			size := p.Rows * (end - from)
			m.blocks = append(m.blocks, columnBlock{p, from, end, make([]float32, size),
				newOrthogonal(p.Rows, end-from)})
		}
	}
	slices.SortStableFunc(m.blocks, func(a, b columnBlock) int { return len(b.average) - len(a.average) })
	return m
}

// Len returns the number of blocks of columns, the largest of which come first.
func (m *Muon) Len() int { return len(m.blocks) }

// Update takes one step of block i of values against its part of grad, which it then clears.
// Both are laid out as [Params.Flat].
func (m *Muon) Update(ops kernel.Ops, i int, values, grad []float32, rate float64) {
	b := &m.blocks[i]
	w, g, momentum := b.of.Of(values), b.of.Of(grad), b.of.Of(m.Momentum)
	width := b.end - b.from
	squares := 0.0
	for r := range b.of.Rows {
		row := r*b.of.Cols + b.from
		average, g, momentum := b.average[r*width:][:width], g[row:][:width], momentum[row:][:width]
		for k, x := range g {
			momentum[k] += (1 - muonMomentum) * (x - momentum[k])
			u := x + muonMomentum*(momentum[k]-x)
			squares += float64(u) * float64(u)
			average[k] = u
		}
		clear(g)
	}
	if squares <= leastMomentum*leastMomentum {
		return
	}
	b.work.set(ops, b.average, float32(1/math.Sqrt(squares)))
	b.work.improve(ops)
	direction := b.work.get()
	ops.Scale(direction, -float32(rate*muonScale*math.Sqrt(float64(max(b.of.Rows, width)))))
	for r := range b.of.Rows {
		ops.Add(w[r*b.of.Cols+b.from:][:width], direction[r*width:][:width])
	}
}

// orthogonal brings the singular values of a matrix, all at most 1, close to 1. It keeps the
// matrix wide: if it has more rows than columns, transposed.
type orthogonal struct {
	rows, cols     int
	across         bool      // it is transposed
	x, y           []float32 // [rows, cols]
	xt             []float32 // [cols, rows]
	gram, factor   []float32 // [rows, rows]
	product, spare []float32 // [rows, rows]; only if it is long
}

// long is the ratio of length to width from which on it pays to multiply the factors of all
// steps first.
const long = 4

func newOrthogonal(rows, cols int) orthogonal {
	o := orthogonal{rows: rows, cols: cols}
	if o.across = rows > cols; o.across {
		o.rows, o.cols = cols, rows
	}
	o.x, o.y, o.xt = make([]float32, rows*cols), make([]float32, rows*cols), make([]float32, rows*cols)
	o.gram, o.factor = make([]float32, o.rows*o.rows), make([]float32, o.rows*o.rows)
	if o.cols >= long*o.rows {
		o.product, o.spare = make([]float32, o.rows*o.rows), make([]float32, o.rows*o.rows)
	}
	return o
}

// set sets the matrix to m, in the layout of a parameter, times a scale.
func (o *orthogonal) set(ops kernel.Ops, m []float32, scale float32) {
	if o.across {
		Transpose(o.x, m, o.cols, o.rows)
	} else {
		copy(o.x, m)
	}
	ops.Scale(o.x, scale)
}

// get returns the matrix in the layout of a parameter. The matrix must be set before it is
// used again.
func (o *orthogonal) get() []float32 {
	if !o.across {
		return o.x
	}
	Transpose(o.y, o.x, o.rows, o.cols)
	return o.y
}

// improve runs a Newton–Schulz iteration, X ← MX with M = aI + bA + cA² and A = XXᵀ. The
// constants, those of Jordan et al., raise small singular values fast and leave them between
// 0.7 and 1.2. A becomes MAM, so that a long X need not be multiplied until the product of
// all M is known.
func (o *orthogonal) improve(ops kernel.Ops) {
	const a, b, c = 3.4445, -4.7750, 2.0315
	r, n := o.rows, o.cols
	times := func(dst, x, y []float32) {
		ops.Gemm(&kernel.Product{M: r, N: r, K: r, C: matrix(dst, r), A: matrix(x, r), B: matrix(y, r)})
	}
	for k := range newtonSteps {
		if k == 0 || o.product == nil {
			Transpose(o.xt, o.x, r, n)
			ops.Gemm(&kernel.Product{M: r, N: r, K: n, C: matrix(o.gram, r), A: matrix(o.x, n), B: matrix(o.xt, r)})
		} else {
			times(o.spare, o.factor, o.gram)
			times(o.gram, o.spare, o.factor)
		}
		times(o.factor, o.gram, o.gram)
		ops.Scale(o.factor, c)
		ops.Axpy(o.factor, b, o.gram)
		for i := range r {
			o.factor[i*r+i] += a
		}
		switch {
		case o.product == nil:
			o.multiply(ops, o.factor)
		case k == 0:
			copy(o.product, o.factor)
		default:
			times(o.spare, o.factor, o.product)
			o.product, o.spare = o.spare, o.product
		}
	}
	if o.product != nil {
		o.multiply(ops, o.product)
	}
}

// multiply multiplies the matrix by m from the left.
func (o *orthogonal) multiply(ops kernel.Ops, m []float32) {
	r, n := o.rows, o.cols
	ops.Gemm(&kernel.Product{M: r, N: n, K: r, C: matrix(o.y, n), A: matrix(m, r), B: matrix(o.x, n)})
	o.x, o.y = o.y, o.x
}
