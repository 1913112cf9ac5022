package model

import (
	"fmt"
	"math/rand/v2"

	"github.com/greedgraph/greed/nn"
)

// Encoder is the network of section 4.1 of the paper: a table of label embeddings (the
// pre-MLP, a single linear map of one-hot labels in the authors' code), Layers rounds of
// message passing, the sum over nodes of the concatenated states of all rounds, and an MLP
// with one hidden layer. As in the authors' code, and unlike in the paper's text, every
// second round adds the state of two rounds before, and the pooled states include the initial
// ones. Config.Features adds tables of what surrounds a node to the pre-MLP, and Config.Skip
// adds a linear map of the pooled states to the output; the paper has neither.
//
// An Encoder holds no weights; they are in its Params.
type Encoder struct {
	config Config
	pre    *nn.Param // [node rows, H]; unless without States
	// [rows, H] for each of [nn.Features]; only with Config.Features
	features []*nn.Param
	layers   []layer
	post     [2]linear
	skip     linear // only with Config.Skip
	direct   linear // only with Config.Direct
}

// NewEncoder adds the parameters of an encoder to ps, all zero. nodeRows and edgeRows are the
// numbers of rows of the label tables, including the row for unknown labels.
func NewEncoder(ps *nn.Params, c Config, nodeRows, edgeRows int) *Encoder {
	if err := c.Check(); err != nil {
		panic(err.Error())
	}
	h, wide := c.Hidden, 0
	e := &Encoder{config: c}
	if c.States() {
		wide = h * (1 + c.Layers)
		e.pre = ps.Add("pre.weight", nodeRows, h)
	}
	if c.Features && c.States() {
		for _, f := range nn.Features() {
			e.features = append(e.features, ps.Add(fmt.Sprintf("pre.%v.weight", f), f.Rows(), h))
		}
	}
	for i := range c.Layers {
		e.layers = append(e.layers, newLayer(ps, fmt.Sprintf("layers.%d.", i), c, edgeRows))
	}
	counted := 0
	if len(c.Counts) > 0 {
		counted = nn.NewCounts(c.Counts).Width()
		wide += counted
	}
	if learnt := c.Norm.Dim() - c.Direct; learnt > 0 {
		e.post[0] = addLinear(ps, "post.0", wide, h)
		e.post[1] = addLinear(ps, "post.2", h, learnt)
		if c.Skip {
			e.skip = addLinear(ps, "skip", wide, learnt)
		}
	}
	if c.Direct > 0 {
		e.direct.w = ps.Add("direct.weight", counted, c.Direct)
		e.direct.w.Grows = true
	}
	return e
}

// Init draws the initial weights as PyTorch does for its layers.
func (e *Encoder) Init(ps *nn.Params, rng *rand.Rand) {
	if e.pre != nil {
		ps.InitUniform(e.pre, e.pre.Rows, rng)
	}
	for _, table := range e.features {
		ps.InitUniform(table, table.Rows, rng)
	}
	for i := range e.layers {
		e.layers[i].init(ps, rng)
	}
	for _, l := range e.post {
		l.init(ps, rng)
	}
	e.skip.init(ps, rng)
	e.direct.init(ps, rng)
}

// Forward embeds the graphs of b: [G, dim].
func (e *Encoder) Forward(t *nn.Tape, b *nn.Batch) *nn.Var { return e.forward(t, b, nil) }

// forward passes to level, unless it is nil, the output of every linear map that ends a round
// or produces the embedding, before anything is added to it.
func (e *Encoder) forward(t *nn.Tape, b *nn.Batch, level func(l linear, x *nn.Var)) *nn.Var {
	if level == nil {
		level = func(linear, *nn.Var) {}
	}
	var parts [2]*nn.Var
	z := parts[:0]
	var counts *nn.Var
	if len(e.config.Counts) > 0 {
		counts = t.Counts(b)
	}
	if e.config.Direct < e.config.Norm.Dim() {
		z = append(z, e.learnt(t, b, counts, level))
	}
	if e.config.Direct > 0 {
		x := t.Linear(counts, e.direct.w, nil, false)
		level(e.direct, x)
		z = append(z, x)
	}
	return t.Concat(z...)
}

// learnt returns the coordinates that the readout computes from states and counts.
func (e *Encoder) learnt(t *nn.Tape, b *nn.Batch, counts *nn.Var, level func(l linear, x *nn.Var)) *nn.Var {
	pool := counts
	if e.config.States() {
		pool = t.SumPool(b, e.rounds(t, b, level, make([]*nn.Var, 0, maxLayers+1))...)
		if counts != nil {
			pool = t.Concat(pool, counts)
		}
	}
	z := t.Linear(pool, e.post[0].w, e.post[0].b, true)
	level(e.post[0], z)
	z = t.Linear(z, e.post[1].w, e.post[1].b, false)
	level(e.post[1], z)
	if e.config.Skip {
		s := t.Linear(pool, e.skip.w, e.skip.b, false)
		level(e.skip, s)
		z = t.Add(z, s)
	}
	return z
}

// rounds appends the node states to states, [V, H] each: the initial ones, then those after
// every round.
func (e *Encoder) rounds(t *nn.Tape, b *nn.Batch, level func(l linear, x *nn.Var), states []*nn.Var) []*nn.Var {
	if !e.config.States() {
		return states
	}
	x := t.Lookup(e.pre, b.Node)
	for f, table := range e.features {
		x = t.AddLookup(x, table, b.Local[f])
	}
	residual := x
	states = append(states, x)
	for i := range e.layers {
		if i%2 == 0 {
			x = e.layers[i].forward(t, x, b, true)
			level(e.layers[i].out, x)
		} else {
			x = e.layers[i].forward(t, x, b, false)
			level(e.layers[i].out, x)
			residual = t.Add(x, residual)
			x = t.ReLU(residual)
		}
		states = append(states, x)
	}
	return states
}
