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
	if p.M > 0 && p.N > 0 {
		gemm(o.level, p)
	}
}

// strides returns how far apart in A are neighbours in i and in k.
func (p *Product) strides() (row, col int) {
	if p.TransposeA {
		return 1, p.A.Stride
	}
	return p.A.Stride, 1
}
