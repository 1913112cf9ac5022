package vectorindex_test

import (
	"testing"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/lab/testing/indextest"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/vectorindex"
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
