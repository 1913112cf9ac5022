package nn

import "github.com/greedgraph/greed/internal/kernel"

// Linear returns x·W + b, or max(0, x·W + b) with relu. x is [R, in], w
// [in, out], b [1, out] or nil for none; in and out are multiples of 16.
func (t *Tape) Linear(x *Var, w, b *Param, relu bool) *Var {
	mustMatch("width of the input", x.Cols, w.Rows)
	var bias []float32
	if b != nil {
		mustMatch("width of the bias", b.Cols, w.Cols)
		bias = t.value(b)
	}
	out := t.result(x.Rows, w.Cols)
	t.ops.Gemm(&kernel.Product{
		M: x.Rows, N: w.Cols, K: w.Rows,
		C: matrix(out.Value, w.Cols), A: matrix(x.Value, x.Cols), B: matrix(t.value(w), w.Cols),
		Bias: bias, ReLU: relu,
	})
	return t.record(record{back: backLinear, x: x, out: out, w: w, b: b, relu: relu})
}

func backLinear(t *Tape, r *record) {
	rows, in, width := r.x.Rows, r.w.Rows, r.w.Cols
	if r.relu {
		t.ops.ReLUGrad(r.out.Grad, r.out.Value)
	}
	grad := matrix(r.out.Grad, width)
	t.ops.Gemm(&kernel.Product{
		M: in, N: width, K: rows, Accumulate: true,
		C: matrix(t.grad(r.w), width), A: matrix(r.x.Value, in), TransposeA: true, B: grad,
	})
	if r.b != nil {
		t.sumInto(r.b, grad, rows)
	}
	if r.x.Grad == nil {
		return
	}
	t.ops.Gemm(&kernel.Product{
		M: rows, N: in, K: width, Accumulate: true,
		C: matrix(r.x.Grad, in), A: grad, B: matrix(r.w.Of(t.params.transposed), in),
	})
}

// sumInto adds the sum of the rows of grad to a bias gradient.
func (t *Tape) sumInto(b *Param, grad kernel.Matrix, rows int) {
	t.all[1] = int32(rows)
	t.ops.SumRows(matrix(t.grad(b), b.Cols), grad, b.Cols, kernel.Lists{Start: t.all[:]}, 0, true)
}

// Lookup returns the rows of table at index: [len(index), table.Cols]. It is a linear map of
// one-hot vectors. The index must not change until Backward.
func (t *Tape) Lookup(table *Param, index []int32) *Var {
	out := t.result(len(index), table.Cols)
	values, c := t.value(table), table.Cols
	for i, row := range index {
		copy(out.Value[i*c:(i+1)*c], values[int(row)*c:])
	}
	return t.record(record{back: backLookup, out: out, w: table, index: index})
}

func backLookup(t *Tape, r *record) {
	grads, c := t.grad(r.w), r.w.Cols
	for i, row := range r.index {
		t.ops.Add(grads[int(row)*c:(int(row)+1)*c], r.out.Grad[i*c:(i+1)*c])
	}
}

// AddLookup adds the rows of table at index to x, [len(index), table.Cols], which no other
// operation may have read.
func (t *Tape) AddLookup(x *Var, table *Param, index []int32) *Var {
	mustMatch("number of rows", x.Rows, len(index))
	mustMatch("width of the table", table.Cols, x.Cols)
	values, c := t.value(table), table.Cols
	for i, row := range index {
		t.ops.Add(x.Value[i*c:][:c], values[int(row)*c:][:c])
	}
	return t.record(record{back: backLookup, out: x, w: table, index: index})
}

// Add returns x + y, both [R, C].
func (t *Tape) Add(x, y *Var) *Var {
	mustMatch("number of rows", y.Rows, x.Rows)
	mustMatch("number of columns", y.Cols, x.Cols)
	out := t.result(x.Rows, x.Cols)
	copy(out.Value, x.Value)
	t.ops.Add(out.Value, y.Value)
	return t.record(record{back: backAdd, x: x, y: y, out: out})
}

func backAdd(t *Tape, r *record) {
	t.ops.Add(r.x.Grad, r.out.Grad)
	t.ops.Add(r.y.Grad, r.out.Grad)
}

// ReLU returns max(0, x).
func (t *Tape) ReLU(x *Var) *Var {
	out := t.result(x.Rows, x.Cols)
	t.ops.ReLU(out.Value, x.Value)
	return t.record(record{back: backReLU, x: x, out: out})
}

func backReLU(t *Tape, r *record) {
	t.ops.ReLUGrad(r.out.Grad, r.out.Value)
	t.ops.Add(r.x.Grad, r.out.Grad)
}
