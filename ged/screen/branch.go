package screen

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/assign"
)

// branchQuery bounds distances by an assignment of branches.
type branchQuery struct {
	usable bool
	wild   bool
	costs  edit.Costs
	kinds  []branch // of the query, each once
	count  []int    // and how often it occurs
	lists  *lists
	known  []known // by branch of the sheet
	left   []int   // scratch
	rows   []int
	cols   []uint16
	cells  []float64
	del    []float64
	ins    []float64
	solver assign.Solver
}

// known is what was worked out of a branch of the sheet: the cost of substituting
// those of the query for it, nil if it was not, and which of them it is, or -1.
type known struct {
	cost []float64
	same int
}

func newBranchQuery(p *edit.Pricing, q *graph.Graph, s *Sheet) branchQuery {
	c := p.Costs()
	x := branchQuery{costs: c, wild: p.Task() == edit.SED, lists: &s.branches}
	if x.wild {
		x.costs.NodeInsert, x.costs.EdgeInsert = 0, 0
	}
	// Then it never costs more to leave a branch as it is.
	x.usable = c.Nodes == nil && c.Edges == nil &&
		x.costs.NodeSubstitute <= x.costs.NodeInsert+x.costs.NodeDelete && x.costs.EdgeSubstitute <= x.costs.EdgeInsert+x.costs.EdgeDelete
	if !x.usable {
		return x
	}
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
		}
		x.count[k]++
	}
	x.known = make([]known, len(s.branches.kinds))
	return x
}

// equal tells whether it costs nothing either way to substitute a for b.
func (x *branchQuery) equal(a, b *branch) bool {
	if x.costs.EdgeSubstitute == 0 {
		return a.label == b.label && len(a.out) == len(b.out) && len(a.in) == len(b.in)
	}
	return a.label == b.label && slices.Equal(a.out, b.out) && slices.Equal(a.in, b.in)
}

// key appends what branches have in common that are equal.
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

// about returns what is known of a branch of the sheet.
func (x *branchQuery) about(id uint16) *known {
	k := &x.known[id]
	if k.cost == nil {
		t := &x.lists.kinds[id]
		k.cost, k.same = make([]float64, len(x.kinds)), -1
		for i := range x.kinds {
			k.cost[i] = x.substitute(&x.kinds[i], t)
			if x.equal(&x.kinds[i], t) {
				k.same = i
			}
		}
	}
	return k
}

// substitute returns the cost of substituting b for a: of the node, and half of
// what its edges cost.
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

// HasBranches tells whether the costs allow a bound by branches.
func (x *Query) HasBranches() bool { return x.branches.usable }

// Branches returns a lower bound of the distance to a graph by its branches, or
// less where that is above limit already. It is 0 where costs do not allow it.
func (x *Query) Branches(position int, limit float64) float64 {
	b := &x.branches
	if !b.usable {
		return 0
	}
	lower := b.lower(b.lists.of(position), limit)
	if x.whole {
		return math.Ceil(lower - slack)
	}
	return max(0, lower-slack*(1+lower))
}

const (
	// mostAssigned is the number of branches that an assignment is solved for; it
	// takes cubic time.
	mostAssigned = 256
	// mostCosts is how many costs are looked at for a graph, some 30 ms. A search
	// does not stop in between.
	mostCosts = 1 << 20
)

func (b *branchQuery) lower(ids []uint16, limit float64) float64 {
	if len(b.kinds)*len(ids) > mostCosts {
		return 0
	}
	b.left = append(b.left[:0], b.count...)
	b.cols = b.cols[:0]
	for _, id := range ids {
		if id == rare {
			b.cols = append(b.cols, id)
		} else if k := b.about(id).same; k >= 0 && b.left[k] > 0 {
			b.left[k]--
		} else {
			b.cols = append(b.cols, id)
		}
	}
	b.rows = b.rows[:0]
	for k, n := range b.left {
		for range n {
			b.rows = append(b.rows, k)
		}
	}
	b.cells, b.del, b.ins = b.cells[:0], b.del[:0], b.ins[:0]
	assigned := len(b.rows) <= mostAssigned && len(b.cols) <= mostAssigned
	lower := 0.0
	for _, k := range b.rows {
		a := &b.kinds[k]
		del := b.costs.NodeDelete + float64(len(a.out)+len(a.in))/2*b.costs.EdgeDelete
		b.del = append(b.del, del)
		least := del
		for _, id := range b.cols {
			cost := 0.0
			if id != rare {
				cost = b.known[id].cost[k]
			}
			if assigned {
				b.cells = append(b.cells, cost)
			}
			least = min(least, cost)
		}
		lower += least
	}
	if lower > limit+slack*(1+limit) || !assigned {
		return lower
	}
	for _, id := range b.cols {
		ins := 0.0
		if id != rare {
			t := &b.lists.kinds[id]
			ins = b.costs.NodeInsert + float64(len(t.out)+len(t.in))/2*b.costs.EdgeInsert
		}
		b.ins = append(b.ins, ins)
	}
	return b.solver.Solve(b.cells, b.del, b.ins)
}
