package nn

import "github.com/greedgraph/greed/internal/kernel"

// GIN aggregates the states of neighbours as a graph isomorphism network does before its MLP
// (equation 1 of the paper; Xu et al., 2019):
//
//	out[v] = (1+ε)·x[v] + Σ_{u∈N(v)} x[u]
//
// x is [V, C], eps [1, 1].
func (t *Tape) GIN(x *Var, eps *Param, b *Batch, w Way) *Var {
	mustMatch("number of rows", x.Rows, b.Nodes())
	arcs, _ := b.arcs(w)
	out := t.result(x.Rows, x.Cols)
	t.ops.SumRows(matrix(out.Value, x.Cols), matrix(x.Value, x.Cols), x.Cols, arcs.lists(), 1+t.value(eps)[0], false)
	return t.record(record{back: backGIN, x: x, out: out, eps: eps, batch: b, way: w})
}

func backGIN(t *Tape, r *record) {
	c := r.x.Cols
	_, opposite := r.batch.arcs(r.way)
	t.ops.SumRows(matrix(r.x.Grad, c), matrix(r.out.Grad, c), c, opposite.lists(), 1+t.value(r.eps)[0], true)
	t.grad(r.eps)[0] += float32(t.ops.Dot(r.x.Value, r.out.Grad))
}

// GINE is [Tape.GIN] with labelled edges (Hu et al., 2020):
//
//	out[v] = (1+ε)·x[v] + Σ_{u∈N(v)} max(0, x[u] + edges[label(u,v)])
//
// edges is [labels, C].
func (t *Tape) GINE(x *Var, eps, edges *Param, b *Batch, w Way) *Var {
	mustMatch("number of rows", x.Rows, b.Nodes())
	mustMatch("width of the edge table", edges.Cols, x.Cols)
	arcs, _ := b.arcs(w)
	out := t.result(x.Rows, x.Cols)
	m := t.messages(x, eps, edges, arcs, arcs.Edge)
	t.ops.SumMessages(matrix(out.Value, x.Cols), &m)
	return t.record(record{back: backGINE, x: x, out: out, eps: eps, w: edges, batch: b, way: w})
}

func backGINE(t *Tape, r *record) {
	c := r.x.Cols
	_, opposite := r.batch.arcs(r.way)
	m := t.messages(r.x, r.eps, r.w, opposite, opposite.Back)
	grad := t.arena.take(r.x.Rows * c)
	t.ops.SumMessagesGrad(matrix(grad, c), matrix(t.grad(r.w), c), matrix(r.out.Grad, c), &m)
	t.ops.Add(r.x.Grad, grad)
	t.grad(r.eps)[0] += float32(t.ops.Dot(r.x.Value, r.out.Grad))
}

func (t *Tape) messages(x *Var, eps, edges *Param, arcs *Arcs, label []int32) kernel.Messages {
	return kernel.Messages{
		Arcs: arcs.lists(), Label: label, Src: matrix(x.Value, x.Cols),
		Table: matrix(t.value(edges), x.Cols), Width: x.Cols, Self: 1 + t.value(eps)[0],
	}
}
