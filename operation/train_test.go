package operation_test

import (
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/operation"
)

// TestWidthsOfCounts: the readout of counts is wide, unless there are rounds of message passing
// or the width is given.
func TestWidthsOfCounts(t *testing.T) {
	for _, c := range []struct {
		counts, layers, hidden int
		wantLayers, wantHidden int
	}{
		{0, 0, 0, 8, 64},
		{0, 3, 32, 3, 32},
		{1024, 0, 0, 0, 256},
		{1024, 2, 0, 2, 64},
		{1024, 0, 128, 0, 128},
		{1024, 2, 128, 2, 128},
	} {
		r := operation.Train{Counts: c.counts, Layers: c.layers, Hidden: c.hidden}
		r.QueryLimits = []int{5, 25}
		r.Hops, r.MaxNodes = 2, 1000
		got, err := r.Recipe(operation.Measure{Task: edit.SED, Costs: edit.Uniform()}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Config.Layers != c.wantLayers || got.Config.Hidden != c.wantHidden {
			t.Errorf("%d counts, layers %d, hidden %d: %d layers of %d, want %d of %d", c.counts, c.layers, c.hidden, got.Config.Layers, got.Config.Hidden, c.wantLayers, c.wantHidden)
		}
	}
}
