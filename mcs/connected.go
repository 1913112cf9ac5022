package mcs

import (
	"slices"

	"github.com/greedgraph/greed/edit"
)

// easierShare is the share of the time, or of the states, that the question without connection gets.
const easierShare = 0.5

// solveConnected looks for the largest connected map. What a few states do not answer, the easier question may: of
// the largest map that need not be connected. If that map is connected, it is the answer. If not, no connected
// one is larger, and its largest part is a start. From there the bound is lowered as for any map.
func (s *growth) solveConnected() {
	if s.plainly() {
		return
	}
	whole, best := s.opt, s.best
	s.opt.Connected = false
	if whole.States > 0 {
		s.opt.States = s.states + int64(easierShare*float64(whole.States-s.states))
	} else if s.clock.Deadline().IsZero() {
		s.opt.States = s.states + easierStates
	}
	s.clock.Share(easierShare)
	connected := slices.Clone(s.bestMap)
	s.solveAny()
	s.clock.Whole()
	if s.best > best {
		part, size := s.largestPart(s.bestMap)
		if s.best = size; size <= best {
			part, s.best = connected, best
		}
		copy(s.bestMap, part)
	}
	s.opt, s.goal, s.most, s.stopped = whole, s.least, whole.States, s.clock.Ended()
	if s.stopped || s.best >= s.upper || s.upper <= s.least {
		return
	}
	s.lower()
}

// easierStates is how many states the easier question gets where nothing is limited.
const easierStates = 100_000

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
