package greed

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPlane: the directions of a plane are those in which vectors vary most, which are made to be two coordinates, and
// covariances are those of the definition.
func TestPlane(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 4))
	for _, dim := range []int{1, 2, 16, 65} {
		vectors := make([][]float32, 1000)
		for i := range vectors {
			for j := range dim {
				spread := 1.0
				switch j {
				case 0:
					spread = 20
				case dim - 1:
					spread = 9
				}
				vectors[i] = append(vectors[i], float32(100+spread*rng.NormFloat64()))
			}
		}
		row := func(i int) []float32 { return vectors[i] }
		mean, sums := covarianceOf(row, len(vectors))
		for i := range dim {
			for j := range dim {
				want, scale := 0.0, 0.0
				for _, v := range vectors {
					x := (float64(v[i]) - mean[i]) * (float64(v[j]) - mean[j])
					want, scale = want+x, scale+math.Abs(x)
				}
				if math.Abs(sums[i*dim+j]-want) > 1e-4*scale {
					t.Fatalf("dim %d: covariance of %d and %d: %v, want %v", dim, i, j, sums[i*dim+j], want)
				}
			}
		}
		p := new(Plane)
		p.fit(row, len(vectors))
		for k, along := range []int{0, dim - 1}[:min(dim, 2)] {
			for _, v := range vectors[:10] {
				want := float64(v[along]) - mean[along]
				if got := float64(p.Project(v)[k]); math.Abs(math.Abs(got)-math.Abs(want)) > 6 {
					t.Errorf("dim %d, direction %d: %v, want %v or its negative", dim, k, got, want)
				}
			}
		}
	}
	if xy := new(Plane).Project(make([]float32, 64)); xy != [2]float32{} {
		t.Errorf("without graphs: %v", xy)
	}
}
