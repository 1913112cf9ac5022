//go:build !noasm

package kernel

// The bits of flags.
const (
	flagAccumulate = 1
	flagReLU       = 2
)

// gemmDepth is how many rows of B a panel takes at once, so that they and the
// rows of A stay in the first two levels of cache; C is stored and loaded in
// between. gemmHeight bounds the time in one call, which cannot be preempted.
const (
	gemmDepth  = 256
	gemmHeight = 1024
)

func gemm(level Level, p *Product) {
	if level == Generic || p.K == 0 {
		gemmGeneric(p)
		return
	}
	rs, cs := p.strides()
	for j, width := 0, 0; j < p.N; j += width {
		width = min(p.N-j, 4*Lane)
		if level == AVX2 {
			width = Lane
		}
		for k := 0; k < p.K; k += gemmDepth {
			depth := min(p.K-k, gemmDepth)
			flags := 0
			if k > 0 || p.Accumulate {
				flags |= flagAccumulate
			}
			last := k+depth == p.K
			if last && p.ReLU {
				flags |= flagReLU
			}
			var bias *float32
			if p.Bias != nil {
				bias = &p.Bias[j]
			}
			for i := 0; i < p.M; i += gemmHeight {
				height := min(p.M-i, gemmHeight)
				c, a, b := &p.C.Data[i*p.C.Stride+j], &p.A.Data[i*rs+k*cs], &p.B.Data[k*p.B.Stride+j]
				gemmPanel(level, width, c, a, b, bias, p.C.Stride, rs, cs, p.B.Stride, height, depth, flags)
			}
		}
	}
}

func gemmPanel(level Level, width int, c, a, b, bias *float32, ldc, rs, cs, ldb, m, k, flags int) {
	switch {
	case level == AVX2:
		gemm16AVX2(c, a, b, bias, ldc, rs, cs, ldb, m, k, flags)
	case width == 4*Lane:
		gemm64AVX512(c, a, b, bias, ldc, rs, cs, ldb, m, k, flags)
	case width == 3*Lane:
		gemm48AVX512(c, a, b, bias, ldc, rs, cs, ldb, m, k, flags)
	case width == 2*Lane:
		gemm32AVX512(c, a, b, bias, ldc, rs, cs, ldb, m, k, flags)
	default:
		gemm16AVX512(c, a, b, bias, ldc, rs, cs, ldb, m, k, flags)
	}
}
