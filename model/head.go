package model

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/nn"
)

// ErrNotIndexable is wrapped if vectors to search are requested of a model that has
// none.
var ErrNotIndexable = errors.New("such a model cannot search or be indexed; greed predict and greed eval can use it")

// Side tells the two graphs of a pair apart.
type Side uint8

// The sides of a pair.
const (
	Query Side = iota
	Target

	sides
)

// MLP is the head of GREED-NN (section 5.5 of the paper): an MLP of one hidden
// layer on the embeddings of query and target, side by side, in place of the
// norm.
type MLP struct {
	hidden linear
	out    *nn.Param // [1, H]
	bias   *nn.Param // [1, 1]
}

func newMLP(ps *nn.Params, c Config) *MLP {
	return &MLP{
		hidden: addLinear(ps, "head.0", 2*c.Norm.Dim(), c.Hidden),
		out:    ps.Add("head.2.weight", 1, c.Hidden), bias: ps.Add("head.2.bias", 1, 1),
	}
}

func (h *MLP) init(ps *nn.Params, rng *rand.Rand) {
	h.hidden.init(ps, rng)
	ps.InitUniform(h.out, h.out.Cols, rng)
	ps.InitUniform(h.bias, h.out.Cols, rng)
}

// Forward returns the distances of pairs, [P, 1], from their embeddings, that
// of the query before that of the target, [P, 2·dim]. They may be negative.
func (h *MLP) Forward(t *nn.Tape, pairs *nn.Var) *nn.Var {
	return t.Dot(t.Linear(pairs, h.hidden.w, h.hidden.b, true), h.out, h.bias)
}

// Distance returns the predicted distance from two embeddings, each [dim], which
// [Model.EmbedAs] made for the sides Query and Target: the norm of their
// difference, or the output of the MLP, raised to 0 if it is negative.
func (m *Model) Distance(q, t []float32) float64 {
	if m.mlp == nil {
		return m.Norm().Distance(q, t)
	}
	d := m.desks.Get().(*desk)
	defer m.desks.Put(d)
	d.tape.Reset()
	pair := d.tape.Input(1, len(q)+len(t))
	copy(pair.Value[copy(pair.Value, q):], t)
	return math.Max(0, float64(m.mlp.Forward(d.tape, pair).Value[0]))
}

// CheckIndexable returns an error that wraps [ErrNotIndexable] unless the
// distance is of edits, which searches check, and a norm of the difference of
// vectors that one encoder makes.
func (m *Model) CheckIndexable() error {
	switch {
	case m.meta.Task == edit.MCS:
		return fmt.Errorf("it predicts common subgraphs, but a search needs edit distances: %w", ErrNotIndexable)
	case m.mlp != nil:
		return fmt.Errorf("its distances come from an MLP on pairs of vectors: %w", ErrNotIndexable)
	case m.meta.Config.Dual:
		return fmt.Errorf("it has one encoder for queries and one for targets: %w", ErrNotIndexable)
	}
	return nil
}
