package ged

import (
	"context"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
)

// Limits of the search for a node map without edits. It comes first for graphs that
// are not small. Where such a map exists, a matcher needs about one candidate a node:
// 70 protein graphs of over 100 nodes, numbered anew, take 0.2 to 5 ms each. Branch and
// bound misses some of them within a second (6 of 25).
const (
	sameNodes         = 17      // least number of nodes of the smaller graph
	isomorphismEffort = 100_000 // candidates
	containmentCells  = 1 << 11 // least number of pairs of nodes, for SED
	containmentEffort = 10_000  // states
	sameShare         = 0.2     // of the time
)

// same looks for a node map of cost 0: an isomorphism or, for SED, one from q to a
// part of t. It returns nil if it found none.
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
		m, _, _ = s.matcher.Find(ctx, q, t, kind, containmentEffort)
	}
	if m == nil || edit.InducedCost(s.pricing, q, t, m) > 0 {
		return nil
	}
	return m
}
