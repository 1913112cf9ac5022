package nn

import (
	"math"

	"github.com/greedgraph/greed/internal/kernel"
)

// AdamW is the optimiser of Loshchilov and Hutter (2019): Adam with decoupled weight decay, W
// ← W − lr·(m̂/(√v̂+ε) + decay·W). Its state is part of a checkpoint.
type AdamW struct {
	Beta1, Beta2, Epsilon float64
	Decay                 float64

	Step          int
	First, Second []float32 // moments, as Params.Flat

	next kernel.AdamW // the step begun
}

// NewAdamW returns an optimiser for n numbers with the usual constants
// (β₁ = 0.9, β₂ = 0.999, ε = 1e-8).
func NewAdamW(n int, decay float64) *AdamW {
	return &AdamW{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Decay: decay,
		First: make([]float32, n), Second: make([]float32, n)}
}

// Update takes one step against grad. values and grad are as long as the state. A gradient
// whose Euclidean norm exceeds clip is first scaled down to it. Update returns the norm
// before that.
func (a *AdamW) Update(ops kernel.Ops, values, grad []float32, rate, clip float64) float64 {
	length := a.Begin(ops, grad, rate, clip)
	a.Move(ops, values, grad, 0, len(grad))
	return length
}

// Begin is the first part of [AdamW.Update] and returns the norm of the gradient.
// [AdamW.Move] must follow for all values.
func (a *AdamW) Begin(ops kernel.Ops, grad []float32, rate, clip float64) float64 {
	a.Step++
	length := math.Sqrt(ops.SumSquares(grad))
	a.next = kernel.AdamW{
		Decay:    float32(1 - rate*a.Decay),
		Step:     float32(rate / (1 - math.Pow(a.Beta1, float64(a.Step)))),
		Root:     float32(1 / math.Sqrt(1-math.Pow(a.Beta2, float64(a.Step)))),
		Beta1:    float32(a.Beta1),
		Beta2:    float32(a.Beta2),
		OneLess1: float32(1 - a.Beta1),
		OneLess2: float32(1 - a.Beta2),
		Epsilon:  float32(a.Epsilon),

		GradScale: 1,
	}
	if length > clip {
		a.next.GradScale = float32(clip / length)
	}
	return length
}

// Move updates the values in [from, to). Workers may update different ranges concurrently.
func (a *AdamW) Move(ops kernel.Ops, values, grad []float32, from, to int) {
	ops.AdamW(values[from:to], a.First[from:to], a.Second[from:to], grad[from:to], &a.next)
}
