package nn

import "math"

// AdamW is the optimiser of Loshchilov and Hutter (2019): Adam with weight
// decay taken from the weights directly, W ← W − lr·(m̂/(√v̂+ε) + decay·W).
// Its state is part of a checkpoint.
type AdamW struct {
	Beta1, Beta2, Epsilon float64
	Decay                 float64

	Step          int
	First, Second []float32 // moments, as Params.Flat
}

// NewAdamW returns an optimiser for n numbers with the usual constants
// (β₁ = 0.9, β₂ = 0.999, ε = 1e-8).
func NewAdamW(n int, decay float64) *AdamW {
	return &AdamW{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, Decay: decay,
		First: make([]float32, n), Second: make([]float32, n)}
}

// Update moves the values one step against grad, both as long as the state.
func (a *AdamW) Update(values, grad []float32, rate float64) {
	a.Step++
	c1 := 1 - math.Pow(a.Beta1, float64(a.Step))
	c2 := 1 - math.Pow(a.Beta2, float64(a.Step))
	b1, b2 := float32(a.Beta1), float32(a.Beta2)
	scale := float32(rate / c1)
	root := float32(1 / math.Sqrt(c2))
	eps := float32(a.Epsilon)
	keep := float32(1 - rate*a.Decay)
	first, second, grad := a.First[:len(values)], a.Second[:len(values)], grad[:len(values)]
	for i, g := range grad {
		m := b1*first[i] + (1-b1)*g
		v := b2*second[i] + (1-b2)*g*g
		first[i], second[i] = m, v
		values[i] = keep*values[i] - scale*m/(float32(math.Sqrt(float64(v)))*root+eps)
	}
}

// ClipNorm scales grad down to the given Euclidean norm if it is longer, and
// returns the length it had.
func ClipNorm(grad []float32, limit float64) float64 {
	sum := 0.0
	for _, g := range grad {
		sum += float64(g) * float64(g)
	}
	length := math.Sqrt(sum)
	if length > limit {
		s := float32(limit / length)
		for i := range grad {
			grad[i] *= s
		}
	}
	return length
}
