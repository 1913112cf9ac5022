package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// gemmScalar is the loop of the doc comment, in float64 without the rounding
// of single steps, and with a bound of the error of each value.
func gemmScalar(p *Product, c []float32) (want, slack []float64) {
	want, slack = make([]float64, p.M*p.N), make([]float64, p.M*p.N)
	rs, cs := p.strides()
	for i := range p.M {
		for j := range p.N {
			s := 0.0
			switch {
			case p.Accumulate:
				s = float64(c[i*p.C.Stride+j])
			case p.Bias != nil:
				s = float64(p.Bias[j])
			}
			size := math.Abs(s)
			for k := range p.K {
				x := float64(p.A.Data[i*rs+k*cs]) * float64(p.B.Data[k*p.B.Stride+j])
				s += x
				size += math.Abs(x)
			}
			if p.ReLU && s < 0 {
				s = 0
			}
			want[i*p.N+j], slack[i*p.N+j] = s, size*float64(p.K+2)*0x1p-23
		}
	}
	return want, slack
}

func TestGemmScalar(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, level := range Levels() {
		t.Run("level="+level.String(), func(t *testing.T) {
			for m := 0; m <= 13; m++ {
				for n := 0; n <= 8*Lane; n += Lane {
					for _, k := range []int{0, 1, 2, 7, 64, 300} {
						p := randomProduct(rng, m, n, k)
						checkProduct(t, At(level), p)
					}
				}
			}
		})
	}
}

// randomProduct returns a product with random sizes of strides, start and end.
func randomProduct(rng *rand.Rand, m, n, k int) *Product {
	p := &Product{M: m, N: n, K: k, TransposeA: rng.IntN(2) == 0}
	p.C = randomMatrix(rng, m, n)
	p.A = randomMatrix(rng, m, k)
	if p.TransposeA {
		p.A = randomMatrix(rng, k, m)
	}
	p.B = randomMatrix(rng, k, n)
	switch rng.IntN(3) {
	case 0:
		p.Accumulate = true
	case 1:
		p.Bias = randomValues(rng, n)
	}
	p.ReLU = rng.IntN(2) == 0
	return p
}

func checkProduct(t *testing.T, o Ops, p *Product) {
	t.Helper()
	before := append([]float32(nil), p.C.Data...)
	want, slack := gemmScalar(p, before)
	o.Gemm(p)
	for at, got := range p.C.Data {
		i, j := at/p.C.Stride, at%p.C.Stride
		if i >= p.M || j >= p.N {
			if got != before[at] {
				t.Fatalf("%s: value %d outside C changed", describe(p), at)
			}
			continue
		}
		w := want[i*p.N+j]
		if d := math.Abs(float64(got) - w); !(d <= slack[i*p.N+j]) {
			t.Fatalf("%s: C[%d,%d] = %g, want %g ± %g", describe(p), i, j, got, w, slack[i*p.N+j])
		}
	}
}

func describe(p *Product) string {
	return fmt.Sprintf("m=%d n=%d k=%d transposed=%t accumulate=%t bias=%t relu=%t",
		p.M, p.N, p.K, p.TransposeA, p.Accumulate, p.Bias != nil, p.ReLU)
}

// TestGemmRowsAlone checks that a row of C has the same bits computed alone,
// in any batch, in parts of its columns, and transposed or not.
func TestGemmRowsAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, level := range Levels() {
		o := At(level)
		for range 50 {
			m, n, k := 1+rng.IntN(40), Lane*(1+rng.IntN(6)), rng.IntN(700)
			a, b := randomMatrix(rng, m, k), randomMatrix(rng, k, n)
			whole := Matrix{make([]float32, m*n), n}
			o.Gemm(&Product{M: m, N: n, K: k, C: whole, A: a, B: b})
			i, j := rng.IntN(m), Lane*rng.IntN(n/Lane)
			one := Matrix{make([]float32, Lane), Lane}
			at := Matrix{make([]float32, k*3), 3}
			for l := range k {
				at.Data[l*3] = a.Data[i*a.Stride+l]
			}
			part := b
			if k > 0 {
				part.Data = b.Data[j:]
			}
			o.Gemm(&Product{M: 1, N: Lane, K: k, C: one, A: at, TransposeA: true, B: part})
			for l, got := range one.Data {
				if want := whole.Data[i*n+j+l]; math.Float32bits(got) != math.Float32bits(want) {
					t.Fatalf("level %v, m=%d n=%d k=%d: C[%d,%d] = %v alone, %v in the batch", level, m, n, k, i, j+l, got, want)
				}
			}
		}
	}
}

func TestGemmNaN(t *testing.T) {
	nan := float32(math.NaN())
	inf := float32(math.Inf(1))
	for _, level := range Levels() {
		c := Matrix{make([]float32, Lane), Lane}
		b := Matrix{make([]float32, 2*Lane), Lane}
		b.Data[0], b.Data[1], b.Data[Lane+1], b.Data[2] = nan, inf, -inf, -inf
		At(level).Gemm(&Product{M: 1, N: Lane, K: 2, C: c, A: Matrix{[]float32{1, 1}, 2}, B: b, ReLU: true})
		if c.Data[0] == c.Data[0] || c.Data[1] == c.Data[1] || c.Data[2] != 0 {
			t.Errorf("level %v: got %v, want NaN, NaN, 0", level, c.Data[:3])
		}
	}
}

func BenchmarkGemm(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, shape := range []struct {
		m, n, k   int
		transpose bool
	}{{1, 64, 64, false}, {9, 64, 64, false}, {64, 64, 64, false}, {512, 64, 64, false}, {4096, 64, 64, false}, {512, 128, 128, false}, {512, 64, 576, false}, {64, 64, 4096, true}, {512, 16, 64, false}} {
		for _, level := range Levels() {
			b.Run(fmt.Sprintf("m=%d/n=%d/k=%d/level=%v", shape.m, shape.n, shape.k, level), func(b *testing.B) {
				p := &Product{M: shape.m, N: shape.n, K: shape.k, TransposeA: shape.transpose}
				p.C = Matrix{make([]float32, p.M*p.N), p.N}
				p.A = Matrix{randomValues(rng, p.M*p.K), p.K}
				if p.TransposeA {
					p.A.Stride = p.M
				}
				p.B = Matrix{randomValues(rng, p.K*p.N), p.N}
				o := At(level)
				for b.Loop() {
					o.Gemm(p)
				}
				flops := 2 * float64(p.M) * float64(p.N) * float64(p.K)
				b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
