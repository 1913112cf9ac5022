package within

import (
	"github.com/greedgraph/greed/edit"
)

// counts are costs as whole multiples of a unit.
type counts struct {
	unit                            edit.Unit
	nodeInsert, nodeDelete, nodeSub int32
	edgeInsert, edgeDelete, edgeSub int32
}

// mostCount is the greatest cost of one edit.
const mostCount = 1 << 10

// count expresses the costs of p in the largest unit that divides them all, and reports whether they are supported;
// see [New].
func count(p *edit.Pricing) (counts, bool) {
	c := p.Costs()
	if c.Nodes != nil || c.Edges != nil {
		return counts{}, false
	}
	if p.Task() == edit.SED {
		c.NodeInsert, c.EdgeInsert = 0, 0
	}
	x := counts{unit: p.Unit(0)}
	if !x.unit.Exact() {
		return counts{}, false
	}
	for _, f := range []struct {
		to   *int32
		cost float64
	}{
		{&x.nodeInsert, c.NodeInsert}, {&x.nodeDelete, c.NodeDelete}, {&x.nodeSub, c.NodeSubstitute},
		{&x.edgeInsert, c.EdgeInsert}, {&x.edgeDelete, c.EdgeDelete}, {&x.edgeSub, c.EdgeSubstitute},
	} {
		count := x.unit.Count(f.cost)
		if count > mostCount {
			return counts{}, false
		}
		*f.to = int32(count)
	}
	return x, x.nodeSub <= x.nodeInsert+x.nodeDelete && x.edgeSub <= x.edgeInsert+x.edgeDelete
}

// atMost returns the greatest count that costs at most tau.
func (c *counts) atMost(tau float64) int32 { return int32(min(c.unit.Within(tau), 1<<20)) }

// real returns the cost of a count.
func (c *counts) real(count int32) float64 { return c.unit.Cost(float64(count)) }
