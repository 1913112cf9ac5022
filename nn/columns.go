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
