package kernel

import (
	"math"
	"math/rand/v2"
)

// randomValues returns values of both signs and several sizes, at an offset
// that alternates between aligned and not.
func randomValues(rng *rand.Rand, n int) []float32 {
	off := rng.IntN(5)
	v := make([]float32, off+n)[off:]
	for i := range v {
		v[i] = float32(rng.NormFloat64() * math.Exp(rng.NormFloat64()))
	}
	return v
}

// randomMatrix returns a matrix with a random stride and with values beyond
// its columns, which serve as guards.
func randomMatrix(rng *rand.Rand, rows, cols int) Matrix {
	stride := cols + rng.IntN(5) + 1
	return Matrix{randomValues(rng, rows*stride), stride}
}
