package model

import (
	"math/rand/v2"

	"github.com/greedgraph/greed/nn"
)

// layer is one round of message passing, up to its last activation. N are the neighbours,
// separately for each way in which arcs are followed; [..] is concatenation:
//
//	gin   MLP [(1+ε) x(v) + Σ_N x(u)]                       one hidden layer
//	gine  MLP [(1+ε) x(v) + Σ_N max(0, x(u) + edge(u, v))]  one hidden layer
//	gcn   W [Σ_{N∪v} x(u) / √((1+|N(v)|)(1+|N(u)|))] + b
//	sage  W [x(v), mean_N x(u)] + b
//	gat   Σ_{N∪v} α(u, v) (W x(u) + b), over ways added up, where α is the
//	      softmax of LeakyReLU(to·(W x(v) + b) + from·(W x(u) + b))
type layer struct {
	conv   Conv
	ways   []way
	edges  *nn.Param // [edge rows, in]; GINE only
	hidden linear    // GIN and GINE only
	out    linear    // all but GAT
}

// way holds a layer's parameters for one way of following arcs.
type way struct {
	arcs     nn.Way
	eps      *nn.Param // [1, 1]; GIN and GINE only
	linear   linear    // GAT only
	to, from *nn.Param // [1, H]; GAT only
}

// attentionSlope is the slope of the LeakyReLU before GAT's softmax, as in its paper.
const attentionSlope = 0.2

// newLayer adds the parameters of a layer whose input states have width in.
func newLayer(ps *nn.Params, name string, c Config, in, edgeRows int) layer {
	h := c.Hidden
	l := layer{conv: c.Conv}
	if !c.Apart {
		l.ways = append(l.ways, newWay(ps, name, c, in, nn.Both))
	}
	if c.Conv == GINE {
		l.edges = ps.Add(name+"edge.weight", edgeRows, in)
	}
	if c.Apart {
		l.ways = append(l.ways, newWay(ps, name+"along.", c, in, nn.Along), newWay(ps, name+"against.", c, in, nn.Against))
	}
	switch c.Conv {
	case GIN, GINE:
		l.hidden = addLinear(ps, name+"mlp.0", in*len(l.ways), h)
		l.out = addLinear(ps, name+"mlp.2", h, h)
	case GCN:
		l.out = addLinear(ps, name+"linear", in*len(l.ways), h)
	case SAGE:
		l.out = addLinear(ps, name+"linear", in*(1+len(l.ways)), h)
	}
	return l
}

func newWay(ps *nn.Params, name string, c Config, in int, arcs nn.Way) way {
	w := way{arcs: arcs}
	switch c.Conv {
	case GIN, GINE:
		w.eps = ps.Add(name+"eps", 1, 1)
	case GAT:
		w.linear = addLinear(ps, name+"linear", in, c.Hidden)
		w.to = ps.Add(name+"to", 1, c.Hidden)
		w.from = ps.Add(name+"from", 1, c.Hidden)
	}
	return w
}

func (l *layer) init(ps *nn.Params, rng *rand.Rand) {
	if l.edges != nil {
		ps.InitUniform(l.edges, l.edges.Rows, rng)
	}
	for _, w := range l.ways {
		w.linear.init(ps, rng)
		if w.to != nil {
			ps.InitUniform(w.to, w.to.Cols, rng)
			ps.InitUniform(w.from, w.from.Cols, rng)
		}
	}
	l.hidden.init(ps, rng)
	l.out.init(ps, rng)
}

// forward returns the states after the round, [V, H]; relu applies the final activation.
func (l *layer) forward(t *nn.Tape, x *nn.Var, b *nn.Batch, relu bool) *nn.Var {
	if l.conv == GAT {
		return l.attend(t, x, b, relu)
	}
	m := l.gather(t, x, b)
	if l.hidden.w != nil {
		m = t.Linear(m, l.hidden.w, l.hidden.b, true)
	}
	return t.Linear(m, l.out.w, l.out.b, relu)
}

// gather aggregates the states of each node and of its neighbours.
func (l *layer) gather(t *nn.Tape, x *nn.Var, b *nn.Batch) *nn.Var {
	var parts [3]*nn.Var
	list := parts[:0]
	if l.conv == SAGE {
		list = append(list, x)
	}
	for _, w := range l.ways {
		switch l.conv {
		case GIN:
			list = append(list, t.GIN(x, w.eps, b, w.arcs))
		case GINE:
			list = append(list, t.GINE(x, w.eps, l.edges, b, w.arcs))
		case GCN:
			list = append(list, t.GCN(x, b, w.arcs))
		case SAGE:
			list = append(list, t.Mean(x, b, w.arcs))
		}
	}
	return t.Concat(list...)
}

func (l *layer) attend(t *nn.Tape, x *nn.Var, b *nn.Batch, relu bool) *nn.Var {
	var sum *nn.Var
	for _, w := range l.ways {
		h := t.Linear(x, w.linear.w, w.linear.b, false)
		start, from := b.WithLoops(w.arcs)
		score := t.Add(t.Spread(t.Dot(h, w.to, nil), start), t.Gather(t.Dot(h, w.from, nil), from))
		weight := t.SegmentSoftmax(t.LeakyReLU(score, attentionSlope), start)
		out := t.SegmentSum(t.MulColumn(t.Gather(h, from), weight), start)
		if sum == nil {
			sum = out
		} else {
			sum = t.Add(sum, out)
		}
	}
	if relu {
		return t.ReLU(sum)
	}
	return sum
}

// linear is a linear map with bias; the zero value is none.
type linear struct{ w, b *nn.Param }

func addLinear(ps *nn.Params, name string, in, out int) linear {
	return linear{ps.Add(name+".weight", in, out), ps.Add(name+".bias", 1, out)}
}

func (l linear) init(ps *nn.Params, rng *rand.Rand) {
	if l.w != nil {
		ps.InitUniform(l.w, l.w.Rows, rng)
	}
	if l.b != nil {
		ps.InitUniform(l.b, l.w.Rows, rng)
	}
}
