package baseline

import (
	"fmt"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/lab/ops"
	"github.com/greedgraph/greed/nn"
)

// The ablations of GREED (Ranjan et al. 2022): the paper's network, which package model
// implements, and the same with a part changed. All are trained here, the unchanged one too
// ([Unchanged]), so that the rows of a table differ by that part alone: like the other systems
// of this package, with rates that fall once, no weight decay and Adam's steps of a gradient
// clipped at 0.1.
const (
	Unchanged = "gin" // GIN, the sum over nodes, a pre-MLP, one encoder and the norm
	GCN       = "gcn"
	SAGE      = "sage" // with means
	GAT       = "gat"  // one head

	MeanPool = "mean"
	MaxPool  = "max"
	// AttentionPool is a mean of all nodes' states, weighted by the softmax of a linear
	// function of them (Li et al., 2016).
	AttentionPool = "attention"

	NoPre = "no-pre" // the first round sees one-hot labels
	Dual  = "dual"   // queries and targets have separate encoders
	MLP   = "mlp"    // in place of the norm
)

// Ablations returns the names of the variants that [NewAblation] knows.
func Ablations() []string {
	return []string{Unchanged, GCN, SAGE, GAT, MeanPool, MaxPool, AttentionPool, NoPre, Dual, MLP}
}

// AblationPrefix stands before the name of an ablation in those of systems.
const AblationPrefix = "greed/"

// NewAblation returns GREED with one part changed.
func NewAblation(variant string, task edit.Task, costs edit.Costs) (System, error) {
	return New(AblationPrefix+variant, task, costs)
}

func ablationEntries() []entry {
	var all []entry
	for _, v := range Ablations() {
		d := ablationDesign(v, edit.GED)
		all = append(all, entry{d.Info, func(task edit.Task, costs edit.Costs) (System, error) {
			if err := costs.Check(); err != nil {
				return nil, err
			}
			return newLearner(ablationDesign(v, task), task, costs), nil
		}})
	}
	return all
}

func ablationDesign(variant string, task edit.Task) design {
	return design{
		Info: Info{
			Name: AblationPrefix + variant, Title: "GREED, " + variant, Paper: "Ranjan et al. 2022",
			About: "the paper's network with a part changed", Tasks: []edit.Task{edit.GED, edit.SED, edit.MCS}, Cached: "a vector",
		},
		build: func(b *builder, s shape) network {
			n := &ablated{hinge: task == edit.SED}
			n.encoders = append(n.encoders, b.encoder("", variant, s))
			switch variant {
			case Dual:
				n.encoders = append(n.encoders, b.encoder("target.", variant, s))
			case MLP:
				head := b.tower("head", uniform, []int{ablatedWidth}, ablatedWidth, ablatedWidth)
				n.head = &head
			}
			return n
		},
		goal:  regression{},
		steps: 20_000, batch: 128, rate: 1e-3, clip: 0.1, mean: true,
	}
}

const (
	ablatedWidth  = 64 // of states and embeddings, as in the paper
	ablatedRounds = 8
	// attentionSlope is the slope of the LeakyReLU before GAT's softmax, as in its paper.
	attentionSlope = 0.2
)

type ablated struct {
	encoders []*encoder // one, or one of queries and one of targets
	head     *tower     // nil: the norm
	hinge    bool
}

func (n *ablated) embed(t *nn.Tape, b *nn.Batch) []kept {
	var all []kept
	for _, e := range n.encoders {
		all = append(all, kept{e.embed(t, b), upTo(b.Graphs())})
	}
	return all
}

func (n *ablated) score(t *nn.Tape, z []kept, p *pairs) *nn.Var {
	q, x := ops.Gather(t, z[0].x, p.q), ops.Gather(t, z[len(z)-1].x, p.t)
	if n.head != nil {
		return n.head.apply(t, t.Concat(q, x))
	}
	d := ops.Sub(t, q, x)
	if n.hinge {
		d = t.ReLU(d)
	}
	return ops.Length(t, d)
}

// encoder is the paper's, as in package model.
type encoder struct {
	variant string
	labels  *nn.Param // the pre-MLP; nil: one-hot labels
	width   int       // of one-hot labels, padded
	rounds  []round
	pool    *nn.Param // AttentionPool only
	post    [2]dense
}

// round is one of message passing.
type round struct {
	eps      *nn.Param // GIN only
	hidden   dense     // GIN only
	out      dense
	to, from *nn.Param // GAT only
}

