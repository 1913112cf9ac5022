package mces

import (
	"context"
	"slices"

	"github.com/greedgraph/greed/edit"
)

// The shares of what is left of the time, or of the states, that the question without connection gets, and then a
// search that does not go by the bound. easierStates is how many states the first gets where nothing is limited.
const (
	easierShare  = 0.125
	plainShare   = 0.75
	easierStates = 2_000
)

// solveConnected looks for the largest connected map. Where blocks are small it goes by them. What that and a few
// states do not answer, the easier question may: of the largest map that need not be connected. If that map is
// connected, it is the answer. If not, no connected one is larger, and its largest part is a start. Most connected maps
// are then found and proven by states that are cheap; only what they leave open goes by the bound, which takes far more
// time for each.
func (s *growth) solveConnected(ctx context.Context) {
	if s.byBlocks(); s.stopped || s.upper <= max(s.best, s.least) || s.plainly(plainConnected) {
		return
	}
	limit := s.opt.States
	s.share(easierShare, s.states+easierStates)
	s.most = s.opt.States
	s.byDistance(ctx)
	s.opt.States = limit
	s.clock.Whole()
	s.goal, s.stopped = s.least, s.clock.Ended()
	if s.stopped || s.best >= s.upper || s.upper <= s.least {
		return
	}
	s.share(plainShare, 0)
	s.most, s.opt.States = s.opt.States, limit
	if s.search(); !s.stopped {
		s.clock.Whole()
		s.upper = max(s.best, min(s.least, s.upper))
		return
	}
	s.clock.Whole()
	s.most, s.stopped = limit, s.clock.Ended()
	s.hard = max(len(s.q.label), len(s.t.label)) <= assignedNodes
	s.lower()
}

// share limits what follows to a part of the time or of the states left or, if neither is limited, to so many states;
// 0: none.
func (s *growth) share(part float64, states int64) {
	switch limit := s.opt.States; {
	case limit > 0:
		s.opt.States = s.states + int64(part*float64(limit-s.states))
	case s.clock.Deadline().IsZero():
		s.opt.States = states
	}
	s.clock.Share(part)
}

// largestPart returns the part of a map, connected by the edges that it keeps, that keeps the most of them, and how
// many these are.
func (s *growth) largestPart(m []int32) (part []int32, size int) {
	seen := make([]bool, len(m))
	var largest []int32
	for v := range m {
		if seen[v] || m[v] < 0 {
			continue
		}
		seen[v] = true
		nodes, ends := []int32{int32(v)}, 0
		for i := 0; i < len(nodes); i++ {
			for _, a := range s.q.arcs[nodes[i]] {
				if m[a.to] < 0 || !s.keeps(m[nodes[i]], m[a.to], a.half) {
					continue
				}
				if ends++; !seen[a.to] {
					seen[a.to] = true
					nodes = append(nodes, a.to)
				}
			}
		}
		if ends > 2*size {
			largest, size = nodes, ends/2
		}
	}
	part = slices.Repeat([]int32{edit.Deleted}, len(m))
	for _, v := range largest {
		part[v] = m[v]
	}
	return part, size
}

// keeps reports whether the target has an edge from w to u that is alike.
func (s *growth) keeps(w, u, half int32) bool {
	for _, b := range s.t.to(w, u) {
		if b.to != u {
			break
		}
		if b.half == half {
			return true
		}
	}
	return false
}
