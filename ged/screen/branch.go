package screen

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/assign"
)

// branchQuery computes bounds of distances by an assignment of branches.
type branchQuery struct {
	wild bool
	// in units: weights that no edit costs less than, and by which no substitution costs more than a deletion and an
	// insertion
	costs  edit.Costs
	full   bool     // they are the costs themselves
	kinds  []branch // of the query, each once
	count  []int    // and how often it occurs
	lists  *lists
	same   []int32   // by branch of the sheet: which of the query's it is, plus 1; -1: none; 0: not known
	at     []int32   // by branch of the sheet: where its costs begin in costOf; 0: not known
	costOf []float64 // of substituting branches of the sheet for each of the query's, and of inserting them
	delOf  []float64 // of deleting the query's
	left   []int     // scratch
	rows   []int
	cols   []uint16
	cells  []float64
	del    []float64
	ins    []float64
	least  []float64
	solver assign.Solver
}

func newBranchQuery(p *edit.Pricing, u edit.Unit, q *graph.Graph, s *Sheet) branchQuery {
	x := branchQuery{wild: p.Task() == edit.SED, lists: &s.branches}
	x.setCosts(u, p.Costs())
	numbers := make(map[string]int) // of kinds, by what tells them apart
	var key []byte
	for v := range q.N() {
		var b branch
		b.read(q, v)
		key = x.key(key[:0], &b)
		k, ok := numbers[string(key)]
		if !ok {
			k = len(x.kinds)
			numbers[string(key)] = k
			x.kinds, x.count = append(x.kinds, b), append(x.count, 0)
			x.delOf = append(x.delOf, x.costs.NodeDelete+float64(len(b.out)+len(b.in))/2*x.costs.EdgeDelete)
		}
		x.count[k]++
	}
	x.costOf = make([]float64, len(x.kinds)+1) // of rare ones
	x.same, x.at = make([]int32, len(s.branches.kinds)), make([]int32, len(s.branches.kinds))
	return x
}

// setCosts sets the weights, so that it never costs more to leave a branch as it is.
// Where costs depend on labels, the cheapest edit of each kind counts, and a label that
// stays costs nothing. A substitution that costs more than a deletion and an insertion
// is counted as one of each.
func (x *branchQuery) setCosts(u edit.Unit, c edit.Costs) {
	x.full = c.Nodes == nil && c.Edges == nil
	nodes := floorOf(u, c.NodeInsert, c.NodeDelete, c.NodeSubstitute, c.Nodes)
	edges := floorOf(u, c.EdgeInsert, c.EdgeDelete, c.EdgeSubstitute, c.Edges)
	for _, f := range []*floor{&nodes, &edges} {
		if x.wild {
			f.insert = 0
		}
		// What no label is named for does not occur.
		f.insert, f.delete = finite(f.insert), finite(f.delete)
		if f.substitute > f.insert+f.delete {
			f.substitute, x.full = f.insert+f.delete, false
		}
	}
	x.costs = edit.Costs{
		NodeInsert: nodes.insert, NodeDelete: nodes.delete, NodeSubstitute: nodes.substitute,
		EdgeInsert: edges.insert, EdgeDelete: edges.delete, EdgeSubstitute: edges.substitute,
	}
}

func finite(x float64) float64 {
	if math.IsInf(x, 1) {
		return 0
	}
	return x
}

// equal reports whether substituting a by b, and b by a, costs nothing.
func (x *branchQuery) equal(a, b *branch) bool {
	if x.costs.EdgeSubstitute == 0 {
		return a.label == b.label && len(a.out) == len(b.out) && len(a.in) == len(b.in)
	}
	return a.label == b.label && slices.Equal(a.out, b.out) && slices.Equal(a.in, b.in)
}

// key appends the part of a branch that equal branches share.
func (x *branchQuery) key(dst []byte, b *branch) []byte {
	dst = binary.AppendUvarint(dst, uint64(b.label))
	for _, arcs := range [][]graph.Label{b.out, b.in} {
		dst = binary.AppendUvarint(dst, uint64(len(arcs)))
		if x.costs.EdgeSubstitute == 0 {
			continue
		}
		for _, l := range arcs {
			dst = binary.AppendUvarint(dst, uint64(l))
		}
	}
	return dst
}

// match returns the number of the query's branch that equals one of the sheet, or -1.
func (x *branchQuery) match(id uint16) int {
	if x.same[id] == 0 {
		x.same[id] = -1
		t := &x.lists.kinds[id]
		for i := range x.kinds {
			if x.equal(&x.kinds[i], t) {
				x.same[id] = int32(i + 1)
			}
		}
	}
	return max(-1, int(x.same[id])-1)
}

