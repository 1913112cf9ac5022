package ged

import (
	"context"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
)

// Limits of the search for a node map without edits, which comes first for graphs
// that are not small: where there is one it takes about one candidate a node.
const (
	sameNodes         = 17      // nodes of the smaller graph from which it is tried
	isomorphismEffort = 100_000 // candidates
	containmentCells  = 1 << 11 // pairs of nodes from which it is tried
	containmentEffort = 10_000  // states
	sameShare         = 0.2     // of the time
)

// same looks for a node map without any edit that costs: an isomorphism or, for
// SED, one into a part of t. It returns nil if it found none.
func (s *Solver) same(ctx context.Context, q, t *graph.Graph) edit.NodeMap {
	if min(q.N(), t.N()) < sameNodes || q.N() > t.N() || q.M() > t.M() {
		return nil
	}
	s.search.budget.Share(sameShare)
	defer s.search.budget.Whole()
	if end := s.search.budget.Deadline(); !end.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end)
		defer cancel()
	}
	var m edit.NodeMap
	switch {
	case q.N() == t.N() && q.M() == t.M():
		m, _ = graph.FindIsomorphism(ctx, q, t, isomorphismEffort)
	case s.task == edit.SED && q.N()*t.N() >= containmentCells:
		kind := mcs.Kind{IgnoreEdgeLabels: s.costs.Edges == nil && s.costs.EdgeSubstitute == 0}
		m, _, _ = s.matcher.FindWithin(ctx, q, t, kind, containmentEffort)
	}
	if m == nil || edit.InducedCost(s.pricing, q, t, m) > 0 {
		return nil
	}
	return m
}
