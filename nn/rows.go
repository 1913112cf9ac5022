package nn

import "math"

// RowDot returns the inner product of every row of x with the same row of y, both
// [R, C]: [R, 1].
func (t *Tape) RowDot(x, y *Var) *Var {
	mustMatch("number of rows", y.Rows, x.Rows)
	return t.PartDot(x, y)
}

// PartDot returns the inner products of the parts of every row of x, [R, K·C], each C
// wide, with the same row of y, [R, C]: [R, K]. With x = y'·W it is the bilinear
// part of a neural tensor layer (Socher et al., 2013).
func (t *Tape) PartDot(x, y *Var) *Var {
	mustMatch("number of rows", y.Rows, x.Rows)
	c := y.Cols
	parts := x.Cols / c
	mustMatch("width of the parts", x.Cols, parts*c)
	out := t.result(x.Rows, parts)
	for i := range x.Rows {
		for k := range parts {
			out.Value[i*parts+k] = float32(t.ops.Dot(x.Value[i*x.Cols+k*c:][:c], y.Value[i*c:][:c]))
		}
	}
	return t.record(record{back: backPartDot, x: x, y: y, out: out})
}

func backPartDot(t *Tape, r *record) {
	c, parts := r.y.Cols, r.out.Cols
	for i := range r.x.Rows {
		y, dy := r.y.Value[i*c:][:c], r.y.Grad[i*c:][:c]
		for k := range parts {
			g := r.out.Grad[i*parts+k]
			t.ops.Axpy(r.x.Grad[i*r.x.Cols+k*c:][:c], g, y)
			t.ops.Axpy(dy, g, r.x.Value[i*r.x.Cols+k*c:][:c])
		}
	}
}

// unitEpsilon is the length below which [Tape.Unit] divides by it instead, as in
// PyTorch's normalize.
const unitEpsilon = 1e-6

// Unit divides every row of x, [R, C], by its Euclidean length, so that inner
// products of rows become cosines. Of rows shorter than 10⁻⁶ it divides by that.
func (t *Tape) Unit(x *Var) *Var {
	out := t.result(x.Rows, x.Cols)
	copy(out.Value, x.Value)
	c := x.Cols
	for i := range x.Rows {
		t.ops.Scale(out.Value[i*c:][:c], t.perLength(x.Value[i*c:][:c]))
	}
	return t.record(record{back: backUnit, x: x, out: out})
}

func (t *Tape) perLength(row []float32) float32 {
	return float32(1 / max(unitEpsilon, math.Sqrt(t.ops.SumSquares(row))))
}

func backUnit(t *Tape, r *record) {
	c := r.x.Cols
	for i := range r.x.Rows {
		x, y, dy := r.x.Value[i*c:][:c], r.out.Value[i*c:][:c], r.out.Grad[i*c:][:c]
		scale := t.perLength(x)
		t.ops.Axpy(r.x.Grad[i*c:][:c], scale, dy)
		if scale < 1/unitEpsilon {
			t.ops.Axpy(r.x.Grad[i*c:][:c], -scale*float32(t.ops.Dot(y, dy)), y)
		}
	}
}
