package model

import (
	"fmt"
	"math/rand/v2"

	"github.com/greedgraph/greed/nn"
)

// Encoder is the network of section 4.1 of the paper: a table of label
// embeddings (the pre-MLP, which in the authors' code is one linear map of
// one-hot labels), Layers rounds of message passing each followed by an MLP of
// one hidden layer, the sum over nodes of all rounds' states side by side, and
// an MLP of one hidden layer. As in the authors' code, and unlike the paper's
// text, every second round adds the state of two rounds before, and the states
// pooled include those before the first round. With Config.Skip, which the
// paper does not have, a linear map of the pooled states is added at the end.
//
// An Encoder holds no numbers: those are in its Params.
type Encoder struct {
	config Config
	pre    *nn.Param // [node rows, H]
	layers []layer
	post   [2]linear
	skip   linear // only with Config.Skip
}

type layer struct {
	eps    *nn.Param // [1, 1]
	edges  *nn.Param // [edge rows, H]; GINE only
	hidden linear
	out    linear
}

type linear struct{ w, b *nn.Param }

// NewEncoder adds the parameters of an encoder to ps, all zero. nodeRows and
// edgeRows count the rows of the label tables, that for unknown labels
// included.
func NewEncoder(ps *nn.Params, c Config, nodeRows, edgeRows int) *Encoder {
	if err := c.Check(); err != nil {
		panic(err.Error())
	}
	h := c.Hidden
	e := &Encoder{config: c, pre: ps.Add("pre.weight", nodeRows, h)}
	for i := range c.Layers {
		name := fmt.Sprintf("layers.%d.", i)
		l := layer{eps: ps.Add(name+"eps", 1, 1)}
		if c.Conv == GINE {
			l.edges = ps.Add(name+"edge.weight", edgeRows, h)
		}
		l.hidden = addLinear(ps, name+"mlp.0", h, h)
		l.out = addLinear(ps, name+"mlp.2", h, h)
		e.layers = append(e.layers, l)
	}
	wide := h * (c.Layers + 1)
	e.post[0] = addLinear(ps, "post.0", wide, h)
	e.post[1] = addLinear(ps, "post.2", h, c.Norm.Dim())
	if c.Skip {
		e.skip = addLinear(ps, "skip", wide, c.Norm.Dim())
	}
	return e
}

func addLinear(ps *nn.Params, name string, in, out int) linear {
	return linear{ps.Add(name+".weight", in, out), ps.Add(name+".bias", 1, out)}
}

// Init draws the starting values, as PyTorch does for its layers.
func (e *Encoder) Init(ps *nn.Params, rng *rand.Rand) {
	ps.InitUniform(e.pre, e.pre.Rows, rng)
	for _, l := range e.layers {
		if l.edges != nil {
			ps.InitUniform(l.edges, l.edges.Rows, rng)
		}
		l.hidden.init(ps, rng)
		l.out.init(ps, rng)
	}
	for _, l := range e.post {
		l.init(ps, rng)
	}
	if e.config.Skip {
		e.skip.init(ps, rng)
	}
}

func (l linear) init(ps *nn.Params, rng *rand.Rand) {
	ps.InitUniform(l.w, l.w.Rows, rng)
	ps.InitUniform(l.b, l.w.Rows, rng)
}

// Forward embeds the graphs of b: [G, dim].
func (e *Encoder) Forward(t *nn.Tape, b *nn.Batch) *nn.Var {
	states := make([]*nn.Var, 0, maxLayers+1)
	x := t.Lookup(e.pre, b.Node)
	states = append(states, x)
	residual := x
	for i, l := range e.layers {
		if l.edges != nil {
			x = t.GINE(x, l.eps, l.edges, b, nn.Both)
		} else {
			x = t.GIN(x, l.eps, b, nn.Both)
		}
		x = t.Linear(x, l.hidden.w, l.hidden.b, true)
		if i%2 == 0 {
			x = t.Linear(x, l.out.w, l.out.b, true)
		} else {
			residual = t.Add(t.Linear(x, l.out.w, l.out.b, false), residual)
			x = t.ReLU(residual)
		}
		states = append(states, x)
	}
	pool := t.SumPool(b, states...)
	z := t.Linear(t.Linear(pool, e.post[0].w, e.post[0].b, true), e.post[1].w, e.post[1].b, false)
	if e.config.Skip {
		z = t.Add(z, t.Linear(pool, e.skip.w, e.skip.b, false))
	}
	return z
}
