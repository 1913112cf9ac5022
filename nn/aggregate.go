package nn

import (
	"math"

	"github.com/greedgraph/greed/internal/kernel"
)

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

// GCN aggregates as a graph convolutional network does before its linear map (Kipf and
// Welling, 2017), by the symmetrically normalised adjacency matrix with self-loops:
//
//	out[v] = Σ_{u∈N(v)∪{v}} x[u] / √((1+|N(v)|)·(1+|N'(u)|))
//
// where N' follows arcs the opposite way, as in Dir-GNN (Rossi et al., 2023). In undirected
// graphs N' is N.
func (t *Tape) GCN(x *Var, b *Batch, w Way) *Var {
	mustMatch("number of rows", x.Rows, b.Nodes())
	arcs, opposite := b.arcs(w)
	out := t.result(x.Rows, x.Cols)
	t.normalised(out.Value, x.Value, x.Cols, arcs, opposite)
	return t.record(record{back: backGCN, x: x, out: out, batch: b, way: w})
}

func backGCN(t *Tape, r *record) {
	arcs, opposite := r.batch.arcs(r.way)
	grad := t.arena.take(len(r.x.Grad))
	t.normalised(grad, r.out.Grad, r.x.Cols, opposite, arcs)
	t.ops.Add(r.x.Grad, grad)
}

// normalised sets dst to the product of the normalised adjacency matrix and src.
func (t *Tape) normalised(dst, src []float32, c int, arcs, opposite *Arcs) {
	scaled := t.arena.take(len(src))
	copy(scaled, src)
	t.scaleRows(scaled, c, opposite.Start, rootDegree)
	t.ops.SumRows(matrix(dst, c), matrix(scaled, c), c, arcs.lists(), 1, false)
	t.scaleRows(dst, c, arcs.Start, rootDegree)
}

// Mean returns the mean of the neighbours' states, as GraphSAGE does (Hamilton et al., 2017),
// or zero for a node without neighbours.
//
//	out[v] = 1/|N(v)| Σ_{u∈N(v)} x[u]
func (t *Tape) Mean(x *Var, b *Batch, w Way) *Var {
	mustMatch("number of rows", x.Rows, b.Nodes())
	arcs, _ := b.arcs(w)
	out := t.result(x.Rows, x.Cols)
	t.ops.SumRows(matrix(out.Value, x.Cols), matrix(x.Value, x.Cols), x.Cols, arcs.lists(), 0, false)
	t.scaleRows(out.Value, x.Cols, arcs.Start, inverse)
	return t.record(record{back: backMean, x: x, out: out, batch: b, way: w})
}

func backMean(t *Tape, r *record) {
	c := r.x.Cols
	arcs, opposite := r.batch.arcs(r.way)
	t.scaleRows(r.out.Grad, c, arcs.Start, inverse)
	t.ops.SumRows(matrix(r.x.Grad, c), matrix(r.out.Grad, c), c, opposite.lists(), 0, true)
}

// scaleRows multiplies each row of x, c wide, by the factor for the number of rows in its
// segment of start.
func (t *Tape) scaleRows(x []float32, c int, start []int32, factor func(count int32) float32) {
	for v := range len(start) - 1 {
		t.ops.Scale(x[v*c:][:c], factor(start[v+1]-start[v]))
	}
}

func rootDegree(count int32) float32 { return float32(1 / math.Sqrt(1+float64(count))) }

func inverse(count int32) float32 { return 1 / float32(max(1, count)) }
