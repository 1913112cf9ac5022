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
		if v < 0 {
			v = 0
		}
		dst[i] = v
	}
}

func reluGradGeneric(dst, mask []float32) {
	mask = mask[:len(dst)]
	for i := range dst {
		if !(mask[i] > 0) {
			dst[i] = 0
		}
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
