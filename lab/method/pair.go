package method

import (
	"errors"
	"fmt"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// pair is one problem in the form that the methods share. Deleting all of the
// query and inserting all of the target costs base. Mapping a row to a column,
// or keeping an edge between two mapped rows, changes that cost, mostly for the
// better: by what the substitution costs less the deletion and the insertion
// that it saves. A node map costs base plus the changes of all it maps, and
// nothing else distinguishes GED from SED or one cost from another.
//
// Rows are the nodes of the smaller graph, which changes no cost, numbered in
// the order in which searches map them.
//
// Dimensions: n rows, m ≥ n columns.
type pair struct {
	pricing *edit.Pricing
	q, t    *graph.Graph
	swapped bool    // rows are the target's nodes
	order   []int32 // [n] node that each row stands for

	n, m       int
	base       float64
	change     []float64 // [n, m] of mapping a node
	rowArcs    adjacency
	columnArcs adjacency
	edges      edgeChanges
	sides      int  // 1, or 2 in directed graphs: leaving and entering edges
	full       bool // some best node map leaves no row unmapped
	rounding   rounding
	clock      *clock.Clock
}

// errLate means that time was up before there was a problem to solve.
var errLate = errors.New("method: no time for tables")

// smallCells is the number of pairs of nodes up to which every part of the work is so
// quick that nothing looks at the clock within it.
const smallCells = 1 << 12

// newPair returns the problem of q and t under the prices p, for a method that keeps
// some numbers for every pair of nodes. The error reports that its tables alone would
// take more than memory bytes, or is errLate.
func newPair(p *edit.Pricing, q, t *graph.Graph, numbers, memory int64, c *clock.Clock) (*pair, error) {
	q, t = p.Ready(q), p.Ready(t)
	x := &pair{pricing: p, q: q, t: t, swapped: q.N() > t.N(), sides: 1, rounding: roundingOf(p.Costs()), clock: c}
	r, k := q, t
	if x.swapped {
		r, k = t, q
	}
	if q.Directed() {
		x.sides = 2
	}
	x.n, x.m = r.N(), k.N()
	local := x.edges.compile(p, q, t, x.swapped)
	labels := int64(x.edges.labels)
	need := 8*numbers*int64(x.n+1)*int64(x.m+1) + 8*labels*labels + 4*labels*int64(x.sides*(x.n+x.m))
	if local == nil || need > memory {
		return nil, fmt.Errorf("method: graphs of %d and %d nodes with %d edge labels need %d bytes of tables, the limit is %d",
			q.N(), t.N(), labels, need, memory)
	}
	if !c.Affords(need / 4) {
		return nil, errLate
	}
	x.order = searchOrder(r, k, x.edges.labels, local, c)
	row := make([]int32, x.n)
	for i, v := range x.order {
		row[v] = int32(i)
	}
	x.rowArcs = newAdjacency(r, x.order, row, local)
	x.columnArcs = newAdjacency(k, nil, nil, local)
	x.compileNodes(r, k)
	x.base = worst(p, q, t)
	if x.large() && c.Ended() {
		return nil, errLate
	}
	return x, nil
}

// large reports whether parts of the work on x must look at the clock.
func (x *pair) large() bool { return x.n*x.m > smallCells }

// worst returns the cost of deleting all of q and inserting all of t.
func worst(p *edit.Pricing, q, t *graph.Graph) float64 {
	sum := 0.0
	for _, a := range q.Labels() {
		sum += p.NodeDelete(a)
	}
	for _, b := range t.Labels() {
		sum += p.NodeInsert(b)
	}
	for e := range q.Edges() {
		sum += p.EdgeDelete(e.Label)
	}
	for e := range t.Edges() {
		sum += p.EdgeInsert(e.Label)
	}
	return sum
}

// nothing returns the node map that deletes every node.
func (x *pair) nothing() edit.NodeMap {
	m := make(edit.NodeMap, x.q.N())
	for v := range m {
		m[v] = edit.Deleted
	}
	return m
}

func (x *pair) compileNodes(r, c *graph.Graph) {
	x.change = make([]float64, x.n*x.m)
	x.full = true
	for i, v := range x.order {
		if x.large() && x.clock.Spend(32*x.m) {
			return
		}
		for j := range x.m {
			a, b := r.Label(int(v)), c.Label(j)
			if x.swapped {
				a, b = b, a
			}
			d := x.pricing.NodeSubstitute(a, b) - x.pricing.NodeDelete(a) - x.pricing.NodeInsert(b)
			x.change[i*x.m+j] = d
			x.full = x.full && d <= 0
		}
	}
}

// total returns the change of a whole map: image[i] is the column of row i or
// negative.
func (x *pair) total(image []int32) float64 {
	sum := 0.0
	for i, j := range image {
		if j >= 0 {
			sum += x.change[i*x.m+int(j)] + x.toPlaced(image, i, j)
		}
	}
	return sum
}

// toPlaced returns the change of the edges kept between row i, if it is mapped
// to column j, and the rows before it.
func (x *pair) toPlaced(image []int32, i int, j int32) float64 {
	sum := 0.0
	for side := range x.sides {
		for _, a := range x.rowArcs.of(side, i) {
			if int(a.to) >= i || image[a.to] < 0 {
				continue
			}
			if l, ok := x.columnArcs.find(side, int(j), image[a.to]); ok {
				sum += x.edges.of(a.label, l)
			}
		}
	}
	return sum
}

// nodeMap translates images of rows into a node map from query to target.
func (x *pair) nodeMap(image []int32) edit.NodeMap {
	m := x.nothing()
	for i, j := range image {
		switch v := int(x.order[i]); {
		case j < 0:
		case x.swapped:
			m[j] = v
		default:
			m[v] = int(j)
		}
	}
	return m
}

// result finishes what is known: a lower bound as computed, and a map. States
// and time are left to the caller.
func (x *pair) result(lower float64, image []int32) ged.Result {
	return finish(x.pricing, x.q, x.t, lower, x.nodeMap(image))
}

// finish prices m and joins the bounds where they differ by no more than
// rounding.
func finish(p *edit.Pricing, q, t *graph.Graph, lower float64, m edit.NodeMap) ged.Result {
	upper := edit.InducedCost(p, q, t, m)
	round := roundingOf(p.Costs())
	if lower = round.Lower(lower); lower >= upper-round.Tolerance(upper) {
		lower = upper
	}
	return ged.Result{Lower: lower, Upper: upper, Map: m, Exact: lower == upper}
}
