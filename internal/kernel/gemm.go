package kernel

// Product describes C = A·B with what is done before and after, where A is
// [M, K], B is [K, N] and C is [M, N]; N is a multiple of [Lane].
type Product struct {
	M, N, K int

	C Matrix
	A Matrix
	// TransposeA says that A is stored as [K, M], as for the gradient of
	// weights, where K is the number of rows of a batch.
	TransposeA bool
	B          Matrix

	// Accumulate adds to what C holds. Otherwise each row starts from Bias,
	// [N], or from zero if Bias is nil. Both at once are refused.
	Accumulate bool
	Bias       []float32

	// ReLU ends with C = max(0, C), NaN staying NaN.
	ReLU bool
}

// Gemm computes
//
//	for i := range M {
//		for j := range N {
//			c := 0, Bias[j] or C[i,j]
//			for k := range K {
//				c += A[i,k] * B[k,j] // one rounding where the level has FMA, two where not
//			}
//			if ReLU && c < 0 {
//				c = 0
//			}
//			C[i,j] = c
//		}
//	}
//
// Every value of C is summed in the order of k from one accumulator. So at
// one level its bits depend on row i of A and column j of B alone: not on M,
// N or its place in the batch. Levels differ by the rounding of the products.
func (o Ops) Gemm(p *Product) {
	checkWidth(p.N)
	p.C.check("C", p.M, p.N)
	p.B.check("B", p.K, p.N)
	if p.TransposeA {
		p.A.check("A", p.K, p.M)
	} else {
		p.A.check("A", p.M, p.K)
	}
	if p.Bias != nil {
		if p.Accumulate {
			panic("kernel: Gemm with both Accumulate and Bias")
		}
		checkLength("Bias", len(p.Bias), p.N)
	}
	switch {
	case p.M == 0 || p.N == 0:
	case o.level == Generic || p.K == 0:
		gemmGeneric(p)
	default:
		p.gemm(o.level)
	}
}

// strides returns how far apart in A are neighbours in i and in k.
func (p *Product) strides() (row, col int) {
	if p.TransposeA {
		return 1, p.A.Stride
	}
	return p.A.Stride, 1
}

// The bits of flags of products.
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

// gemm is Gemm in assembly, for K > 0.
func (p *Product) gemm(level Level) {
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
