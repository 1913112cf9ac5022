package published

import (
	"math"
	"testing"

	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/truth"
)

// TestRangeF1: a pair at the radius is relevant for precision and not for recall.
func TestRangeF1(t *testing.T) {
	in := eval.Input{
		Pairs:     []truth.Pair{{Lower: 1, Upper: 1}, {Lower: 2, Upper: 2}, {Lower: 2, Upper: 4}, {Lower: 9, Upper: 20}},
		Predicted: []float64{0.5, 1.5, 3, 1},
	}
	// At 10 % of 20, the radius 2, three are predicted. Two of them are right, and the first is the only one to find.
	const want = 2 * (2. / 3) / (2./3 + 1)
	got := RangeF1(in)
	if len(got) != 5 || math.Abs(float64(got[2])-want) > 1e-12 {
		t.Errorf("%v, want %v at 10 %%", got, want)
	}
	in.Predicted = []float64{9, 9, 9, 9}
	if got := RangeF1(in); got[2] != 0 || !math.IsNaN(float64(got[0])) {
		t.Errorf("%v for nothing found", got)
	}
}
