//go:build !noasm

package kernel

// Each kernel treats whole lanes in assembly, in parts of bounded length
// because assembly cannot be preempted, and the rest in Go.
const elementwisePart = 1 << 16

// parts calls f for parts of [0, n) that are whole lanes and returns where
// they end.
func parts(level Level, n int, f func(from, n int)) int {
	if level == Generic {
		return 0
	}
	end := n &^ (Lane - 1)
	for at := 0; at < end; at += elementwisePart {
		f(at, min(end-at, elementwisePart))
	}
	return end
}

func add(level Level, dst, src []float32) {
	done := parts(level, len(dst), func(at, n int) {
		addAVX2(&dst[at], &src[at], n)
	})
	addGeneric(dst[done:], src[done:])
}

func axpy(level Level, dst []float32, a float32, src []float32) {
	done := parts(level, len(dst), func(at, n int) {
		axpyAVX2(&dst[at], &src[at], n, a)
	})
	axpyGeneric(dst[done:], a, src[done:])
}

func scale(level Level, dst []float32, a float32) {
	done := parts(level, len(dst), func(at, n int) {
		scaleAVX2(&dst[at], n, a)
	})
	scaleGeneric(dst[done:], a)
}

func relu(level Level, dst, src []float32) {
	done := parts(level, len(dst), func(at, n int) {
		reluAVX2(&dst[at], &src[at], n)
	})
	reluGeneric(dst[done:], src[done:])
}

func reluGrad(level Level, dst, mask []float32) {
	done := parts(level, len(dst), func(at, n int) {
		reluGradAVX2(&dst[at], &mask[at], n)
	})
	reluGradGeneric(dst[done:], mask[done:])
}

func adamW(level Level, w, m, v, g []float32, s *AdamW) {
	done := parts(level, len(w), func(at, n int) {
		adamWAVX2(&w[at], &m[at], &v[at], &g[at], n, s.Decay, s.Step, s.Root, s.Beta1, s.Beta2, s.OneLess1, s.OneLess2, s.Epsilon, s.GradScale)
	})
	adamWGeneric(w[done:], m[done:], v[done:], g[done:], s)
}

func dot(level Level, sums *[Lane]float64, a, b []float32) int {
	if level == Generic {
		return dotGeneric(sums, a, b)
	}
	return parts(level, len(a), func(at, n int) {
		dotAVX2(sums, &a[at], &b[at], n)
	})
}
