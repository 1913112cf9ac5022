package model

import (
	"math"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/nn"
)

// Balance scales a model with starting values so that, for the graphs of b,
// what rounds give and what embeddings consist of has a mean square of 1. Sums
// over neighbours, round after round, and over nodes would otherwise grow
// beyond measure on graphs with hubs. It is the idea of Mishkin and Matas
// (2016), applied to the maps that end a round.
func (m *Model) Balance(b *nn.Batch) {
	ops := kernel.Best()
	t := nn.NewTape(m.params, ops, false)
	for _, e := range m.distinct() {
		e.forward(t, b, func(l linear, x *nn.Var) {
			size := math.Sqrt(ops.SumSquares(x.Value) / float64(max(1, len(x.Value))))
			if l.w == nil || size == 0 {
				return
			}
			l.scale(m.params, ops, float32(1/size))
			ops.Scale(x.Value, float32(1/size))
		})
	}
}

// Scale multiplies all embeddings, and so all distances of a norm, by factor.
func (m *Model) Scale(factor float32) {
	ops := kernel.Best()
	for _, e := range m.distinct() {
		e.post[1].scale(m.params, ops, factor)
		e.skip.scale(m.params, ops, factor)
	}
}

func (l linear) scale(ps *nn.Params, ops kernel.Ops, factor float32) {
	if l.w != nil {
		ops.Scale(ps.Value(l.w), factor)
		ops.Scale(ps.Value(l.b), factor)
	}
}
