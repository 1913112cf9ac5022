package kernel

// Each kernel treats whole lanes in assembly, in parts of bounded length
// because assembly cannot be preempted, and the rest in Go.
const elementwisePart = 1 << 16

// parts calls f for parts of [0, n) that are whole lanes and returns where
// they end.
func (o Ops) parts(n int, f func(from, n int)) int {
	if o.level == Generic {
		return 0
	}
	end := n &^ (Lane - 1)
	for at := 0; at < end; at += elementwisePart {
		f(at, min(end-at, elementwisePart))
	}
	return end
}

// The kernels of this file take slices of any length, and dst may be src.

// Add computes
//
//	dst[i] += src[i]
func (o Ops) Add(dst, src []float32) {
	checkLength("src", len(src), len(dst))
	done := o.parts(len(dst), func(at, n int) { addAVX2(&dst[at], &src[at], n) })
	addGeneric(dst[done:], src[done:])
}

// Axpy computes
//
//	dst[i] += a * src[i] // two roundings
func (o Ops) Axpy(dst []float32, a float32, src []float32) {
	checkLength("src", len(src), len(dst))
	done := o.parts(len(dst), func(at, n int) { axpyAVX2(&dst[at], &src[at], n, a) })
	axpyGeneric(dst[done:], a, src[done:])
}

// Scale computes
//
//	dst[i] *= a
func (o Ops) Scale(dst []float32, a float32) {
	done := o.parts(len(dst), func(at, n int) { scaleAVX2(&dst[at], n, a) })
	scaleGeneric(dst[done:], a)
}

// ReLU computes
//
//	dst[i] = max(0, src[i]) // NaN stays NaN, and −0 stays −0
func (o Ops) ReLU(dst, src []float32) {
	checkLength("src", len(src), len(dst))
	done := o.parts(len(dst), func(at, n int) { reluAVX2(&dst[at], &src[at], n) })
	reluGeneric(dst[done:], src[done:])
}

// ReLUGrad computes
//
//	if !(mask[i] > 0) {
//		dst[i] = 0
//	}
func (o Ops) ReLUGrad(dst, mask []float32) {
	checkLength("mask", len(mask), len(dst))
	done := o.parts(len(dst), func(at, n int) { reluGradAVX2(&dst[at], &mask[at], n) })
	reluGradGeneric(dst[done:], mask[done:])
}

// AdamW are the numbers of one step of AdamW (Loshchilov and Hutter 2019,
// algorithm 2): with learning rate η, weight decay λ and step number t,
//
//	Decay = 1 − η·λ
//	Step  = η / (1 − β₁ᵗ)
//	Root  = 1 / √(1 − β₂ᵗ)
type AdamW struct {
	Decay, Step, Root  float32
	Beta1, Beta2       float32
	OneLess1, OneLess2 float32 // 1 − β₁ and 1 − β₂, as rounded by the caller
	Epsilon            float32
	GradScale          float32 // multiplies the gradient first: 1, or what clips its norm
}

// AdamW updates weights w with their gradients g and moments m and v, each
// operation being rounded:
//
//	x := GradScale * g[i]
//	m[i] = Beta1*m[i] + OneLess1*x
//	v[i] = Beta2*v[i] + OneLess2*x*x // OneLess2*(x*x)
//	w[i] = Decay*w[i] - Step*m[i]/(Root*sqrt(v[i])+Epsilon)
func (o Ops) AdamW(w, m, v, g []float32, step *AdamW) {
	checkLength("m", len(m), len(w))
	checkLength("v", len(v), len(w))
	checkLength("g", len(g), len(w))
	done := o.parts(len(w), func(at, n int) {
		adamWAVX2(&w[at], &m[at], &v[at], &g[at], n,
			step.Decay, step.Step, step.Root, step.Beta1, step.Beta2, step.OneLess1, step.OneLess2, step.Epsilon, step.GradScale)
	})
	adamWGeneric(w[done:], m[done:], v[done:], g[done:], step)
}

// Dot returns the sum of a[i]*b[i] in float64, where the products are exact.
// It is added up in 16 sums, of the places i that agree modulo 16, which are
// then folded in halves.
func (o Ops) Dot(a, b []float32) float64 {
	checkLength("b", len(b), len(a))
	var sums [Lane]float64
	done := o.parts(len(a), func(at, n int) { dotAVX2(&sums, &a[at], &b[at], n) })
	done += dotGeneric(&sums, a[done:], b[done:])
	for i := done; i < len(a); i++ {
		sums[i%Lane] += float64(a[i]) * float64(b[i])
	}
	for half := Lane / 2; half > 0; half /= 2 {
		for i := range half {
			sums[i] += sums[i+half]
		}
	}
	return sums[0]
}

// SumSquares returns Dot(a, a).
func (o Ops) SumSquares(a []float32) float64 { return o.Dot(a, a) }
