package baseline

import (
	"fmt"
	"math"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/lab/ops"
	"github.com/greedgraph/greed/nn"
)

// nscDesign is NSC: Liu, Pan, He, Song, Jiang and Shang, "Neural Subgraph Isomorphism
// Counting", KDD 2020, with the representation RGIN and the prediction head DIAMNet. As
// in the paper, its output is the SED in place of a count.
func nscDesign(width int) design {
	return design{
		Info: Info{
			Name: "nsc", Title: "NSC", Paper: "Liu et al. 2020",
			About:  "RGIN, and a memory that attends to the nodes of query and target in turn",
			Tasks:  []edit.Task{edit.SED},
			Cached: "states of nodes, and their keys and values",
		},
		build:   func(b *builder, s shape) network { return newNSC(b, s, width) },
		goal:    regression{},
		steps:   4000,
		batch:   128,
		rate:    1e-3,
		decay:   1e-5,
		clip:    8,
		mean:    true,
		degrees: alwaysDegrees,
	}
}

const (
	nscWidth  = 128
	nscLayers = 3
	nscHeads  = 4
	nscMemory = 4 // slots
	nscSteps  = 3
	nscSlope  = 0.01 // of the leaky ReLU
)

type nsc struct {
	labels, degrees *nn.Param
	layers          []rgin
	start           dense // from states to the memory at first
	query, target   gated
	first, last     dense
}

// rgin is a layer: W₁·Σ x[u] + W₀·x[v] + b, then an MLP.
type rgin struct{ near, self, one, two dense }

func newNSC(b *builder, s shape, width int) network {
	n := &nsc{labels: b.table("labels", uniform, s.Nodes, width, true)}
	if s.Degrees {
		n.degrees = b.table("degrees", uniform, nn.Degree.Rows(), width, false)
	}
	for i := range nscLayers {
		name := fmt.Sprintf("rgin.%d.", i)
		n.layers = append(n.layers, rgin{
			b.matrix(name+"near", uniform, width, width), b.dense(name+"self", uniform, width, width),
			b.dense(name+"one", uniform, width, width), b.dense(name+"two", uniform, width, width),
		})
	}
	n.start = b.dense("memory", uniform, width, width)
	n.query, n.target = newGated(b, "query", width), newGated(b, "target", width)
	n.first = b.dense("first", uniform, width, width, width, width, width, nscSizes)
	n.last = b.dense("last", uniform, 1, width, nscSizes)
	return n
}

func (n *nsc) embed(t *nn.Tape, b *nn.Batch) []kept {
	x := look(t, b, n.labels, n.degrees)
	for _, l := range n.layers {
		near := ops.SegmentSum(t, ops.Gather(t, x, b.From), b.Start)
		y := t.Add(l.near.apply(t, near, false), l.self.apply(t, x, false))
		y = ops.LeakyReLU(t, l.one.apply(t, y, false), nscSlope)
		x = ops.LeakyReLU(t, l.two.apply(t, y, false), nscSlope)
	}
	memory, of := n.slots(t, n.start.apply(t, x, false), b.Segment)
	all := []kept{{memory, of}}
	for _, a := range []gated{n.query, n.target} {
		key := ops.LayerNorm(t, x, a.keyScale, a.keyShift)
		value := ops.LayerNorm(t, x, a.valueScale, a.valueShift)
		for h := range nscHeads {
			all = append(all, kept{a.keys[h].apply(t, key, false), b.Segment}, kept{a.values[h].apply(t, value, false), b.Segment})
		}
	}
	return all
}

// slots returns the memory at first: the means of four stretches of the nodes of every
// graph, in their order, each as long as lets them cover all; of fewer nodes each is a
// slot and the rest is zero.
func (n *nsc) slots(t *nn.Tape, x *nn.Var, segment []int32) (*nn.Var, []int32) {
	var rows []int32
	start, of := []int32{0}, []int32{0}
	for g := range len(segment) - 1 {
		begin, size := segment[g], segment[g+1]-segment[g]
		stride, length := int32(1), int32(1)
		if size > nscMemory {
			stride = size / nscMemory
			length = size - (nscMemory-1)*stride
		}
		for k := range int32(nscMemory) {
			for v := k * stride; v < min(size, k*stride+length); v++ {
				rows = append(rows, begin+v)
			}
			start = append(start, int32(len(rows)))
		}
		of = append(of, of[g]+nscMemory)
	}
	return ops.SegmentMean(t, ops.Gather(t, x, rows), start), of
}

