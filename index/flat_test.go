package index_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/index"
	"github.com/greedgraph/greed/index/indextest"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
)

func TestFlat(t *testing.T) {
	for _, level := range kernel.Levels() {
		t.Run("level="+level.String(), func(t *testing.T) {
			test := indextest.Quick
			if level == kernel.Best().Level() {
				test = indextest.Run
			}
			test(t, func(n norm.Norm, vectors []float32) (index.Index, error) {
				return index.NewFlatAt(n, vectors, level)
			})
		})
	}
}

func TestFlatVector(t *testing.T) {
	vectors := make([]float32, 3*40)
	for i := range vectors {
		vectors[i] = float32(i)
	}
	f, err := index.NewFlat(norm.Single(norm.L2, 3, false), vectors)
	if err != nil {
		t.Fatal(err)
	}
	for p := range 40 {
		got := make([]float32, 3)
		f.Vector(got, p)
		for i, x := range got {
			if x != vectors[p*3+i] {
				t.Fatalf("vector %d is %v", p, got)
			}
		}
	}
}

func BenchmarkFlat(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n, dim = 100_000, 64
	vectors := make([]float32, n*dim)
	for i := range vectors {
		vectors[i] = float32(rng.NormFloat64())
	}
	for _, hinge := range []bool{false, true} {
		f, err := index.NewFlat(norm.Single(norm.L2, dim, hinge), vectors)
		if err != nil {
			b.Fatal(err)
		}
		for _, batch := range []int{1, 50} {
			b.Run(fmt.Sprintf("KNN/dim=%d/n=%d/hinge=%t/batch=%d", dim, n, hinge, batch), func(b *testing.B) {
				queries := make([]index.Query, batch)
				for i := range queries {
					queries[i].Vector = make([]float32, dim)
					for j := range dim {
						queries[i].Vector[j] = float32(rng.NormFloat64())
					}
				}
				for b.Loop() {
					if _, err := f.KNN(context.Background(), queries, 10); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch*n), "ns/vector")
			})
		}
	}
}
