package nn

import (
	"math"

	"github.com/greedgraph/greed/internal/kernel"
)

// perspectiveEpsilon is added to squared lengths, as in H2MN's code.
const perspectiveEpsilon = 1e-6

// Perspectives returns, for every row of x and y, both [R, C], the cosine of the two
// after both were multiplied by column k of w, [C, K], element by element: [R, K]. It is
// the multi-perspective matching of Wang et al. (2017). C and K are multiples of 16.
func (t *Tape) Perspectives(x, y *Var, w *Param) *Var {
	mustMatch("number of rows", y.Rows, x.Rows)
	mustMatch("number of columns", y.Cols, x.Cols)
	mustMatch("width of the input", x.Cols, w.Rows)
	out := t.result(x.Rows, w.Cols)
	sums := t.arena.take(3 * x.Rows * w.Cols)
	square := t.arena.take(w.Rows * w.Cols)
	squares(square, t.value(w))
	product := t.arena.take(x.Rows * x.Cols)
	for k, of := range [3][2]*Var{{x, y}, {x, x}, {y, y}} {
		for i, a := range of[0].Value {
			product[i] = a * of[1].Value[i]
		}
		t.ops.Gemm(&kernel.Product{
			M: x.Rows, N: w.Cols, K: w.Rows,
			C: matrix(sums[k*len(out.Value):][:len(out.Value)], w.Cols), A: matrix(product, x.Cols), B: matrix(square, w.Cols),
		})
	}
	n := len(out.Value)
	for i := range out.Value {
		out.Value[i] = sums[i] * perLengths(sums[n+i], sums[2*n+i])
	}
	return t.record(record{back: backPerspectives, x: x, y: y, out: out, w: w, picked: sums})
}

// perLengths returns one over the product of two lengths, given their squares.
func perLengths(a, b float32) float32 {
	return float32(1 / math.Sqrt((float64(a)+perspectiveEpsilon)*(float64(b)+perspectiveEpsilon)))
}

func squares(dst, src []float32) {
	for i, a := range src {
		dst[i] = a * a
	}
}

func backPerspectives(t *Tape, r *record) {
	rows, c, width := r.x.Rows, r.x.Cols, r.w.Cols
	n := rows * width
	// The sums make place for their gradients.
	for i, g := range r.out.Grad {
		a, b := r.picked[n+i], r.picked[2*n+i]
		scale := g * perLengths(a, b)
		both := scale * r.picked[i]
		r.picked[i] = scale
		r.picked[n+i] = -both / (2 * (a + perspectiveEpsilon))
		r.picked[2*n+i] = -both / (2 * (b + perspectiveEpsilon))
	}
	back := t.arena.take(c * width)
	squares(back, r.w.Of(t.params.transposed))
	product, grad := t.arena.take(rows*c), t.arena.take(rows*c)
	dw := t.arena.take(c * width)
	for k, of := range [3][2]*Var{{r.x, r.y}, {r.x, r.x}, {r.y, r.y}} {
		ds := matrix(r.picked[k*n:][:n], width)
		for i, a := range of[0].Value {
			product[i] = a * of[1].Value[i]
		}
		t.ops.Gemm(&kernel.Product{
			M: c, N: width, K: rows, Accumulate: k > 0,
			C: matrix(dw, width), A: matrix(product, c), TransposeA: true, B: ds,
		})
		t.ops.Gemm(&kernel.Product{M: rows, N: c, K: width, C: matrix(grad, c), A: ds, B: matrix(back, c)})
		for i, g := range grad {
			of[0].Grad[i] += g * of[1].Value[i]
			of[1].Grad[i] += g * of[0].Value[i]
		}
	}
	weight, dst := t.value(r.w), t.grad(r.w)
	for i, g := range dw {
		dst[i] += 2 * weight[i] * g
	}
}
