package ged

import (
	"context"
	"fmt"
	"math"

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
			return nil, nil, nil, fmt.Errorf("ged: %w: %d-%d, and one of the two has no partner", ErrFixed, pair[0], pair[1])
		}
	}
	return pairs, deleted, inserted, nil
}

// without computes the distance where some nodes are fixed as deleted or inserted. It
// is the distance of the graphs without them, plus the cost of these nodes and their
// edges.
func (s *Solver) without(ctx context.Context, q, t *graph.Graph, opt Options, tau float64, deleted, inserted []int) (Result, error) {
	restQ, numberQ := less(q, deleted)
	restT, numberT := less(t, inserted)
	indexes := func(number []int) map[int]int {
		at := make(map[int]int, len(number))
		for i, v := range number {
			at[v] = i
		}
		return at
	}
	atQ, atT := indexes(numberQ), indexes(numberT)
	pairs := make([][2]int, len(opt.Fixed))
	for i, pair := range opt.Fixed {
		pairs[i] = [2]int{atQ[pair[0]], atT[pair[1]]}
	}
	apart := (worstCost(s.pricing, s.unit, q, t) - worstCost(s.pricing, s.unit, restQ, restT))
	opt.Fixed = pairs
	if opt.Upper > 0 {
		// If these nodes alone reach the upper limit, nothing is below it and any
		// bound will do. 0 would set no limit.
		opt.Upper = max(opt.Upper-float64(apart)/s.unit.perOne, math.SmallestNonzeroFloat64)
	}
	r, err := s.run(ctx, restQ, restT, opt, tau-float64(apart)/s.unit.perOne)
	if err != nil {
		return Result{}, err
	}
	m := noMap(q)
	for i, w := range r.Map {
		if w != edit.Deleted {
			m[numberQ[i]] = numberT[w]
		}
	}
	r.Map = m
	r.Lower = s.plus(r.Lower, apart)
	if s.unit.exact {
		r.Upper = s.plus(r.Upper, apart)
	} else {
		r.Upper = edit.InducedCost(s.pricing, q, t, m)
	}
	if r.Lower = min(r.Lower, r.Upper); r.Exact {
		r.Lower = r.Upper
	}
	return r, nil
}

// plus adds units to a cost, without rounding where units are exact.
func (s *Solver) plus(cost float64, units int) float64 {
	x := cost * s.unit.perOne
	if s.unit.exact {
		x = math.Round(x)
	}
	return (x + float64(units)) / s.unit.perOne
}

// less returns g without the given nodes, and the number in g of each remaining node.
func less(g *graph.Graph, nodes []int) (*graph.Graph, []int) {
	gone := make([]bool, g.N())
	for _, v := range nodes {
		gone[v] = true
	}
	var left []int
	for v, out := range gone {
		if !out {
			left = append(left, v)
		}
	}
	return g.Induced(left), left
}
