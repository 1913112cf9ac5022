package model

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/nn"
)

// ErrNotIndexable means that a model does not produce vectors that can be searched.
var ErrNotIndexable = errors.New("such a model cannot search or be indexed; greed predict and greed eval can use it")

// Side is one of the two graphs of a pair.
type Side uint8

// The sides of a pair.
const (
	Query Side = iota
	Target

	sides
)

// MLP is the head of GREED-NN (section 5.5 of the paper). In place of the norm it applies an
// MLP with one hidden layer to the concatenated embeddings of query and target.
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

// Forward returns the distances of pairs, [P, 1], from their concatenated embeddings, query
// first, [P, 2·dim]. They may be negative.
func (h *MLP) Forward(t *nn.Tape, pairs *nn.Var) *nn.Var {
	return t.Dot(t.Linear(pairs, h.hidden.w, h.hidden.b, true), h.out, h.bias)
}

// Distance returns the predicted distance of two embeddings, each [dim], which
// [Model.EmbedAs] computed for the sides Query and Target. It is the norm of their
// difference, or the output of the MLP, at least 0.
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

// CheckIndexable returns an error that wraps [ErrNotIndexable] unless the model predicts an
// edit distance, which searches can check, as a norm of the difference of two vectors from
// the same encoder.
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
