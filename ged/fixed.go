package ged

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// splitFixed separates pairs of two nodes from nodes fixed as deleted or inserted,
// which it lists once each. The error wraps [ErrFixed].
func splitFixed(q, t *graph.Graph, fixed [][2]int) (pairs [][2]int, deleted, inserted []int, err error) {
	gone, added := make(map[int]bool), make(map[int]bool)
	for _, pair := range fixed {
		v, w := pair[0], pair[1]
		if v < edit.Deleted || v >= q.N() || w < edit.Deleted || w >= t.N() || v == edit.Deleted && w == edit.Deleted {
			return nil, nil, nil, fmt.Errorf("ged: %w: %d-%d, the graphs have %d and %d nodes", ErrFixed, v, w, q.N(),
				t.N())
		}
		switch {
		case w == edit.Deleted && !gone[v]:
			gone[v] = true
			deleted = append(deleted, v)
		case v == edit.Deleted && !added[w]:
			added[w] = true
			inserted = append(inserted, w)
		case v != edit.Deleted && w != edit.Deleted:
			pairs = append(pairs, pair)
		}
	}
	for _, pair := range pairs {
		if gone[pair[0]] || added[pair[1]] {
			return nil, nil, nil, fmt.Errorf("ged: %w: %d-%d, but one of the two is fixed without a partner", ErrFixed,
				pair[0], pair[1])
		}
	}
	return pairs, deleted, inserted, nil
}

// possible returns an error that wraps [ErrFixed] if the costs rule out one of the pairs.
func possible(p *edit.Pricing, q, t *graph.Graph, pairs [][2]int) error {
	for _, pair := range pairs {
		if v, w := pair[0], pair[1]; p.Forbids(q.Label(v), t.Label(w)) {
			return fmt.Errorf("ged: %w: %d:%d: by these costs no node labelled %s becomes one labelled %s", ErrFixed, v,
				w, q.LabelText(v), t.LabelText(w))
		}
	}
	return nil
}

// rest is what is left of a pair of graphs once all nodes that are fixed are taken out. What deleted and inserted
// nodes and their edges cost is the same for all node maps, so it is counted where costs are: in worstCost and
// [edit.InducedCost] of the whole. So is what the pairs of two nodes earn, which [rest.kept] counts. An edge
// between a node that is left and one of a pair is a tie: what it earns depends on one pair of nodes that are left,
// so it is part of their profit.
type rest struct {
	q, t             *graph.Graph
	wholeQ, wholeT   *graph.Graph
	numberQ, numberT []int    // the nodes of q and t in the whole; nil: nothing is taken out
	fixed            [][2]int // what is taken out, in the whole, as the caller gave it
	pairs            [][2]int // the pairs of it
	tiesQ, tiesT     []tie    // by place
}

// tie is an edge between a node that is left and one of a pair. Its place is the pair and the direction, so that
// only ties of the same place can be mapped to each other.
type tie struct {
	place, node int
	label       graph.Label
}

// takeOut returns what the fixed nodes leave of a pair.
func takeOut(q, t *graph.Graph, pairs [][2]int, deleted, inserted []int) (rest, error) {
	r := rest{q: q, t: t, wholeQ: q, wholeT: t, pairs: pairs}
	if len(pairs)+len(deleted)+len(inserted) == 0 {
		return r, nil
	}
	m := noMap(q)
	for _, pair := range pairs {
		v, w := pair[0], pair[1]
		if m[v] != edit.Deleted && m[v] != w {
			return r, fmt.Errorf("ged: %w: query node %d is fixed to %d and to %d", ErrFixed, v, m[v], w)
		}
		m[v] = w
	}
	if err := m.Check(q, t); err != nil {
		return r, fmt.Errorf("ged: %w: %w", ErrFixed, err)
	}
	placeQ, placeT := make([]int, q.N()), make([]int, t.N())
	r.pairs = r.pairs[:0:0]
	for v, w := range m {
		if w != edit.Deleted {
			r.pairs = append(r.pairs, [2]int{v, w})
			placeQ[v], placeT[w] = len(r.pairs), len(r.pairs)
		}
	}
	for _, v := range deleted {
		placeQ[v] = gone
	}
	for _, w := range inserted {
		placeT[w] = gone
	}
	r.q, r.numberQ, r.tiesQ = less(q, placeQ)
	r.t, r.numberT, r.tiesT = less(t, placeT)
	return r, nil
}

// gone is the place of a node that no node map has in a pair.
const gone = -1

