package eval_test

import (
	"slices"
	"testing"

	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/truth"
)

func TestPairs(t *testing.T) {
	once := truth.PairsOnce(2, 4)
	var at [][2]int32
	for _, p := range once {
		at = append(at, [2]int32{p.Query, p.Target})
	}
	if want := [][2]int32{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}; !slices.Equal(at, want) {
		t.Errorf("pairs %v, want %v", at, want)
	}
	if got, want := eval.Among(once, []int{1, 3}, []int{2, 0}), []truth.Pair{truth.NewPair(1, 2)}; !slices.Equal(got, want) || len(once) != 5 {
		t.Errorf("among %v, want %v", got, want)
	}
}
