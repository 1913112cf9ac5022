package ged

import (
	"fmt"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// fixedMap returns the node map that contains the given pairs and nothing else; nil
// if there are none.
func fixedMap(q, t *graph.Graph, pairs [][2]int) (edit.NodeMap, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	m := noMap(q)
	for _, pair := range pairs {
		v, w := pair[0], pair[1]
		if m[v] != edit.Deleted && m[v] != w {
			return nil, fmt.Errorf("ged: %w: query node %d is fixed to %d and to %d", ErrFixed, v, m[v], w)
		}
		m[v] = w
	}
	if err := m.Check(q, t); err != nil {
		return nil, fmt.Errorf("ged: %w: %w", ErrFixed, err)
	}
	return m, nil
}

// splitFixed separates pairs of two nodes from nodes fixed as deleted or inserted,
// which it lists once each. The error wraps [ErrFixed].
func splitFixed(q, t *graph.Graph, fixed [][2]int) (pairs [][2]int, deleted, inserted []int, err error) {
	gone, added := make(map[int]bool), make(map[int]bool)
	for _, pair := range fixed {
		v, w := pair[0], pair[1]
		if v < edit.Deleted || v >= q.N() || w < edit.Deleted || w >= t.N() || v == edit.Deleted && w == edit.Deleted {
			return nil, nil, nil, fmt.Errorf("ged: %w: %d-%d, the graphs have %d and %d nodes", ErrFixed, v, w, q.N(), t.N())
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
			return nil, nil, nil, fmt.Errorf("ged: %w: %d-%d, but one of the two is fixed without a partner", ErrFixed, pair[0], pair[1])
		}
	}
	return pairs, deleted, inserted, nil
}

// possible returns an error that wraps [ErrFixed] if the costs rule out one of the pairs.
func possible(p *edit.Pricing, q, t *graph.Graph, pairs [][2]int) error {
	for _, pair := range pairs {
		if v, w := pair[0], pair[1]; p.Forbids(q.Label(v), t.Label(w)) {
			return fmt.Errorf("ged: %w: %d:%d: by these costs no node labelled %s becomes one labelled %s", ErrFixed, v, w, q.LabelText(v), t.LabelText(w))
		}
	}
	return nil
}

// rest is what is left of a pair of graphs once the nodes that are fixed as deleted or
// inserted are taken out. What these nodes and their edges cost is the same for all node
// maps, so it is counted where costs are: in worstCost and [edit.InducedCost] of the whole.
type rest struct {
	q, t             *graph.Graph
	wholeQ, wholeT   *graph.Graph
	numberQ, numberT []int // the nodes of q and t in the whole; nil: nothing is taken out
}

// takeOut returns what the given nodes leave of a pair, and the given pairs as pairs of it.
func takeOut(q, t *graph.Graph, pairs [][2]int, deleted, inserted []int) (rest, [][2]int) {
	r := rest{q: q, t: t, wholeQ: q, wholeT: t}
	if len(deleted)+len(inserted) == 0 {
		return r, pairs
	}
	r.q, r.numberQ = less(q, deleted)
	r.t, r.numberT = less(t, inserted)
	indexes := func(number []int) map[int]int {
		at := make(map[int]int, len(number))
		for i, v := range number {
			at[v] = i
		}
		return at
	}
	atQ, atT := indexes(r.numberQ), indexes(r.numberT)
	left := make([][2]int, len(pairs))
	for i, pair := range pairs {
		left[i] = [2]int{atQ[pair[0]], atT[pair[1]]}
	}
	return r, left
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
	return whole
}

// less returns g without the given nodes, and the number in g of each remaining node.
func less(g *graph.Graph, nodes []int) (*graph.Graph, []int) {
	gone := make([]bool, g.N())
	for _, v := range nodes {
		gone[v] = true
	}
	left := make([]int, 0, g.N()-len(nodes))
	for v, out := range gone {
		if !out {
			left = append(left, v)
		}
	}
	return g.Induced(left), left
}
