package kernel

// The kernels of this file take slices of any length, and dst may be src.

// Add computes
//
//	dst[i] += src[i]
func (o Ops) Add(dst, src []float32) {
	checkLength("src", len(src), len(dst))
	add(o.level, dst, src)
}

// Axpy computes
//
//	dst[i] += a * src[i] // two roundings
func (o Ops) Axpy(dst []float32, a float32, src []float32) {
	checkLength("src", len(src), len(dst))
	axpy(o.level, dst, a, src)
}

// Scale computes
//
//	dst[i] *= a
func (o Ops) Scale(dst []float32, a float32) { scale(o.level, dst, a) }

// ReLU computes
//
//	dst[i] = max(0, src[i]) // NaN stays NaN, and −0 stays −0
func (o Ops) ReLU(dst, src []float32) {
	checkLength("src", len(src), len(dst))
	relu(o.level, dst, src)
}

// ReLUGrad computes
//
//	if !(mask[i] > 0) {
//		dst[i] = 0
//	}
func (o Ops) ReLUGrad(dst, mask []float32) {
	checkLength("mask", len(mask), len(dst))
	reluGrad(o.level, dst, mask)
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
	adamW(o.level, w, m, v, g, step)
}

// Dot returns the sum of a[i]*b[i] in float64, where the products are exact.
// It is added up in 16 sums, of the places i that agree modulo 16, which are
// then folded in halves.
func (o Ops) Dot(a, b []float32) float64 {
	checkLength("b", len(b), len(a))
	var sums [Lane]float64
	done := dot(o.level, &sums, a, b)
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
