package index_test

import (
	"testing"

	"github.com/greedgraph/greed/index"
	"github.com/greedgraph/greed/index/indextest"
	"github.com/greedgraph/greed/norm"
)

func TestJoined(t *testing.T) {
	indextest.Quick(t, func(n norm.Norm, vectors []float32) (index.Index, error) {
		if n.Check() != nil {
			return index.NewFlat(n, vectors)
		}
		dim := n.Dim()
		count := len(vectors) / dim
		var parts []index.Index
		for _, at := range [][2]int{{0, count / 2}, {count / 2, count / 2}, {count / 2, count}} {
			part := vectors[at[0]*dim : at[1]*dim]
			x, err := builders()[[]string{"box", "flat", "flat"}[len(parts)]](n, part)
			if err != nil {
				return nil, err
			}
			parts = append(parts, x)
		}
		return index.Join(parts...), nil
	})
}

func TestJoinNorms(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	a, _ := index.NewFlat(norm.Single(norm.L1, 2, false), nil)
	b, _ := index.NewFlat(norm.Single(norm.L1, 2, true), nil)
	index.Join(a, b)
}
