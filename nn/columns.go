package nn

// Concat concatenates matrices of R rows by columns: [R, ΣC]. A single matrix is returned
// unchanged.
func (t *Tape) Concat(parts ...*Var) *Var {
	if len(parts) == 1 {
		return parts[0]
	}
	width := 0
	for _, x := range parts {
		mustMatch("number of rows", x.Rows, parts[0].Rows)
		width += x.Cols
	}
	out := t.result(parts[0].Rows, width)
	at := 0
	for _, x := range parts {
		for i := range x.Rows {
			copy(out.Value[i*width+at:][:x.Cols], x.Value[i*x.Cols:])
		}
		if x.Grad != nil {
			t.record(record{back: backConcat, x: x, out: out, columns: at})
		}
		at += x.Cols
	}
	return out
}

func backConcat(t *Tape, r *record) {
	c := r.x.Cols
	for i := range r.x.Rows {
		t.ops.Add(r.x.Grad[i*c:][:c], r.out.Grad[i*r.out.Cols+r.columns:][:c])
	}
}

// Gather returns the rows of x at index: [len(index), C]. The index must not change until
// Backward. With [Tape.SegmentSum] over arcs it sums over neighbours.
func (t *Tape) Gather(x *Var, index []int32) *Var {
	out := t.result(len(index), x.Cols)
	c := x.Cols
	for i, row := range index {
		copy(out.Value[i*c:][:c], x.Value[int(row)*c:][:c])
	}
	return t.record(record{back: backGather, x: x, out: out, index: index})
}

func backGather(t *Tape, r *record) {
	c := r.x.Cols
	for i, row := range r.index {
		t.ops.Add(r.x.Grad[int(row)*c:][:c], r.out.Grad[i*c:][:c])
	}
}

// Dot returns the dot product of every row of x, [R, C], with w, [1, C], plus b, [1, 1],
// unless b is nil: [R, 1].
func (t *Tape) Dot(x *Var, w, b *Param) *Var {
	mustMatch("width of the input", x.Cols, w.Cols)
	out := t.result(x.Rows, 1)
	bias := float32(0)
	if b != nil {
		bias = t.value(b)[0]
	}
	for i := range out.Value {
		out.Value[i] = bias + float32(t.ops.Dot(x.Value[i*x.Cols:][:x.Cols], t.value(w)))
	}
	return t.record(record{back: backDot, x: x, out: out, w: w, b: b})
}

func backDot(t *Tape, r *record) {
	c := r.x.Cols
	for i, g := range r.out.Grad {
		t.ops.Axpy(r.x.Grad[i*c:][:c], g, t.value(r.w))
		t.ops.Axpy(t.grad(r.w), g, r.x.Value[i*c:][:c])
		if r.b != nil {
			t.grad(r.b)[0] += g
		}
	}
}

// MulColumn multiplies every row of x, [R, C], by the number in the same row of y, [R, 1].
func (t *Tape) MulColumn(x, y *Var) *Var {
	mustMatch("number of rows", y.Rows, x.Rows)
	mustMatch("number of columns", y.Cols, 1)
	out := t.result(x.Rows, x.Cols)
	copy(out.Value, x.Value)
	for i, a := range y.Value {
		t.ops.Scale(out.Value[i*x.Cols:][:x.Cols], a)
	}
	return t.record(record{back: backMulColumn, x: x, y: y, out: out})
}

func backMulColumn(t *Tape, r *record) {
	c := r.x.Cols
	for i, a := range r.y.Value {
		grad := r.out.Grad[i*c:][:c]
		t.ops.Axpy(r.x.Grad[i*c:][:c], a, grad)
		r.y.Grad[i] += float32(t.ops.Dot(r.x.Value[i*c:][:c], grad))
	}
}
