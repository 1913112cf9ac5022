package method

import (
	"math"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/screen"
)

// TestScreenIsBranchFast: the bound by branches that searches screen with is the published
// one of real molecules, which is written apart from it.
func TestScreenIsBranchFast(t *testing.T) {
	graphs, _ := load(t, "aids700nef")
	var sheet screen.Sheet
	sheet.Append(graphs...)
	fast := methodNamed(t, "branch-fast")
	for _, costs := range []edit.Costs{edit.Uniform(), edit.Uniform().IgnoreEdgeLabels()} {
		p, err := edit.Price(edit.GED, costs)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range graphs[:12] {
			x := sheet.Query(p, q)
			for i, g := range graphs {
				want := pairOf(p, q, g).compute(t, fast, ged.Options{}).Lower
				if got := x.Branches(i, math.Inf(1)); got != want {
					t.Fatalf("target %d: screening bounds by %v, BRANCH-FAST by %v", i, got, want)
				}
			}
		}
	}
}
