package vectorindex_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/vectorindex"
)

// spread returns vectors, [n, dim], that vary mostly along a few directions
// around many centres, as embeddings of graphs do.
func spread(rng *rand.Rand, n, dim int) []float32 {
	const directions = 6
	basis := make([]float32, directions*dim)
	for i := range basis {
		basis[i] = float32(rng.NormFloat64())
	}
	var centres [500][directions]float64
	for i := range centres {
		for j := range directions {
			centres[i][j] = rng.NormFloat64()
		}
	}
	vectors := make([]float32, n*dim)
	var near [directions]float64
	for v := range n {
		centre := &centres[rng.IntN(len(centres))]
		for j := range near {
			near[j] = centre[j] + 0.2*rng.NormFloat64()
		}
		for i := range dim {
			x := 0.02 * rng.NormFloat64()
			for j := range near {
				x += near[j] * float64(basis[j*dim+i])
			}
			vectors[v*dim+i] = float32(x)
		}
	}
	return vectors
}

func builders() map[string]func(norm.Norm, []float32) (vectorindex.Index, error) {
	return map[string]func(norm.Norm, []float32) (vectorindex.Index, error){
		"flat": func(n norm.Norm, v []float32) (vectorindex.Index, error) { return vectorindex.NewFlat(n, v) },
		"box":  func(n norm.Norm, v []float32) (vectorindex.Index, error) { return vectorindex.NewBoxTree(n, v) },
	}
}

// TestLarge compares the trees with the scan where they are several levels
// high.
func TestLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, shape := range []struct{ n, dim int }{{2049, 9}, {10_000, 12}, {140_000, 3}} {
		vectors := spread(rng, shape.n, shape.dim)
		for _, hinge := range []bool{false, true} {
			n := norm.Norm{Widths: []int{1, shape.dim - 1}, Kind: norm.L1, Combine: norm.Sum, Hinge: hinge}
			var queries []vectorindex.Query
			for i := range 4 {
				q := slices.Clone(vectors[i*13*shape.dim:][:shape.dim])
				q[i%shape.dim] += float32(i) / 4
				queries = append(queries, vectorindex.Query{Vector: q})
			}
			var want [][]vectorindex.Result
			for _, name := range []string{"flat", "box"} {
				x, err := builders()[name](n, vectors)
				if err != nil {
					t.Fatal(err)
				}
				got := ask(t, x, queries)
				if name == "flat" {
					want = got
				}
				for i := range want {
					for j := range queries {
						if !slices.Equal(got[i][j].Hits, want[i][j].Hits) {
							t.Fatalf("n=%d hinge=%t: %s differs from the scan in answer %d to query %d", shape.n, hinge, name, i, j)
						}
					}
				}
				if err := x.Check(); err != nil {
					t.Errorf("n=%d hinge=%t: %v", shape.n, hinge, err)
				}
			}
		}
	}
}

func ask(t *testing.T, x vectorindex.Index, queries []vectorindex.Query) [][]vectorindex.Result {
	t.Helper()
	var all [][]vectorindex.Result
	for _, k := range []int{1, 10, 500} {
		r, err := x.KNN(context.Background(), queries, k)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	for _, theta := range []float64{0, 0.5, 2} {
		r, err := x.Range(context.Background(), queries, theta)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

func BenchmarkIndex(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n, dim = 200_000, 64
	vectors := spread(rng, n+50, dim)
	vectors, queries := vectors[:n*dim], vectors[n*dim:]
	for _, hinge := range []bool{false, true} {
		for _, name := range []string{"flat", "box"} {
			distance := norm.Single(norm.L1, dim, hinge)
			x, err := builders()[name](distance, vectors)
			if err != nil {
				b.Fatal(err)
			}
			var batch []vectorindex.Query
			for i := range 50 {
				batch = append(batch, vectorindex.Query{Vector: queries[i*dim : (i+1)*dim]})
			}
			b.Run(fmt.Sprintf("KNN/k=10/dim=%d/n=%d/hinge=%t/index=%s", dim, n, hinge, name), func(b *testing.B) {
				asked := 0
				for b.Loop() {
					if _, err := x.KNN(context.Background(), batch[asked%50:asked%50+1], 10); err != nil {
						b.Fatal(err)
					}
					asked++
				}
			})
			b.Run(fmt.Sprintf("KNN/k=10/batch=50/dim=%d/n=%d/hinge=%t/index=%s", dim, n, hinge, name), func(b *testing.B) {
				for b.Loop() {
					if _, err := x.KNN(context.Background(), batch, 10); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(batch)), "µs/query")
			})
		}
	}
}
