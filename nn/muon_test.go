package nn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/internal/kernel"
)

// TestMuonStepIsNearlyOrthogonal: the first step of a matrix is a multiple of
// one with the singular vectors of the gradient and singular values near 1.
func TestMuonStepIsNearlyOrthogonal(t *testing.T) {
	for _, shape := range [][2]int{{16, 16}, {32, 16}, {16, 48}, {96, 16}, {256, 32}, {16, 64}} {
		rows, cols := shape[0], shape[1]
		var ps Params
		p := ps.Add("w", rows, cols)
		other := ps.Add("b", 1, cols)
		rng := rand.New(rand.NewPCG(1, uint64(rows)))
		grad := make([]float32, len(ps.Flat()))
		for i := range grad {
			grad[i] = float32(rng.NormFloat64())
		}
		before, g := slices.Clone(ps.Flat()), slices.Clone(grad)
		m := NewMuon(&ps, []*Param{p})
		m.Update(kernel.Best(), 0, ps.Flat(), grad, 1)
		if slices.ContainsFunc(p.Of(grad), func(x float32) bool { return x != 0 }) {
			t.Error("the gradient of the matrix was left")
		}
		if !slices.Equal(other.Of(grad), other.Of(g)) || !slices.Equal(other.Of(ps.Flat()), other.Of(before)) {
			t.Error("another parameter was touched")
		}
		// −step = UΣ'Vᵀ where the gradient is UΣVᵀ: its Gram matrix, of the
		// shorter side, has eigenvalues Σ'², and stepᵀ·gradient is symmetric.
		scale := muonScale * math.Sqrt(float64(max(rows, cols)))
		step := make([]float64, rows*cols)
		for i, w := range p.Of(ps.Flat()) {
			step[i] = -float64(w) / scale
		}
		trace, least := 0.0, math.Inf(1)
		for i := range rows {
			for j := range cols {
				trace += step[i*cols+j] * step[i*cols+j]
			}
		}
		short := float64(min(rows, cols))
		if trace < 0.5*short || trace > 1.5*short {
			t.Errorf("%d×%d: squares of singular values sum up to %g, want about %g", rows, cols, trace, short)
		}
		for range 20 { // a vector of the shorter side keeps its length, nearly
			least = min(least, stretch(rng, step, rows, cols))
		}
		if least < 0.3 {
			t.Errorf("%d×%d: a direction shrinks to %g", rows, cols, least)
		}
		if a := asymmetry(step, p.Of(g), rows, cols); a > 1e-3 {
			t.Errorf("%d×%d: other singular vectors than the gradient's, by %g", rows, cols, a)
		}
	}
}

// TestMuonOfWideMatrix moves every 64 columns of a wide matrix as a matrix of their own.
func TestMuonOfWideMatrix(t *testing.T) {
	const rows, cols = 32, 160
	var whole, apart Params
	wide := []*Param{whole.Add("w", rows, cols)}
	var parts []*Param
	for from := 0; from < cols; from += 64 {
		parts = append(parts, apart.Add(string(rune('a'+from/64)), rows, min(64, cols-from)))
	}
	grad, split := make([]float32, len(whole.Flat())), make([]float32, len(apart.Flat()))
	one, other := NewMuon(&whole, wide), NewMuon(&apart, parts)
	if one.Len() != len(parts) || other.Len() != len(parts) {
		t.Fatalf("%d and %d blocks, want %d", one.Len(), other.Len(), len(parts))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		for r := range rows {
			for c := range cols {
				x := float32(rng.NormFloat64())
				wide[0].Of(grad)[r*cols+c] = x
				p := parts[c/64]
				p.Of(split)[r*p.Cols+c%64] = x
			}
		}
		for i := range parts {
			one.Update(kernel.Best(), i, whole.Flat(), grad, 0.1)
			other.Update(kernel.Best(), i, apart.Flat(), split, 0.1)
		}
	}
	for r := range rows {
		for c := range cols {
			p := parts[c/64]
			if x, y := wide[0].Of(whole.Flat())[r*cols+c], p.Of(apart.Flat())[r*p.Cols+c%64]; x != y {
				t.Fatalf("row %d, column %d: %g, apart %g", r, c, x, y)
			}
		}
	}
}

