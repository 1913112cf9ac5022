package model

import (
	"math/rand/v2"

	"github.com/greedgraph/greed/nn"
)

// layer is one round of message passing, up to its last activation: an MLP with one hidden
// layer of what [way.gather] returns, concatenated if arcs are followed in two ways.
type layer struct {
	ways   []way
	edges  *nn.Param // [edge rows, H]; GINE only
	hidden linear
	out    linear
}

// way holds a layer's parameters for one way of following arcs.
type way struct {
	arcs nn.Way
	eps  *nn.Param // [1, 1]
}

// newLayer adds the parameters of a layer.
func newLayer(ps *nn.Params, name string, c Config, edgeRows int) layer {
	h := c.Hidden
	var l layer
	if !c.Apart {
		l.ways = []way{{nn.Both, ps.Add(name+"eps", 1, 1)}}
	}
	if c.Conv == GINE {
		l.edges = ps.Add(name+"edge.weight", edgeRows, h)
	}
	if c.Apart {
		l.ways = []way{{nn.Along, ps.Add(name+"along.eps", 1, 1)}, {nn.Against, ps.Add(name+"against.eps", 1, 1)}}
	}
	l.hidden = addLinear(ps, name+"mlp.0", h*len(l.ways), h)
	l.out = addLinear(ps, name+"mlp.2", h, h)
	return l
}

func (l *layer) init(ps *nn.Params, rng *rand.Rand) {
	if l.edges != nil {
		ps.InitUniform(l.edges, l.edges.Rows, rng)
	}
	l.hidden.init(ps, rng)
	l.out.init(ps, rng)
}

// forward returns the states after the round, [V, H]; relu applies the final activation.
func (l *layer) forward(t *nn.Tape, x *nn.Var, b *nn.Batch, relu bool) *nn.Var {
	var parts [2]*nn.Var
	list := parts[:0]
	for _, w := range l.ways {
		list = append(list, w.gather(t, x, l.edges, b))
	}
	m := t.Linear(t.Concat(list...), l.hidden.w, l.hidden.b, true)
	return t.Linear(m, l.out.w, l.out.b, relu)
}

// gather aggregates the states of each node and of its neighbours N:
//
//	GIN   (1+ε) x(v) + Σ_N x(u)
//	GINE  (1+ε) x(v) + Σ_N max(0, x(u) + edge(u, v))
func (w way) gather(t *nn.Tape, x *nn.Var, edges *nn.Param, b *nn.Batch) *nn.Var {
	if edges == nil {
		return t.GIN(x, w.eps, b, w.arcs)
	}
	return t.GINE(x, w.eps, edges, b, w.arcs)
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