// less returns g without the nodes that have a place, the number in g of each remaining node, and their ties.
func less(g *graph.Graph, place []int) (*graph.Graph, []int, []tie) {
	left := []int{}
	var ties []tie
	for v, at := range place {
		if at != 0 {
			continue
		}
		for _, e := range g.Out(v) {
			if k := place[e.To]; k > 0 {
				ties = append(ties, tie{2 * k, len(left), e.Label})
			}
		}
		if !g.Directed() {
			left = append(left, v)
			continue
		}
		for _, e := range g.In(v) {
			if k := place[e.To]; k > 0 {
				ties = append(ties, tie{2*k + 1, len(left), e.Label})
			}
		}
		left = append(left, v)
	}
	slices.SortStableFunc(ties, func(a, b tie) int { return cmp.Compare(a.place, b.place) })
	return g.Induced(left), left, ties
}

// whole returns a node map of what is left as one of the whole graphs.
func (r *rest) whole(m edit.NodeMap) edit.NodeMap {
	if r.numberQ == nil {
		return m
	}
	whole := noMap(r.wholeQ)
	for i, w := range m {
		if w != edit.Deleted {
			whole[r.numberQ[i]] = r.numberT[w]
		}
	}
	for _, pair := range r.pairs {
		whole[pair[0]] = pair[1]
	}
	return whole
}

// part returns what a node map of the whole graphs maps of what is left.
func (r *rest) part(m edit.NodeMap) edit.NodeMap {
	if r.numberQ == nil {
		return m
	}
	part := noMap(r.q)
	for i, v := range r.numberQ {
		if w, ok := slices.BinarySearch(r.numberT, m[v]); ok {
			part[i] = w
		}
	}
	return part
}

// kept returns the profit of the pairs and of the edges between them.
func (r *rest) kept(p *edit.Pricing, u edit.Unit) int {
	if len(r.pairs) == 0 {
		return 0
	}
	m, total := noMap(r.wholeQ), 0
	for _, pair := range r.pairs {
		m[pair[0]] = pair[1]
		total += nodeProfit(p, u, r.wholeQ.Label(pair[0]), r.wholeT.Label(pair[1]))
	}
	for e := range r.wholeQ.Edges() {
		if v, w := m[e.From], m[e.To]; v != edit.Deleted && w != edit.Deleted {
			if l, ok := r.wholeT.Edge(v, w); ok {
				total += edgeProfit(p, u, e.Label, l)
			}
		}
	}
	return total
}

// tiesAt calls visit with the ties of each place that both graphs have.
func (r *rest) tiesAt(visit func(q, t []tie)) {
	first := func(ties []tie) []tie {
		for i := range ties {
			if ties[i].place != ties[0].place {
				return ties[:i]
			}
		}
		return ties
	}
	for q, t := r.tiesQ, r.tiesT; len(q) > 0 && len(t) > 0; {
		switch {
		case q[0].place < t[0].place:
			q = q[1:]
		case q[0].place > t[0].place:
			t = t[1:]
		default:
			a, b := first(q), first(t)
			visit(a, b)
			q, t = q[len(a):], t[len(b):]
		}
	}
}

// kinds returns the labels of g or, if there are ties, numbers that tell apart nodes of different labels or ties.
func kinds(g *graph.Graph, ties []tie) []graph.Label {
	if len(ties) == 0 {
		return g.Labels()
	}
	keys := make([][]byte, g.N())
	for v, l := range g.Labels() {
		keys[v] = binary.AppendUvarint(nil, uint64(l))
	}
	for _, x := range ties {
		keys[x.node] = binary.AppendUvarint(binary.AppendUvarint(keys[x.node], uint64(x.place)), uint64(x.label))
	}
	number := make(map[string]graph.Label)
	list := make([]graph.Label, g.N())
	for v, key := range keys {
		if _, known := number[string(key)]; !known {
			number[string(key)] = graph.Label(len(number))
		}
		list[v] = number[string(key)]
	}
	return list
}

// nodeProfit returns the profit of mapping a node of the query to one of the target.
func nodeProfit(p *edit.Pricing, u edit.Unit, a, b graph.Label) int {
	return u.Count(p.NodeDelete(a)) + u.Count(p.NodeInsert(b)) - u.Count(p.NodeSubstitute(a, b))
}

// edgeProfit returns the profit of mapping an edge of the query to one of the target. It is never negative, because
// an edge may be deleted and inserted between mapped nodes.
func edgeProfit(p *edit.Pricing, u edit.Unit, a, b graph.Label) int {
	return max(0, u.Count(p.EdgeDelete(a))+u.Count(p.EdgeInsert(b))-u.Count(p.EdgeSubstitute(a, b)))
}
