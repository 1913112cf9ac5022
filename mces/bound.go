package mces

import "slices"

// bound returns the most edges that a map may keep in this branch.
func (s *growth) bound() int {
	rooted := s.opt.Connected && s.size > 0
	s.q.reach(rooted)
	s.t.reach(rooted)
	return s.tally()
}

// tally bounds the edges that a map may keep at the nodes that are near.
func (s *growth) tally() int {
	clear(s.total)
	for v, w := range s.q.image {
		if w >= 0 {
			s.pair(int32(v), w)
		}
	}
	s.q.count(s.counts[0], s.start, s.degree)
	s.t.count(s.counts[1], s.start, s.degree)
	for h := range s.total {
		for i := s.start[h]; i < s.start[h+1]; i++ {
			s.total[h] += min(s.counts[0][i], s.counts[1][i])
		}
	}
	size := int32(s.size)
	for c, same := range s.same {
		if same {
			size += s.total[2*c] / 2 // which has both ends
		} else {
			size += min(s.total[2*c], s.total[2*c+1])
		}
	}
	return int(size)
}

// pair adds to total what v and its image w can keep both.
func (s *growth) pair(v, w int32) {
	for _, a := range s.q.arcs[v] {
		if s.q.left(a) {
			s.degree[a.half]++
		}
	}
	for _, b := range s.t.arcs[w] {
		if s.degree[b.half] > 0 && s.t.left(b) {
			s.degree[b.half]--
			s.total[b.half]++
		}
	}
	for _, a := range s.q.arcs[v] {
		s.degree[a.half] = 0
	}
}

// assigned bounds like [growth.bound], but pairs the nodes without images once for all classes:
// by an assignment of the most ends of edges that each pair can keep. Those of edges to mapped
// nodes are known, and count twice. It takes several times as long.
func (s *growth) assigned() int {
	s.rows, s.columns = s.q.loose(s.rows[:0]), s.t.loose(s.columns[:0])
	s.cost = slices.Grow(s.cost[:0], len(s.rows)*len(s.columns))
	for _, v := range s.rows {
		for _, w := range s.columns {
			kept := 0
			if s.q.label[v] == s.t.label[w] {
				kept = s.ends(v, w)
			}
			s.cost = append(s.cost, -float64(kept))
		}
	}
	n, m := len(s.rows), len(s.columns)
	s.none = slices.Grow(s.none[:0], max(n, m))[:max(n, m)]
	return s.size - int(s.solver.Solve(s.cost, s.none[:n], s.none[:m]))/2
}

// ends returns how many ends of edges v and w can keep.
func (s *growth) ends(v, w int32) int {
	kept := 0
	s.halves = s.halves[:0]
	for _, b := range s.t.arcs[w] {
		if s.t.near[b.to] {
			s.halves = append(s.halves, b.half)
		}
	}
	anchored := false
	for _, a := range s.q.arcs[v] {
		switch {
		case s.q.image[a.to] >= 0:
			anchored = true
		case s.q.out[a.edge]:
		default:
			if i := slices.Index(s.halves, a.half); i >= 0 {
				kept++
				last := len(s.halves) - 1
				s.halves[i] = s.halves[last]
				s.halves = s.halves[:last]
			}
		}
	}
	if anchored {
		known := s.gain(v, w)
		if known < 0 {
			return 0
		}
		kept += 2 * known
	}
	return kept
}
