package vectorindex_test

import (
	"testing"

	"github.com/greedgraph/greed/vectorindex"
)

// TestSplitPoint: a range is split between the largest cells, frames or nodes that are smaller than it, and its first
// part has as many of these as the second, or one more.
func TestSplitPoint(t *testing.T) {
	const cell = vectorindex.CellVectors
	units := []int{cell, cell * vectorindex.FrameCells}
	for node := cell * vectorindex.NodeBoxes; node < 1<<22; node *= vectorindex.NodeBoxes {
		units = append(units, node)
	}
	for _, near := range units {
		for times := 1; times < 8; times++ {
			for n := near*times - 1; n <= near*times+1; n++ {
				if n <= cell {
					continue
				}
				unit := 0
				for _, u := range units {
					if u < n {
						unit = max(unit, u)
					}
				}
				at := vectorindex.SplitPoint(n)
				first, second := at/unit, (n-at+unit-1)/unit
				if at%unit != 0 || at >= n || first-second < 0 || first-second > 1 {
					t.Fatalf("%d vectors are split at %d: %d and %d units of %d", n, at, first, second, unit)
				}
			}
		}
	}
}