// stretch returns how many times longer a random vector of the shorter side
// becomes.
func stretch(rng *rand.Rand, m []float64, rows, cols int) float64 {
	at := func(i, j int) float64 { return m[i*cols+j] }
	n, k := cols, rows
	if rows < cols {
		n, k = rows, cols
		at = func(i, j int) float64 { return m[j*cols+i] }
	}
	v, before := make([]float64, n), 0.0
	for j := range v {
		v[j] = rng.NormFloat64()
		before += v[j] * v[j]
	}
	after := 0.0
	for i := range k {
		sum := 0.0
		for j := range n {
			sum += at(i, j) * v[j]
		}
		after += sum * sum
	}
	return math.Sqrt(after / before)
}

// asymmetry returns how far stepᵀ·grad is from symmetric.
func asymmetry(step []float64, grad []float32, rows, cols int) float64 {
	product := func(i, j int) float64 {
		sum := 0.0
		for k := range rows {
			sum += step[k*cols+i] * float64(grad[k*cols+j])
		}
		return sum
	}
	most, size := 0.0, 0.0
	for i := range cols {
		for j := range i {
			most = max(most, math.Abs(product(i, j)-product(j, i)))
			size = max(size, math.Abs(product(i, j)))
		}
	}
	return most / size
}

// TestMuonWithoutGradient leaves a matrix alone whose gradient was always zero.
func TestMuonWithoutGradient(t *testing.T) {
	var ps Params
	p := ps.Add("w", 16, 16)
	ps.Value(p)[3] = 1
	m := NewMuon(&ps, []*Param{p})
	m.Update(kernel.Best(), 0, ps.Flat(), make([]float32, len(ps.Flat())), 1)
	if ps.Value(p)[3] != 1 || ps.Value(p)[4] != 0 {
		t.Error("the matrix changed")
	}
}

// TestMuonOfVanishingGradient: the average of past gradients of a matrix that has none any
// longer, because its units are dead, fades away and does no harm.
func TestMuonOfVanishingGradient(t *testing.T) {
	var ps Params
	p := ps.Add("w", 16, 16)
	m := NewMuon(&ps, []*Param{p})
	grad := make([]float32, len(ps.Flat()))
	grad[3], grad[20] = 1, 1e-6
	for step := range 5000 {
		m.Update(kernel.Best(), 0, ps.Flat(), grad, 1e-3)
		if err := ps.Check(); err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
	}
}

// TestLongMatrices: to multiply the factors first gives what to multiply the matrix does,
// also where singular values are a ten-thousandth of the greatest.
func TestLongMatrices(t *testing.T) {
	ops := kernel.Best()
	rng := rand.New(rand.NewPCG(3, 1))
	for _, shape := range [][2]int{{64, 576}, {1024, 64}, {128, 1024}} {
		m := make([]float32, shape[0]*shape[1])
		for i := range m {
			row, column := i/shape[1], i%shape[1]
			m[i] = float32(rng.NormFloat64() * math.Pow(10, -4*float64(row)/float64(shape[0])-4*float64(column)/float64(shape[1])))
		}
		fast := newOrthogonal(shape[0], shape[1])
		slow := newOrthogonal(shape[0], shape[1])
		slow.product = nil
		length := math.Sqrt(ops.SumSquares(m))
		var results [2][]float32
		for i, o := range []*orthogonal{&fast, &slow} {
			o.set(ops, m, float32(1/length))
			o.improve(ops)
			results[i] = slices.Clone(o.get())
		}
		difference := slices.Clone(results[0])
		ops.Axpy(difference, -1, results[1])
		if off := math.Sqrt(ops.SumSquares(difference) / ops.SumSquares(results[1])); off > 0.01 {
			t.Errorf("%v: %g off", shape, off)
		}
	}
}
