// Package ops has operations on tapes of package nn that only systems of the laboratory need.
// Each returns a matrix of the tape whose gradient goes back to its arguments.
package ops

import (
	"fmt"
	"math"

	"github.com/greedgraph/greed/nn"
)

func mustMatch(what string, got, want int) {
	if got != want {
		panic(fmt.Sprintf("ops: %s is %d, want %d", what, got, want))
	}
}

// each returns f of every element of x. slope is the derivative, given the element and f of it.
func each(t *nn.Tape, x *nn.Var, f func(float32) float32, slope func(x, y float32) float32) *nn.Var {
	out := t.Output(x.Rows, x.Cols)
	for i, a := range x.Value {
		out.Value[i] = f(a)
	}
	return t.Then(out, func() {
		for i, g := range out.Grad {
			x.Grad[i] += g * slope(x.Value[i], out.Value[i])
		}
	})
}

// Sigmoid returns 1/(1+e^−x) of every element.
func Sigmoid(t *nn.Tape, x *nn.Var) *nn.Var {
	return each(t, x, func(a float32) float32 { return float32(1 / (1 + math.Exp(-float64(a)))) }, func(_, y float32) float32 { return y * (1 - y) })
}

// Tanh returns the hyperbolic tangent of every element.
func Tanh(t *nn.Tape, x *nn.Var) *nn.Var {
	return each(t, x, func(a float32) float32 { return float32(math.Tanh(float64(a))) }, func(_, y float32) float32 { return 1 - y*y })
}

// LeakyReLU returns x where it is positive and slope·x elsewhere; 0 ≤ slope ≤ 1.
func LeakyReLU(t *nn.Tape, x *nn.Var, slope float32) *nn.Var {
	return each(t, x, func(a float32) float32 { return max(a, slope*a) }, func(a, _ float32) float32 {
		if a <= 0 {
			return slope
		}
		return 1
	})
}

// Mul returns the products of the elements of x and y, both [R, C].
func Mul(t *nn.Tape, x, y *nn.Var) *nn.Var {
	mustMatch("number of rows", y.Rows, x.Rows)
	mustMatch("number of columns", y.Cols, x.Cols)
	out := t.Output(x.Rows, x.Cols)
	for i, a := range x.Value {
		out.Value[i] = a * y.Value[i]
	}
	return t.Then(out, func() {
		for i, g := range out.Grad {
			x.Grad[i] += g * y.Value[i]
			y.Grad[i] += g * x.Value[i]
		}
	})
}

// Sub returns x − y, both [R, C].
func Sub(t *nn.Tape, x, y *nn.Var) *nn.Var {
	mustMatch("number of rows", y.Rows, x.Rows)
	mustMatch("number of columns", y.Cols, x.Cols)
	out := t.Output(x.Rows, x.Cols)
	for i, a := range x.Value {
		out.Value[i] = a - y.Value[i]
	}
	return t.Then(out, func() {
		for i, g := range out.Grad {
			x.Grad[i] += g
			y.Grad[i] -= g
		}
	})
}

// Bias returns x + b, or max(0, x + b) with relu: x is [R, C], b [1, C]. It follows what comes
// between a map and its bias, such as the sum over neighbours of a [nn.Tape.Lookup].
func Bias(t *nn.Tape, x *nn.Var, b *nn.Param, relu bool) *nn.Var {
	mustMatch("width of the bias", b.Cols, x.Cols)
	out := t.Output(x.Rows, x.Cols)
	bias := b.Of(t.Params().Flat())
	for i, a := range x.Value {
		if out.Value[i] = a + bias[i%x.Cols]; relu {
			out.Value[i] = max(0, out.Value[i])
		}
	}
	return t.Then(out, func() {
		grad := b.Of(t.Grads())
		for i, g := range out.Grad {
			if !relu || out.Value[i] > 0 {
				x.Grad[i] += g
				grad[i%x.Cols] += g
			}
		}
	})
}

// normEpsilon is added to the variance, as in PyTorch.
const normEpsilon = 1e-5

// LayerNorm shifts and scales every row of x, [R, C], to mean 0 and variance 1,
// then multiplies with w and adds b, both [1, C] (Ba et al., 2016).
func LayerNorm(t *nn.Tape, x *nn.Var, w, b *nn.Param) *nn.Var {
	mustMatch("width of the weight", w.Cols, x.Cols)
	mustMatch("width of the bias", b.Cols, x.Cols)
	out := t.Output(x.Rows, x.Cols)
	c := x.Cols
	weight, bias := w.Of(t.Params().Flat()), b.Of(t.Params().Flat())
	for i := range x.Rows {
		row, dst := x.Value[i*c:][:c], out.Value[i*c:][:c]
		mean, scale := moments(row)
		for j, a := range row {
			dst[j] = (a-mean)*scale*weight[j] + bias[j]
		}
	}
	return t.Then(out, func() {
		dw, db := w.Of(t.Grads()), b.Of(t.Grads())
		for i := range x.Rows {
			row, dx, dy := x.Value[i*c:][:c], x.Grad[i*c:][:c], out.Grad[i*c:][:c]
			mean, scale := moments(row)
			var sum, moment float32
			for j, g := range dy {
				unit := (row[j] - mean) * scale
				dw[j] += g * unit
				db[j] += g
				sum += g * weight[j]
				moment += g * weight[j] * unit
			}
			sum /= float32(c)
			moment /= float32(c)
			for j, g := range dy {
				dx[j] += scale * (g*weight[j] - sum - (row[j]-mean)*scale*moment)
			}
		}
	})
}

// moments returns the mean of row and one over its standard deviation.
func moments(row []float32) (mean, scale float32) {
	sum := 0.0
	for _, a := range row {
		sum += float64(a)
	}
	middle := sum / float64(len(row))
	sum = 0
	for _, a := range row {
		d := float64(a) - middle
		sum += d * d
	}
	return float32(middle), float32(1 / math.Sqrt(sum/float64(len(row))+normEpsilon))
}
