package nn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/nn"
	"github.com/greedgraph/greed/norm"
)

func norms() []norm.Norm {
	var all []norm.Norm
	for _, kind := range []norm.Kind{norm.L1, norm.L2} {
		for _, combine := range []norm.Combine{norm.Sum, norm.Max} {
			for _, hinge := range []bool{false, true} {
				all = append(all, norm.Norm{Widths: []int{3, 1, 4}, Kind: kind, Combine: combine, Hinge: hinge})
			}
		}
	}
	return all
}

func vector(rng *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v
}

func TestDistanceIsTheNorm(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range norms() {
		for range 100 {
			q, x := vector(rng, n.Dim()), vector(rng, n.Dim())
			got, want := float64(nn.DistanceGrad(&n, q, x, nil, nil, func(float32) float32 { return 0 })), n.Distance(q, x)
			if math.Abs(got-want) > 1e-5*(1+want) {
				t.Errorf("%+v: %v, the norm says %v", n, got, want)
			}
		}
	}
}

func TestDistanceGradients(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, n := range norms() {
		for range 50 {
			q, x := vector(rng, n.Dim()), vector(rng, n.Dim())
			dq, dx := make([]float32, n.Dim()), make([]float32, n.Dim())
			nn.DistanceGrad(&n, q, x, dq, dx, func(float32) float32 { return 1 })
			const h = 1e-4
			for i := range q {
				for _, side := range []struct{ v, grad []float32 }{{q, dq}, {x, dx}} {
					old := side.v[i]
					side.v[i] = old + h
					up := n.Distance(q, x)
					side.v[i] = old - h
					down := n.Distance(q, x)
					side.v[i] = old
					if got := (up - down) / (2 * h); math.Abs(got-float64(side.grad[i])) > 0.02 {
						t.Fatalf("%+v, coordinate %d: difference quotient %v, gradient %v", n, i, got, side.grad[i])
					}
				}
			}
		}
	}
}
