package index_test

import (
	"testing"

	"github.com/greedgraph/greed/index"
	"github.com/greedgraph/greed/index/indextest"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
)

func TestBoxTree(t *testing.T) {
	for _, level := range kernel.Levels() {
		t.Run("level="+level.String(), func(t *testing.T) {
			test := indextest.Quick
			if level == kernel.Best().Level() {
				test = indextest.Run
			}
			test(t, func(n norm.Norm, vectors []float32) (index.Index, error) {
				return index.NewBoxTreeAt(n, vectors, level)
			})
		})
	}
}
