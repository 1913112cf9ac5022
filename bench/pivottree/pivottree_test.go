package pivottree_test

import (
	"testing"

	"github.com/greedgraph/greed/bench/pivottree"
	"github.com/greedgraph/greed/index"
	"github.com/greedgraph/greed/index/indextest"
	"github.com/greedgraph/greed/norm"
)

func TestTree(t *testing.T) {
	run := indextest.Run
	if testing.Short() {
		run = indextest.Quick
	}
	run(t, func(n norm.Norm, vectors []float32) (index.Index, error) {
		return pivottree.New(n, vectors)
	})
}