func (b *builder) encoder(prefix, variant string, s shape) *encoder {
	e := &encoder{variant: variant, width: kernel.Pad(s.Nodes)}
	in := s.Nodes
	if variant != NoPre {
		e.labels = b.table(prefix+"pre", uniform, s.Nodes, ablatedWidth, true)
		in = ablatedWidth
	}
	widths := []int{in} // of the pooled states
	for i := range ablatedRounds {
		var r round
		name := fmt.Sprintf("%slayers.%d.", prefix, i)
		switch variant {
		case GCN:
			r.out = b.dense(name+"linear", uniform, ablatedWidth, in)
		case SAGE:
			r.out = b.dense(name+"linear", uniform, ablatedWidth, in, in)
		case GAT:
			r.out = b.dense(name+"linear", uniform, ablatedWidth, in)
			r.to, r.from = b.row(name+"to", ablatedWidth), b.row(name+"from", ablatedWidth)
		default:
			r.eps = b.number(name + "eps")
			r.hidden = b.dense(name+"mlp.0", uniform, ablatedWidth, in)
			r.out = b.dense(name+"mlp.2", uniform, ablatedWidth, ablatedWidth)
		}
		e.rounds = append(e.rounds, r)
		in = ablatedWidth
		widths = append(widths, in)
	}
	if variant == AttentionPool {
		e.pool = b.row(prefix+"pool", ablatedWidth*len(widths))
	}
	e.post = [2]dense{b.dense(prefix+"post.0", uniform, ablatedWidth, widths...), b.dense(prefix+"post.2", uniform, ablatedWidth, ablatedWidth)}
	return e
}

func (e *encoder) embed(t *nn.Tape, b *nn.Batch) *nn.Var {
	var x, residual *nn.Var
	if e.labels == nil {
		x = e.oneHot(t, b) // no residual: the widths differ
	} else {
		x = t.Lookup(e.labels, b.Node)
		residual = x
	}
	states := []*nn.Var{x}
	for i, r := range e.rounds {
		x = r.forward(t, x, b, e.variant)
		if i%2 == 1 {
			if residual != nil {
				x = t.Add(x, residual)
			}
			residual = x
		}
		x = t.ReLU(x)
		states = append(states, x)
	}
	return e.post[1].apply(t, e.post[0].apply(t, e.pooled(t, b, states), true), false)
}

// oneHot returns one-hot vectors of the nodes' labels, zeros for a label that was not learnt.
func (e *encoder) oneHot(t *nn.Tape, b *nn.Batch) *nn.Var {
	x := t.Input(b.Nodes(), e.width)
	for v, row := range b.Node {
		if row > 0 {
			x.Value[v*x.Cols+int(row)] = 1
		}
	}
	return x
}

// pooled returns the concatenated states of all rounds, pooled over each graph.
func (e *encoder) pooled(t *nn.Tape, b *nn.Batch, states []*nn.Var) *nn.Var {
	switch e.variant {
	case MeanPool:
		return ops.SegmentMean(t, t.Concat(states...), b.Segment)
	case MaxPool:
		return ops.SegmentMax(t, t.Concat(states...), b.Segment)
	case AttentionPool:
		x := t.Concat(states...)
		weight := ops.SegmentSoftmax(t, ops.Dot(t, x, e.pool, nil), b.Segment)
		return ops.SegmentSum(t, ops.MulColumn(t, x, weight), b.Segment)
	}
	return t.SumPool(b, states...)
}

// forward returns the states after the round, before its last activation.
func (r round) forward(t *nn.Tape, x *nn.Var, b *nn.Batch, variant string) *nn.Var {
	switch variant {
	case GCN:
		return r.out.apply(t, ops.GCN(t, x, b), false)
	case SAGE:
		return r.out.apply(t, t.Concat(x, ops.Mean(t, x, b)), false)
	case GAT:
		return r.attend(t, r.out.apply(t, x, false), b)
	}
	return r.out.apply(t, r.hidden.apply(t, t.GIN(x, r.eps, b, nn.Both), true), false)
}

// attend returns, for every node, the mean of h over it and its neighbours, weighted by
// attention.
func (r round) attend(t *nn.Tape, h *nn.Var, b *nn.Batch) *nn.Var {
	start, from := withLoops(b)
	score := t.Add(ops.Spread(t, ops.Dot(t, h, r.to, nil), start), ops.Gather(t, ops.Dot(t, h, r.from, nil), from))
	weight := ops.SegmentSoftmax(t, ops.LeakyReLU(t, score, attentionSlope), start)
	return ops.SegmentSum(t, ops.MulColumn(t, ops.Gather(t, h, from), weight), start)
}

// withLoops returns the arcs of a batch, as [nn.Arcs.Start] and [nn.Arcs.From], with a
// self-loop before those of each node.
func withLoops(b *nn.Batch) (start, from []int32) {
	start = []int32{0}
	for v := range b.Nodes() {
		from = append(append(from, int32(v)), b.From[b.Start[v]:b.Start[v+1]]...)
		start = append(start, int32(len(from)))
	}
	return start, from
}