// substitutions returns the costs of substituting a branch of the sheet for those of the
// query, and then that of inserting it. They are 0 if it is rare.
func (x *branchQuery) substitutions(id uint16) []float64 {
	if id == rare {
		return x.costOf[:len(x.kinds)+1]
	}
	if x.at[id] == 0 {
		x.at[id] = int32(len(x.costOf))
		t := &x.lists.kinds[id]
		for i := range x.kinds {
			x.costOf = append(x.costOf, x.substitute(&x.kinds[i], t))
		}
		x.costOf = append(x.costOf, x.costs.NodeInsert+float64(len(t.out)+len(t.in))/2*x.costs.EdgeInsert)
	}
	return x.costOf[x.at[id]:][:len(x.kinds)+1]
}

// substitute returns the cost, in units, of substituting branch a by b: that of the node and
// half of that of its edges.
func (x *branchQuery) substitute(a, b *branch) float64 {
	sum := 0.0
	if a.label != b.label && !(x.wild && a.label == graph.Wildcard) {
		sum = x.costs.NodeSubstitute
	}
	return sum + (x.edges(a.out, b.out)+x.edges(a.in, b.in))/2
}

func (x *branchQuery) edges(a, b []graph.Label) float64 {
	pairs, equal := min(len(a), len(b)), 0
	sum := float64(len(a)-pairs)*x.costs.EdgeDelete + float64(len(b)-pairs)*x.costs.EdgeInsert
	for x.wild && len(a) > 0 && a[0] == graph.Wildcard {
		equal++
		a = a[1:]
	}
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			equal++
			a, b = a[1:], b[1:]
		}
	}
	return sum + float64(pairs-min(pairs, equal))*x.costs.EdgeSubstitute
}

// Full reports whether branches are bounded by the costs themselves, and not by weights
// that cost less. They are stronger than labels then.
func (x *Query) Full() bool { return x.branches.full }

// Branches returns a lower bound of the distance to a graph by its branches, or
// less where that is above limit already.
func (x *Query) Branches(position int, limit float64) float64 {
	b := &x.branches
	lower := b.lower(b.lists.of(position), float64(x.unit.Within(limit)))
	if x.unit.Exact() {
		lower = math.Ceil(lower)
	}
	return x.unit.Cost(lower)
}

// Missing returns a lower bound of the distance to a graph: 0 if each kind of the query's
// branches has as many partners there at no cost as it occurs, and else the least that a
// branch without one costs. It is weaker than [Query.Branches] and takes less time.
func (x *Query) Missing(position int) float64 {
	b := &x.branches
	lower := b.uncovered(b.lists.of(position))
	if x.unit.Exact() {
		lower = math.Ceil(lower)
	}
	return x.unit.Cost(lower)
}

const (
	// mostAssigned is the number of branches that an assignment is solved for; it
	// takes cubic time.
	mostAssigned = 256
	// mostCosts is how many costs are looked at for a graph, some 30 ms. A search
	// does not stop in between.
	mostCosts = 1 << 20
)

// lower returns the bound in units, or less where that is above limit already.
func (x *branchQuery) lower(ids []uint16, limit float64) float64 {
	if len(x.kinds)*len(ids) > mostCosts {
		return 0
	}
	x.left = append(x.left[:0], x.count...)
	x.cols = x.cols[:0]
	for _, id := range ids {
		if id == rare {
			x.cols = append(x.cols, id)
		} else if k := x.match(id); k >= 0 && x.left[k] > 0 {
			x.left[k]--
		} else {
			x.cols = append(x.cols, id)
		}
	}
	x.rows, x.del, x.least = x.rows[:0], x.del[:0], x.least[:0]
	for k, n := range x.left {
		for range n {
			x.rows, x.del, x.least = append(x.rows, k), append(x.del, x.delOf[k]), append(x.least, x.delOf[k])
		}
	}
	if len(x.rows)*len(x.cols) > mostCosts {
		return 0
	}
	// Several branches may share a partner here: those of the query, then those of the graph.
	x.cells, x.ins = x.cells[:0], x.ins[:0]
	cols := 0.0
	for _, id := range x.cols {
		costs := x.substitutions(id)
		ins := costs[len(x.kinds)]
		least := ins
		for i, k := range x.rows {
			cost := costs[k]
			least, x.least[i] = min(least, cost), min(x.least[i], cost)
			x.cells = append(x.cells, cost)
		}
		x.ins = append(x.ins, ins)
		cols += least
	}
	rows := 0.0
	for _, least := range x.least {
		rows += least
	}
	if lower := max(rows, cols); lower > limit || len(x.rows) > mostAssigned || len(x.cols) > mostAssigned {
		return lower
	}
	return x.solver.Solve(x.cells, x.ins, x.del)
}

// uncovered returns the bound of [Query.Missing] in units.
func (x *branchQuery) uncovered(ids []uint16) float64 {
	if len(x.kinds)*len(ids) > mostCosts {
		return 0
	}
	for k, need := range x.count {
		least := x.delOf[k]
		for _, id := range ids {
			if cost := x.substitutions(id)[k]; cost > 0 {
				least = min(least, cost)
			} else if need--; need == 0 {
				break
			}
		}
		if need > 0 {
			return least
		}
	}
	return 0
}
