package bench

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/nn"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/train"
)

// freeSteps and freePairs are how long vectors without an encoder are fitted.
const (
	freeSteps = 6000
	freePairs = 16384 // in a step
	freeRate  = 0.03
	freeWidth = 64
)

// free fits a vector to every graph of a set of pairs, without an encoder, and returns their
// distances: what the norm and the loss allow on this set. No model of that norm can be expected to
// do better on pairs that it has not seen.
func free(ctx context.Context, in eval.Input, n norm.Norm, near train.Near, seed uint64) ([]float64, error) {
	rng := rand.New(rand.NewPCG(seed, 0x1f83d9abfb41bd6b))
	dim, targets := n.Dim(), len(in.Queries)*n.Dim()
	values := make([]float32, targets+len(in.Targets)*dim)
	for i := range values {
		values[i] = float32(rng.NormFloat64() / 4)
	}
	ops, grad := kernel.Best(), make([]float32, len(values))
	adam := nn.NewAdamW(len(values), 0)
	for step := range freeSteps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		clear(grad)
		total := float32(0)
		batch := min(freePairs, len(in.Pairs))
		for range batch {
			p := in.Pairs[rng.IntN(len(in.Pairs))]
			low, high, w := near.Goal(float32(p.Lower), float32(p.Upper))
			total += w
			q, x := int(p.Query)*dim, targets+int(p.Target)*dim
			nn.DistanceGrad(&n, values[q:q+dim], values[x:x+dim], grad[q:q+dim], grad[x:x+dim], func(d float32) float32 {
				return w * (max(d-high, 0) - max(low-d, 0))
			})
		}
		for i := range grad {
			grad[i] *= 2 / total
		}
		adam.Update(ops, values, grad, freeRate*(1+math.Cos(math.Pi*float64(step)/freeSteps))/2, math.Inf(1))
	}
	predicted := make([]float64, len(in.Pairs))
	for i, p := range in.Pairs {
		predicted[i] = n.Distance(values[int(p.Query)*dim:][:dim], values[targets+int(p.Target)*dim:][:dim])
	}
	return predicted, nil
}
