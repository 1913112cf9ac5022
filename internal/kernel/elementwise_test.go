package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// lengths are all through two vectors of the widest level and some greater.
func lengths() []int {
	var n []int
	for i := 0; i <= 2*Lane+1; i++ {
		n = append(n, i)
	}
	return append(n, 100, 1<<16, 1<<16+17, 1<<17+5)
}

// guarded returns n random values with guards on both sides.
func guarded(rng *rand.Rand, n int) (all, inner []float32) {
	all = randomValues(rng, n+8)
	return all, all[3 : 3+n : 3+n]
}

func TestElementwiseScalar(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	step := &AdamW{Decay: 0.999, Step: 1e-2, Root: 1.7, Beta1: 0.9, Beta2: 0.999, OneLess1: 0.1, OneLess2: 1e-3, Epsilon: 1e-8, GradScale: 0.7}
	kernels := map[string]struct {
		run    func(o Ops, s [][]float32)
		scalar func(s [][]float32, i int)
	}{
		"Add":      {func(o Ops, s [][]float32) { o.Add(s[0], s[1]) }, func(s [][]float32, i int) { s[0][i] += s[1][i] }},
		"Axpy":     {func(o Ops, s [][]float32) { o.Axpy(s[0], 1.3, s[1]) }, func(s [][]float32, i int) { s[0][i] += float32(1.3 * s[1][i]) }},
		"Scale":    {func(o Ops, s [][]float32) { o.Scale(s[0], 1.3) }, func(s [][]float32, i int) { s[0][i] *= 1.3 }},
		"ReLU":     {func(o Ops, s [][]float32) { o.ReLU(s[0], s[1]) }, func(s [][]float32, i int) { s[0][i] = reluScalar(s[1][i]) }},
		"ReLUGrad": {func(o Ops, s [][]float32) { o.ReLUGrad(s[0], s[1]) }, reluGradScalar},
		"AdamW": {func(o Ops, s [][]float32) { o.AdamW(s[0], s[1], s[2], s[3], step) }, func(s [][]float32, i int) {
			x := float32(step.GradScale * s[3][i])
			s[1][i] = float32(step.Beta1*s[1][i]) + float32(step.OneLess1*x)
			s[2][i] = float32(step.Beta2*s[2][i]) + float32(step.OneLess2*float32(x*x))
			root := float32(step.Root * float32(math.Sqrt(float64(s[2][i]))))
			s[0][i] = float32(step.Decay*s[0][i]) - float32(step.Step*s[1][i])/(root+step.Epsilon)
		}},
	}
	for name, k := range kernels {
		for _, level := range Levels() {
			for _, n := range lengths() {
				var got, want, all, wantAll [][]float32
				for range 4 {
					a, s := guarded(rng, n)
					spoil(rng, s)
					b := slices.Clone(a)
					all, got = append(all, a), append(got, s)
					wantAll, want = append(wantAll, b), append(want, b[3:3+n])
				}
				for i := range n {
					k.scalar(want, i)
				}
				k.run(At(level), got)
				for i := range all {
					sameBits(t, fmt.Sprintf("%s, %v, n=%d, slice %d", name, level, n, i), all[i], wantAll[i])
				}
			}
		}
	}
}

func reluScalar(x float32) float32 {
	if x < 0 {
		return 0
	}
	return x
}

func reluGradScalar(s [][]float32, i int) {
	if !(s[1][i] > 0) {
		s[0][i] = 0
	}
}

func TestDotScalar(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, n := range lengths() {
		a, b := randomValues(rng, n), randomValues(rng, n)
		want, size := 0.0, 0.0
		for i := range a {
			want += float64(a[i]) * float64(b[i])
			size += math.Abs(float64(a[i]) * float64(b[i]))
		}
		first := At(Generic).Dot(a, b)
		if math.Abs(first-want) > size*float64(n+1)*0x1p-52 {
			t.Errorf("n=%d: got %v, want %v", n, first, want)
		}
		for _, level := range Levels() {
			if got := At(level).Dot(a, b); got != first {
				t.Errorf("n=%d: %v at level %v, %v at generic", n, got, level, first)
			}
		}
	}
	a := []float32{3, 4}
	if got := Best().SumSquares(a); got != 25 {
		t.Errorf("SumSquares(3, 4) = %v, want 25", got)
	}
}

func TestNoAllocation(t *testing.T) {
	x, y := make([]float32, 640), make([]float32, 640)
	m := Matrix{x, 64}
	lists := Lists{Start: []int32{0, 1, 2}, Index: []int32{1, 0}}
	messages := &Messages{Arcs: lists, Label: []int32{0, 0}, Src: m, Table: m, Width: 64, Self: 1}
	step := &AdamW{}
	for _, level := range Levels() {
		o := At(level)
		n := testing.AllocsPerRun(10, func() {
			o.Gemm(&Product{M: 10, N: 64, K: 10, C: Matrix{y, 64}, A: m, B: m, Bias: x[:64], ReLU: true})
			o.SumRows(Matrix{y, 64}, m, 64, lists, 1, true)
			o.SumMessages(Matrix{y, 64}, messages)
			o.SumMessagesGrad(Matrix{y, 64}, Matrix{y, 64}, m, messages)
			o.Add(x, y)
			o.Axpy(x, 2, y)
			o.Scale(x, 2)
			o.ReLU(x, y)
			o.ReLUGrad(x, y)
			o.AdamW(x, x, x, x, step)
			o.Dot(x, y)
		})
		if n > 0 {
			t.Errorf("level %v: %v allocations", level, n)
		}
	}
}

func BenchmarkElementwise(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	const n = 64 * 576
	w, m, v, g := randomValues(rng, n), randomValues(rng, n), make([]float32, n), randomValues(rng, n)
	step := &AdamW{Decay: 1, Step: 1e-9, Root: 1, Beta1: 0.9, Beta2: 0.999, OneLess1: 0.1, OneLess2: 1e-3, Epsilon: 1e-8, GradScale: 1}
	for _, level := range Levels() {
		o := At(level)
		for _, k := range []struct {
			name string
			run  func()
		}{
			{"Add", func() { o.Add(w, g) }},
			{"ReLU", func() { o.ReLU(w, g) }},
			{"AdamW", func() { o.AdamW(w, m, v, g, step) }},
			{"SumSquares", func() { o.SumSquares(g) }},
		} {
			b.Run(fmt.Sprintf("%s/n=%d/level=%v", k.name, n, level), func(b *testing.B) {
				for b.Loop() {
					k.run()
				}
			})
		}
	}
}
