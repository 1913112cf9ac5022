package ops

import (
	"math"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/nn"
)

// perspectiveEpsilon is added to squared lengths, as in H2MN's code.
const perspectiveEpsilon = 1e-6

// Perspectives returns, for every row of x and y, both [R, C], the cosine of the two
// after both were multiplied by column k of w, [C, K], element by element: [R, K]. It is
// the multi-perspective matching of Wang et al. (2017). C and K are multiples of 16.
func Perspectives(t *nn.Tape, x, y *nn.Var, w *nn.Param) *nn.Var {
	mustMatch("number of rows", y.Rows, x.Rows)
	mustMatch("number of columns", y.Cols, x.Cols)
	mustMatch("width of the input", x.Cols, w.Rows)
	rows, c, width := x.Rows, x.Cols, w.Cols
	out := t.Output(rows, width)
	n := len(out.Value)
	sums, product := make([]float32, 3*n), make([]float32, rows*c)
	weight := w.Of(t.Params().Flat())
	square, back := make([]float32, c*width), make([]float32, c*width) // and transposed
	for i, a := range weight {
		square[i], back[i%width*c+i/width] = a*a, a*a
	}
	matrix := func(data []float32, width int) kernel.Matrix { return kernel.Matrix{Data: data, Stride: width} }
	pairs := [3][2]*nn.Var{{x, y}, {x, x}, {y, y}}
	for k, of := range pairs {
		for i, a := range of[0].Value {
			product[i] = a * of[1].Value[i]
		}
		t.Ops().Gemm(&kernel.Product{M: rows, N: width, K: c, C: matrix(sums[k*n:][:n], width), A: matrix(product, c), B: matrix(square, width)})
	}
	for i := range out.Value {
		out.Value[i] = sums[i] * perLengths(sums[n+i], sums[2*n+i])
	}
	return t.Then(out, func() {
		// The sums make place for their gradients.
		for i, g := range out.Grad {
			a, b := sums[n+i], sums[2*n+i]
			scale := g * perLengths(a, b)
			both := scale * sums[i]
			sums[i] = scale
			sums[n+i] = -both / (2 * (a + perspectiveEpsilon))
			sums[2*n+i] = -both / (2 * (b + perspectiveEpsilon))
		}
		grad, dw := make([]float32, rows*c), make([]float32, c*width)
		for k, of := range pairs {
			ds := matrix(sums[k*n:][:n], width)
			for i, a := range of[0].Value {
				product[i] = a * of[1].Value[i]
			}
			t.Ops().Gemm(&kernel.Product{
				M: c, N: width, K: rows, Accumulate: k > 0, C: matrix(dw, width), A: matrix(product, c), TransposeA: true, B: ds,
			})
			t.Ops().Gemm(&kernel.Product{M: rows, N: c, K: width, C: matrix(grad, c), A: ds, B: matrix(back, c)})
			for i, g := range grad {
				of[0].Grad[i] += g * of[1].Value[i]
				of[1].Grad[i] += g * of[0].Value[i]
			}
		}
		dst := w.Of(t.Grads())
		for i, g := range dw {
			dst[i] += 2 * weight[i] * g
		}
	})
}

// perLengths returns one over the product of two lengths, given their squares.
func perLengths(a, b float32) float32 {
	return float32(1 / math.Sqrt((float64(a)+perspectiveEpsilon)*(float64(b)+perspectiveEpsilon)))
}
