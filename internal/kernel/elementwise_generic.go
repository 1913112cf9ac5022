package kernel

import "math"

func addGeneric(dst, src []float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] += src[i]
	}
}

func axpyGeneric(dst []float32, a float32, src []float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] += float32(a * src[i])
	}
}

func scaleGeneric(dst []float32, a float32) {
	for i := range dst {
		dst[i] *= a
	}
}

func reluGeneric(dst, src []float32) {
	src = src[:len(dst)]
	for i, v := range src {
		dst[i] = positive(v)
	}
}

// positive returns max(0, v), and v if it is NaN or −0. Working on the bits
// lets the compiler do without a branch, which would often be guessed wrong.
func positive(v float32) float32 {
	bits := math.Float32bits(v)
	if v < 0 {
		bits = 0
	}
	return math.Float32frombits(bits)
}

// where returns v if mask > 0 and 0 if not.
func where(v, mask float32) float32 {
	bits := math.Float32bits(v)
	if !(mask > 0) {
		bits = 0
	}
	return math.Float32frombits(bits)
}

func reluGradGeneric(dst, mask []float32) {
	mask = mask[:len(dst)]
	for i := range dst {
		dst[i] = where(dst[i], mask[i])
	}
}

func adamWGeneric(w, m, v, g []float32, s *AdamW) {
	m, v, g = m[:len(w)], v[:len(w)], g[:len(w)]
	for i := range w {
		x := float32(s.GradScale * g[i])
		m[i] = float32(s.Beta1*m[i]) + float32(s.OneLess1*x)
		v[i] = float32(s.Beta2*v[i]) + float32(s.OneLess2*float32(x*x))
		root := float32(math.Sqrt(float64(v[i])))
		w[i] = float32(s.Decay*w[i]) - float32(s.Step*m[i])/(float32(s.Root*root)+s.Epsilon)
	}
}

// dotGeneric adds to the sums the products of all whole lanes and returns how
// many values those are.
func dotGeneric(sums *[Lane]float64, a, b []float32) int {
	done := len(a) &^ (Lane - 1)
	for i := 0; i < done; i += Lane {
		x, y := a[i:i+Lane:i+Lane], b[i:i+Lane:i+Lane]
		for j := range sums {
			sums[j] += float64(x[j]) * float64(y[j])
		}
	}
	return done
}
