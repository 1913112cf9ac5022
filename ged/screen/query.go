package screen

import (
	"math"
	"math/bits"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
)

// Query computes bounds of the distances from one graph to those of a sheet. It is not safe
// for concurrent use.
type Query struct {
	sheet        *Sheet
	ops          kernel.Ops
	sed          bool
	directed     bool
	unit         edit.Unit
	nodes, edges floor
	counts       []uint8
	widths       []int
	use          [8]uint8  // which differences of counts cost anything, for FewEdits
	cheapest     float64   // the least cost of an edit among those
	over, under  [][]uint8 // by level of the tree: what one block gave
	branches     branchQuery
	touched      int
}

// Query returns a query for the task and costs of p. The graphs of s and q must share a
// vocabulary. Bounds for graphs that are directed where q is not, or the other way round, are
// meaningless.
func (s *Sheet) Query(p *edit.Pricing, q *graph.Graph) *Query {
	c, u := p.Costs(), p.Unit(edit.MostElements)
	x := &Query{
		sheet: s, ops: kernel.Best(), sed: p.Task() == edit.SED, unit: u,
		nodes:    floorOf(u, c.NodeInsert, c.NodeDelete, c.NodeSubstitute, c.Nodes),
		edges:    floorOf(u, c.EdgeInsert, c.EdgeDelete, c.EdgeSubstitute, c.Edges),
		directed: q.Directed(),
		widths:   widths(),
		counts:   make([]uint8, width),
	}
	x.setUse()
	count(x.counts, q, x.sed)
	x.branches = newBranchQuery(p, u, q, s)
	levels := 1
	if s.tree != nil {
		levels = len(s.tree.levels)
	}
	for range levels {
		x.over = append(x.over, make([]uint8, len(x.widths)*kernel.CountLane))
		x.under = append(x.under, make([]uint8, len(x.widths)*kernel.CountLane))
	}
	return x
}

// setUse determines which differences of counts cost something: a surplus node or end of an
// edge takes a deletion, a surplus label a deletion or a substitution.
func (x *Query) setUse() {
	x.cheapest = math.Inf(1)
	for side := range 2 {
		nodes, edges := x.nodes.delete, x.edges.delete
		if side == 1 {
			if x.sed { // insertion is free
				break
			}
			nodes, edges = x.nodes.insert, x.edges.insert
		}
		for group, cost := range []float64{nodes, min(nodes, x.nodes.substitute), min(edges, x.edges.substitute),
			edges} {
			if cost > 0 {
				x.use[4*side+group] = 255
				x.cheapest = min(x.cheapest, cost)
			}
		}
	}
}

// Range calls visit for every graph whose distance may be within the radius according to the
// counts, with the bound that they give.
func (x *Query) Range(radius float64, visit func(position int, lower float64)) {
	most := float64(x.unit.Within(radius))
	report := func(position int, count float64) { visit(position, x.unit.Cost(count)) }
	s := x.sheet
	first := s.tree.len()
	if first > 0 {
		x.descend(len(s.tree.levels)-1, 0, most, report)
	}
	for b, block := range s.tail {
		from := first + b*kernel.CountLane
		lanes := min(kernel.CountLane, s.n-from)
		x.touched += lanes
		x.compare(0, block, block, lanes, most, func(v int, lower float64) { report(from+v, lower) })
	}
}

// Touched returns the number of graphs compared with the query so far; the others were
// excluded by the boxes around them.
func (x *Query) Touched() int { return x.touched }

// descend visits block b of a level of the tree.
func (x *Query) descend(level, b int, most float64, visit func(position int, lower float64)) {
	t := x.sheet.tree
	l := &t.levels[level]
	lanes := min(kernel.CountLane, l.count-b*kernel.CountLane)
	from := b * kernel.CountLane
	next := func(v int, lower float64) { x.descend(level-1, from+v, most, visit) }
	if level == 0 {
		x.touched += lanes
		next = func(v int, lower float64) { visit(int(t.order[from+v]), lower) }
	}
	x.compare(level, l.block(l.low, b), l.block(l.high, b), lanes, most, next)
}

// compare computes bounds of the distances to the first lanes of a block and visits those
// that are at most most.
func (x *Query) compare(level int, low, high []uint8, lanes int, most float64, visit func(v int, lower float64)) {
	over, under := x.over[level], x.under[level]
	x.ops.CompareCounts(over, under, x.counts, low, high, x.widths)
	few := x.ops.FewEdits(over, under, x.use[:], uint8(min(255, max(0, most/x.cheapest))))
	few &= 1<<uint(lanes) - 1
	// What the visit of a lane compares overwrites nothing that the next lane needs: it is
	// of a lower level.
	for ; few != 0; few &= few - 1 {
		v := bits.TrailingZeros64(few)
		if lower := x.lane(over, under, v, most); lower <= most {
			visit(v, lower)
		}
	}
}

// lane returns the bound of one lane in units, or a number above most.
func (x *Query) lane(over, under []uint8, v int, most float64) float64 {
	const lane = kernel.CountLane
	at := func(counts []uint8, group int) int { return int(counts[group*lane+v]) }
	lost, labels, edgeLabels, degrees := at(over, 0), at(over, 1), at(over, 2), at(over, 3)
	var won, newLabels, newEdgeLabels, newDegrees int
	if !x.sed { // insertion is free
		won, newLabels, newEdgeLabels, newDegrees = at(under, 0), at(under, 1), at(under, 2), at(under, 3)
	}
	sum := x.nodes.least(lost, won, labels, newLabels)
	if sum > most {
		return sum
	}
	// Every edge has two ends, and every directed one a single end of either kind.
	if x.directed {
		degrees = max(degrees, at(over, 4))
		if !x.sed {
			newDegrees = max(newDegrees, at(under, 4))
		}
	} else {
		degrees, newDegrees = (degrees+1)/2, (newDegrees+1)/2
	}
	return sum + x.edges.least(degrees, newDegrees, edgeLabels, newEdgeLabels)
}
