package train

import (
	"testing"

	"github.com/greedgraph/greed/edit"
)

// TestGoalAnswersRanges: whatever the prediction within the goal of an exact distance, it is on the
// same side of every radius that distances can have as the distance is.
func TestGoalAnswersRanges(t *testing.T) {
	tens := edit.Uniform()
	tens.NodeInsert, tens.NodeDelete, tens.NodeSubstitute = 10, 10, 20
	tens.EdgeInsert, tens.EdgeDelete, tens.EdgeSubstitute = 10, 10, 10
	halves := edit.Uniform()
	halves.NodeSubstitute = 1.5
	for name, test := range map[string]struct {
		costs edit.Costs
		step  float32
	}{"unit": {edit.Uniform(), 1}, "tens": {tens, 10}, "halves": {halves, 0.5}} {
		n := NewNear(test.costs, 20)
		for k := range 40 {
			d := float32(k) * test.step
			low, high, weight := n.Goal(d, d)
			if !(low <= high && high <= d && weight >= 1) || k > 0 && low <= d-test.step {
				t.Errorf("%s: the goal of %v is %v to %v, weight %v", name, d, low, high, weight)
			}
			if k > 1 && (low != d || high != d) {
				t.Errorf("%s: the goal of %v is %v to %v: only the nearest pairs have slack", name, d, low, high)
			}
		}
	}
}

// TestNothingIsNear: without a weight, costs that count, or a step, pairs count as in the paper or keep
// their bounds.
func TestNothingIsNear(t *testing.T) {
	odd := edit.Uniform()
	odd.NodeSubstitute = 0.1234567891
	for name, n := range map[string]Near{"no weight": NewNear(edit.Uniform(), 0), "no step": NewNear(odd, 20)} {
		if low, high, weight := n.Goal(2, 2); low != 2 || high != 2 || (weight > 1) != (name == "no step") {
			t.Errorf("%s: %v to %v, weight %v", name, low, high, weight)
		}
	}
	if low, high, _ := NewNear(edit.Uniform(), 20).Goal(2, 3); low != 2 || high != 3 {
		t.Errorf("bounds 2 to 3 became %v to %v", low, high)
	}
}
