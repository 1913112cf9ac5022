package vectorindex_test

import (
	"testing"

	"github.com/greedgraph/greed/lab/testing/indextest"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/vectorindex"
)

func TestJoined(t *testing.T) {
	indextest.Quick(t, func(n norm.Norm, vectors []float32) (vectorindex.Index, error) {
		if n.Check() != nil {
			return vectorindex.NewFlat(n, vectors)
		}
		dim := n.Dim()
		count := len(vectors) / dim
		var parts []vectorindex.Index
		for _, at := range [][2]int{{0, count / 2}, {count / 2, count / 2}, {count / 2, count}} {
			part := vectors[at[0]*dim : at[1]*dim]
			x, err := builders()[[]string{"box", "flat", "flat"}[len(parts)]](n, part)
			if err != nil {
				return nil, err
			}
			parts = append(parts, x)
		}
		return vectorindex.Join(parts...), nil
	})
}

func TestJoinNorms(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	a, _ := vectorindex.NewFlat(norm.Single(norm.L1, 2, false), nil)
	b, _ := vectorindex.NewFlat(norm.Single(norm.L1, 2, true), nil)
	vectorindex.Join(a, b)
}