func (n *nsc) score(t *nn.Tape, z []kept, p *pairs) *nn.Var {
	// Row 4i+k is slot k of pair i.
	rows := make([]int32, 0, nscMemory*len(p.t))
	for _, g := range p.t {
		for k := range int32(nscMemory) {
			rows = append(rows, z[0].start[g]+k)
		}
	}
	memory := ops.Gather(t, z[0].x, rows)
	queries, targets := p.spare(), p.spare()
	for i := range p.q {
		begin, end := int32(nscMemory*i), int32(nscMemory*(i+1))
		qb, qe := z[1].of(p.q[i])
		queries.Add(begin, end, qb, qe)
		tb, te := z[1].of(p.t[i])
		targets.Add(begin, end, tb, te)
	}
	const kinds = 2 * nscHeads
	for range nscSteps {
		memory = n.query.attend(t, memory, z[1:][:kinds], queries)
		memory = n.target.attend(t, memory, z[1+kinds:], targets)
	}
	parts := make([]*nn.Var, 0, nscMemory+1)
	for k := range nscMemory {
		slot := make([]int32, len(p.q))
		for i := range slot {
			slot[i] = int32(nscMemory*i + k)
		}
		parts = append(parts, ops.Gather(t, memory, slot))
	}
	sizes := n.sizes(t, z[1], p)
	y := ops.LeakyReLU(t, n.first.apply(t, t.Concat(append(parts, sizes)...), false), nscSlope)
	return n.last.apply(t, t.Concat(y, sizes), false)
}

const nscSizes = 4

// sizes returns the numbers of nodes of both graphs and their inverses, 0 of 0: [P, 16],
// of which the rest is padding.
func (n *nsc) sizes(t *nn.Tape, nodes kept, p *pairs) *nn.Var {
	out := t.Input(len(p.q), 16)
	for i := range p.q {
		for k, g := range []int32{p.q[i], p.t[i]} {
			begin, end := nodes.of(g)
			if size := float32(end - begin); size > 0 {
				out.Value[i*16+k], out.Value[i*16+2+k] = size, 1/size
			}
		}
	}
	return out
}

// gated is attention with several heads, of which a gate decides how much to take.
type gated struct {
	queryScale, queryShift, keyScale, keyShift, valueScale, valueShift *nn.Param
	queries, keys, values                                              []dense // of the heads
	out, gate                                                          dense
	scale                                                              float32 // of the products of queries and keys
}

func newGated(b *builder, name string, width int) gated {
	norm := func(of string) (scale, shift *nn.Param) {
		return b.bias(name+"."+of+".scale", width, 1), b.bias(name+"."+of+".shift", width, 0)
	}
	var a gated
	a.queryScale, a.queryShift = norm("query")
	a.keyScale, a.keyShift = norm("key")
	a.valueScale, a.valueShift = norm("value")
	for h := range nscHeads {
		a.queries = append(a.queries, b.matrix(fmt.Sprintf("%s.query.%d", name, h), uniform, width/nscHeads, width))
		a.keys = append(a.keys, b.matrix(fmt.Sprintf("%s.key.%d", name, h), uniform, width/nscHeads, width))
		a.values = append(a.values, b.matrix(fmt.Sprintf("%s.value.%d", name, h), uniform, width/nscHeads, width))
	}
	a.scale = float32(1 / math.Sqrt(float64(width/nscHeads)))
	a.out = b.matrix(name+".out", uniform, width, slices.Repeat([]int{width / nscHeads}, nscHeads)...)
	a.gate = b.dense(name+".gate", uniform, width, width, width)
	return a
}

// attend returns the memory after it has looked at nodes, of which z has keys and values
// by head.
func (a gated) attend(t *nn.Tape, memory *nn.Var, z []kept, blocks *ops.Blocks) *nn.Var {
	query := ops.LayerNorm(t, memory, a.queryScale, a.queryShift)
	scale := t.Input(blocks.Cells(), 1)
	for i := range scale.Value {
		scale.Value[i] = a.scale
	}
	heads := make([]*nn.Var, nscHeads)
	for h := range heads {
		match := ops.CellDots(t, a.queries[h].apply(t, query, false), z[2*h].x, blocks)
		weight := ops.SegmentSoftmax(t, ops.Mul(t, match, scale), blocks.Row)
		heads[h] = ops.CellSums(t, weight, z[2*h+1].x, blocks)
	}
	seen := a.out.apply(t, t.Concat(heads...), false)
	gate := ops.Sigmoid(t, a.gate.apply(t, t.Concat(query, seen), false))
	return t.Add(seen, ops.Mul(t, gate, ops.Sub(t, query, seen)))
}
