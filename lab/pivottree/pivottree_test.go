package pivottree_test

import (
	"testing"

	"github.com/greedgraph/greed/lab/pivottree"
	"github.com/greedgraph/greed/lab/testing/indextest"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/vectorindex"
)

func TestTree(t *testing.T) {
	indextest.Quick(t, func(n norm.Norm, vectors []float32) (vectorindex.Index, error) {
		return pivottree.New(n, vectors)
	})
}
