package nn

import "github.com/greedgraph/greed/internal/kernel"

// SumPool sums the rows of each graph in the given matrices, each [V, C], and concatenates
// the results: [G, ΣC]. That equals pooling the concatenation, which the paper describes.
func (t *Tape) SumPool(b *Batch, layers ...*Var) *Var {
	width := 0
	for _, x := range layers {
		mustMatch("number of rows", x.Rows, b.Nodes())
		width += x.Cols
	}
	out := t.result(b.Graphs(), width)
	if out.Rows == 0 {
		return out
	}
	at := 0
	for _, x := range layers {
		t.ops.SumRows(matrix(out.Value[at:], width), matrix(x.Value, x.Cols), x.Cols, kernel.Lists{Start: b.Segment}, 0,
			false)
		t.record(record{back: backSumPool, x: x, out: out, batch: b, columns: at})
		at += x.Cols
	}
	return out
}

func backSumPool(t *Tape, r *record) {
	b, c := r.batch, r.x.Cols
	for g := range b.Graphs() {
		grad := r.out.Grad[g*r.out.Cols+r.columns:][:c]
		for v := int(b.Segment[g]); v < int(b.Segment[g+1]); v++ {
			t.ops.Add(r.x.Grad[v*c:][:c], grad)
		}
	}
}
