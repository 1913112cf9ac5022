package nn

import (
	"fmt"

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

// Arcs are the A arcs of a [Batch], grouped by the node that they enter.
type Arcs struct {
	Start []int32 // [V+1] arcs into node v are Start[v]:Start[v+1]
	From  []int32 // [A] node at the other end
	Edge  []int32 // [A] row of the arc's label in the edge table
	Back  []int32 // [A] row of the label of the opposite arc
}

func (a *Arcs) reset() {
	a.Start = append(a.Start[:0], 0)
	a.From, a.Edge, a.Back = a.From[:0], a.Edge[:0], a.Back[:0]
}

func (a *Arcs) add(from, edge, back int32) {
	a.From = append(a.From, from)
	a.Edge = append(a.Edge, edge)
	a.Back = append(a.Back, back)
}

// end completes the arcs of a node.
func (a *Arcs) end() { a.Start = append(a.Start, int32(len(a.From))) }

func (a *Arcs) lists() kernel.Lists { return kernel.Lists{Start: a.Start, Index: a.From} }

// Way is the direction in which a layer follows arcs from a node to its neighbours.
type Way uint8

// The ways. The last two are for directed graphs.
const (
	Both    Way = iota
	Along       // from a node to where its edges lead
	Against     // from a node to where edges lead to it from
)

// arcs returns the arcs of a way and their opposites. It panics if the batch does not record
// directions.
func (b *Batch) arcs(w Way) (arcs, opposite *Arcs) {
	arcs, opposite = &b.Arcs, &b.Arcs
	switch w {
	case Along:
		arcs, opposite = &b.Along, &b.Against
	case Against:
		arcs, opposite = &b.Against, &b.Along
	}
	if len(arcs.Start) != b.Nodes()+1 {
		panic(fmt.Sprintf("nn: direction %d in a batch of undirected graphs", w))
	}
	return arcs, opposite
}
