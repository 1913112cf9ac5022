package ops

import (
	"math"

	"github.com/greedgraph/greed/nn"
)

// RowDot returns the inner product of every row of x with the same row of y, both
// [R, C]: [R, 1].
func RowDot(t *nn.Tape, x, y *nn.Var) *nn.Var {
	mustMatch("number of rows", y.Rows, x.Rows)
	return PartDot(t, x, y)
}

// PartDot returns the inner products of the parts of every row of x, [R, K·C], each C
// wide, with the same row of y, [R, C]: [R, K]. With x = y'·W it is the bilinear
// part of a neural tensor layer (Socher et al., 2013).
func PartDot(t *nn.Tape, x, y *nn.Var) *nn.Var {
	mustMatch("number of rows", y.Rows, x.Rows)
	c, ops := y.Cols, t.Ops()
	parts := x.Cols / c
	mustMatch("width of the parts", x.Cols, parts*c)
	out := t.Output(x.Rows, parts)
	for i := range x.Rows {
		for k := range parts {
			out.Value[i*parts+k] = float32(ops.Dot(x.Value[i*x.Cols+k*c:][:c], y.Value[i*c:][:c]))
		}
	}
	return t.Then(out, func() {
		for i := range x.Rows {
			for k := range parts {
				g := out.Grad[i*parts+k]
				ops.Axpy(x.Grad[i*x.Cols+k*c:][:c], g, y.Value[i*c:][:c])
				ops.Axpy(y.Grad[i*c:][:c], g, x.Value[i*x.Cols+k*c:][:c])
			}
		}
	})
}

// unitEpsilon is the length below which [Unit] divides by it instead, as in
// PyTorch's normalize.
const unitEpsilon = 1e-6

// Unit divides every row of x, [R, C], by its Euclidean length, so that inner
// products of rows become cosines. Of rows shorter than 10⁻⁶ it divides by that.
func Unit(t *nn.Tape, x *nn.Var) *nn.Var {
	out, c, ops := t.Output(x.Rows, x.Cols), x.Cols, t.Ops()
	copy(out.Value, x.Value)
	perLength := func(row []float32) float32 { return float32(1 / max(unitEpsilon, math.Sqrt(ops.SumSquares(row)))) }
	for i := range x.Rows {
		ops.Scale(out.Value[i*c:][:c], perLength(x.Value[i*c:][:c]))
	}
	return t.Then(out, func() {
		for i := range x.Rows {
			y, dy := out.Value[i*c:][:c], out.Grad[i*c:][:c]
			scale := perLength(x.Value[i*c:][:c])
			ops.Axpy(x.Grad[i*c:][:c], scale, dy)
			if scale < 1/unitEpsilon {
				ops.Axpy(x.Grad[i*c:][:c], -scale*float32(ops.Dot(y, dy)), y)
			}
		}
	})
}

// Length returns the Euclidean length of every row of x, [R, C]: [R, 1]. The gradient of a row
// of zeros is zero.
func Length(t *nn.Tape, x *nn.Var) *nn.Var {
	out, c, ops := t.Output(x.Rows, 1), x.Cols, t.Ops()
	for i := range out.Value {
		out.Value[i] = float32(math.Sqrt(ops.SumSquares(x.Value[i*c:][:c])))
	}
	return t.Then(out, func() {
		for i, d := range out.Value {
			if d > 0 {
				ops.Axpy(x.Grad[i*c:][:c], out.Grad[i]/d, x.Value[i*c:][:c])
			}
		}
	})
}

// Gather returns the rows of x at index: [len(index), C]. The index must not change until
// Backward. With [SegmentSum] over arcs it sums over neighbours.
func Gather(t *nn.Tape, x *nn.Var, index []int32) *nn.Var {
	out, c := t.Output(len(index), x.Cols), x.Cols
	for i, row := range index {
		copy(out.Value[i*c:][:c], x.Value[int(row)*c:][:c])
	}
	return t.Then(out, func() {
		for i, row := range index {
			t.Ops().Add(x.Grad[int(row)*c:][:c], out.Grad[i*c:][:c])
		}
	})
}

// Dot returns the dot product of every row of x, [R, C], with w, [1, C], plus b, [1, 1],
// unless b is nil: [R, 1].
func Dot(t *nn.Tape, x *nn.Var, w, b *nn.Param) *nn.Var {
	mustMatch("width of the input", x.Cols, w.Cols)
	out, c, ops := t.Output(x.Rows, 1), x.Cols, t.Ops()
	weight, bias := w.Of(t.Params().Flat()), float32(0)
	if b != nil {
		bias = b.Of(t.Params().Flat())[0]
	}
	for i := range out.Value {
		out.Value[i] = bias + float32(ops.Dot(x.Value[i*c:][:c], weight))
	}
	return t.Then(out, func() {
		for i, g := range out.Grad {
			ops.Axpy(x.Grad[i*c:][:c], g, weight)
			ops.Axpy(w.Of(t.Grads()), g, x.Value[i*c:][:c])
			if b != nil {
				b.Of(t.Grads())[0] += g
			}
		}
	})
}

// MulColumn multiplies every row of x, [R, C], by the number in the same row of y, [R, 1].
func MulColumn(t *nn.Tape, x, y *nn.Var) *nn.Var {
	mustMatch("number of rows", y.Rows, x.Rows)
	mustMatch("number of columns", y.Cols, 1)
	out, c, ops := t.Output(x.Rows, x.Cols), x.Cols, t.Ops()
	copy(out.Value, x.Value)
	for i, a := range y.Value {
		ops.Scale(out.Value[i*c:][:c], a)
	}
	return t.Then(out, func() {
		for i, a := range y.Value {
			grad := out.Grad[i*c:][:c]
			ops.Axpy(x.Grad[i*c:][:c], a, grad)
			y.Grad[i] += float32(ops.Dot(x.Value[i*c:][:c], grad))
		}
	})
}
