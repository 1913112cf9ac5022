package model

import (
	"math"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/nn"
)

// Balance scales the initial weights of a model so that, on the graphs of b, the outputs of
// the rounds and the embeddings have a mean square of 1. Without it, sums over neighbours and
// nodes explode on graphs with hubs. It applies the idea of Mishkin and Matas (2016) to the
// last linear map of every round.
func (m *Model) Balance(b *nn.Batch) {
	ops := kernel.Best()
	t := nn.NewTape(m.params, ops, false)
	m.encoder.forward(t, b, func(l linear, x *nn.Var) {
		size := math.Sqrt(ops.SumSquares(x.Value) / float64(max(1, len(x.Value))))
		if size == 0 {
			return
		}
		l.scale(m.params, ops, float32(1/size))
		ops.Scale(x.Value, float32(1/size))
	})
}

// Scale multiplies all embeddings, and so all distances, by factor.
func (m *Model) Scale(factor float32) {
	ops := kernel.Best()
	for _, l := range []linear{m.encoder.post[1], m.encoder.skip, m.encoder.direct} {
		l.scale(m.params, ops, factor)
	}
}

func (l linear) scale(ps *nn.Params, ops kernel.Ops, factor float32) {
	if l.w != nil {
		ops.Scale(ps.Value(l.w), factor)
	}
	if l.b != nil {
		ops.Scale(ps.Value(l.b), factor)
	}
}
