package nn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/nn"
)

// TestAdamWIsThePapers follows algorithm 2 of Loshchilov and Hutter in float64.
func TestAdamWIsThePapers(t *testing.T) {
	const n, rate, decay, clip = 50, 0.01, 0.1, 2.0
	rng := rand.New(rand.NewPCG(1, 3))
	a := nn.NewAdamW(n, decay)
	got := vector(rng, n)
	want, m, v := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, x := range got {
		want[i] = float64(x)
	}
	for step := 1; step <= 20; step++ {
		grad := vector(rng, n)
		length := 0.0
		for _, g := range grad {
			length += float64(g) * float64(g)
		}
		length = math.Sqrt(length)
		if l := a.Update(kernel.Best(), got, grad, rate, clip); math.Abs(l-length) > 1e-3 {
			t.Fatalf("gradient of length %v, want %v", l, length)
		}
		for i, g := range grad {
			x := float64(g) * math.Min(1, clip/length)
			m[i] = 0.9*m[i] + 0.1*x
			v[i] = 0.999*v[i] + 0.001*x*x
			mHat, vHat := m[i]/(1-math.Pow(0.9, float64(step))), v[i]/(1-math.Pow(0.999, float64(step)))
			want[i] -= rate * (mHat/(math.Sqrt(vHat)+1e-8) + decay*want[i])
			if math.Abs(want[i]-float64(got[i])) > 1e-4 {
				t.Fatalf("step %d: weight %d is %v, want %v", step, i, got[i], want[i])
			}
		}
	}
}
