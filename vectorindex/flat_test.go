package vectorindex_test

import (
	"testing"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/vectorindex"
	"github.com/greedgraph/greed/vectorindex/indextest"
)

func TestFlat(t *testing.T) {
	for _, level := range kernel.Levels() {
		t.Run("level="+level.String(), func(t *testing.T) {
			if testing.Short() && level != kernel.Best().Level() {
				t.Skip("one level in short mode")
			}
			test := indextest.Quick
			if level == kernel.Best().Level() {
				test = indextest.Run
			}
			test(t, func(n norm.Norm, vectors []float32) (vectorindex.Index, error) {
				return vectorindex.NewFlatAt(n, vectors, level)
			})
		})
	}
}

func TestFlatVector(t *testing.T) {
	vectors := make([]float32, 3*40)
	for i := range vectors {
		vectors[i] = float32(i)
	}
	f, err := vectorindex.NewFlat(norm.Single(norm.L2, 3, false), vectors)
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
