package baseline

import (
	"fmt"
	"math"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/lab/ops"
	"github.com/greedgraph/greed/nn"
)

// neuromatchDesign is NeuroMatch: Lou, You, Wen, Canedo and Leskovec, "Neural Subgraph
// Matching", 2020. It learns whether a query is part of a target, and orders targets by
// how much they miss.
func neuromatchDesign(width int) design {
	return design{
		Info: Info{
			Name: "neuromatch", Title: "NeuroMatch", Paper: "Lou et al. 2020",
			About: "order embeddings: a part has smaller coordinates; ranks only",
			Tasks: []edit.Task{edit.SED}, RanksOnly: true, Indexable: true,
			Cached: "the embedding",
		},
		build: func(b *builder, s shape) network { return newNeuromatch(b, s, width) },
		goal:  order{},
		steps: 10_000, batch: 64, rate: 1e-4, clip: 1,
		// Random pairs hold few parts of a target; the paper draws half of its pairs so.
		half: func(e example) bool { return e.upper == 0 },
	}
}

const (
	orderWidth  = 64
	orderLayers = 8
	orderMargin = 0.1
)

// order takes the output for the square by which a query exceeds its target: at most
// none of one that is a part, at least a margin of others. Its distance is the root, in
// no unit.
type order struct{}

func (order) loss(x float32, p sized) (loss, grad float32) {
	switch {
	case p.upper == 0:
		return x, 1
	case p.lower > 0 && x < orderMargin:
		return orderMargin - x, -1
	}
	return 0, 0
}

func (order) distance(x float32, _ sized) float64 { return math.Sqrt(float64(x)) }

// failure implements [ranker].
func (o order) failure(d float64, p sized) float64 {
	v, _ := o.loss(float32(d*d), p)
	return float64(v)
}

type neuromatch struct {
	labels *nn.Param
	pre    *nn.Param // bias
	layers []sage
	post   []dense
}

// sage is a layer: it reads all earlier states, each times a learnt share, and adds up
// neighbours.
type sage struct {
	share      *nn.Param // [layer+1, 1]
	near, self dense
}

func newNeuromatch(b *builder, s shape, width int) network {
	n := &neuromatch{labels: b.table("labels", uniform, s.Nodes, width, true), pre: b.bias("pre.b", width, 0)}
	in := []int{width}
	for i := range orderLayers {
		name := fmt.Sprintf("sage.%d.", i)
		l := sage{share: b.column(name+"share", i+1), near: b.dense(name+"near", uniform, width, in...)}
		l.self = b.dense(name+"self", uniform, width, append([]int{width}, in...)...)
		n.layers = append(n.layers, l)
		in = append(in, width)
	}
	n.post = []dense{
		b.dense("post.0", uniform, width, in...), b.dense("post.1", uniform, width, width),
		b.dense("post.2", uniform, 4*width, width), b.dense("post.3", uniform, width, 4*width),
	}
	return n
}

func (n *neuromatch) embed(t *nn.Tape, b *nn.Batch) []kept {
	states := []*nn.Var{ops.Bias(t, t.Lookup(n.labels, b.Node), n.pre, false)}
	for _, l := range n.layers {
		parts := make([]*nn.Var, len(states))
		for i, x := range states {
			which := make([]int32, b.Nodes())
			for v := range which {
				which[v] = int32(i)
			}
			parts[i] = ops.MulColumn(t, x, ops.Sigmoid(t, t.Lookup(l.share, which)))
		}
		x := t.Concat(parts...)
		near := ops.SegmentSum(t, ops.Gather(t, l.near.apply(t, x, false), b.From), b.Start)
		states = append(states, l.self.apply(t, t.Concat(near, x), true))
	}
	x := t.SumPool(b, states...)
	x = ops.LeakyReLU(t, n.post[0].apply(t, x, false), 0.1)
	x = n.post[2].apply(t, n.post[1].apply(t, x, true), true)
	return []kept{{n.post[3].apply(t, x, false), upTo(b.Graphs())}}
}

func (n *neuromatch) score(t *nn.Tape, z []kept, p *pairs) *nn.Var {
	over := t.ReLU(ops.Sub(t, ops.Gather(t, z[0].x, p.q), ops.Gather(t, z[0].x, p.t)))
	return ops.RowDot(t, over, over)
}
