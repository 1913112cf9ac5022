package within

import (
	"math"

	"github.com/greedgraph/greed/edit"
)

// counts are costs as whole multiples of a unit.
type counts struct {
	perOne                          float64
	nodeInsert, nodeDelete, nodeSub int32
	edgeInsert, edgeDelete, edgeSub int32
}

// mostCount is the greatest cost of one edit.
const mostCount = 1 << 10

// count expresses the costs of p in the largest unit of a list that divides them all,
// and reports whether they are supported; see [New].
func count(p *edit.Pricing) (counts, bool) {
	c := p.Costs()
	if c.Nodes != nil || c.Edges != nil {
		return counts{}, false
	}
	if p.Task() == edit.SED {
		c.NodeInsert, c.EdgeInsert = 0, 0
	}
	for _, perOne := range []float64{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 32, 40, 64, 100} {
		x := counts{perOne: perOne}
		whole := true
		for _, f := range []struct {
			to   *int32
			cost float64
		}{
			{&x.nodeInsert, c.NodeInsert}, {&x.nodeDelete, c.NodeDelete}, {&x.nodeSub, c.NodeSubstitute},
			{&x.edgeInsert, c.EdgeInsert}, {&x.edgeDelete, c.EdgeDelete}, {&x.edgeSub, c.EdgeSubstitute},
		} {
			y := f.cost * perOne
			whole = whole && y <= mostCount && math.Abs(y-math.Round(y)) <= 1e-12*y
			*f.to = int32(math.Round(min(y, mostCount)))
		}
		if whole {
			return x, x.nodeSub <= x.nodeInsert+x.nodeDelete && x.edgeSub <= x.edgeInsert+x.edgeDelete
		}
	}
	return counts{}, false
}

// atMost returns the greatest count that costs at most tau, allowing for the rounding of
// decimal fractions.
func (c *counts) atMost(tau float64) int32 {
	return int32(math.Floor(min(tau*c.perOne*(1+1e-12)+1e-9, 1<<20)))
}

// real returns the cost of a count.
func (c *counts) real(count int32) float64 { return float64(count) / c.perOne }
