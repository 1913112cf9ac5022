package ged

import (
	"github.com/greedgraph/greed/internal/clock"
	"github.com/greedgraph/greed/internal/kernel"
)

// assigner tightens the dual solution of a level by shortest augmenting paths (the
// Hungarian method). Nodes may stay unmatched, so by complementary slackness the duals
// are optimal once every unmatched row and column has dual 0. Paths start at those
// that have not. Its slices are scratch.
type assigner struct {
	dist    []int   // by node of the far side: the length of the path to it, scanned or remote
	from    []int   // by node of the far side: the node of this side before it
	reached []reach // far nodes scanned, in order
	line    []int   // profits of one near node

	rows, cols []int32 // unmatched, with a dual that is not 0

	clock *clock.Clock // nil if the problem is small
}

type reach struct {
	at, dist int
}

// The distances of far nodes that have been scanned, and of those that no path leads to yet.
const (
	scanned = -1 << 62
	remote  = 1 << 62
)

// view is a level seen from its rows or, transposed, from its columns.
type view struct {
	near, far           []int // duals
	nearMatch, farMatch []int32
	profit              []int
	nearStep, farStep   int // strides of profit
}

func (l *level) fromRows() view {
	return view{l.u, l.v, l.rowMatch, l.colMatch, l.profit, l.stride, 1}
}

func (l *level) fromCols() view {
	return view{l.v, l.u, l.colMatch, l.rowMatch, l.profit, 1, l.stride}
}

// solve tightens l until the duals are optimal; then rowMatch and colMatch are an
// assignment of greatest profit. It returns false as soon as the bound is below need:
// the search prunes the state anyway. If time ends first, the bound still holds, but
// the assignment is incomplete.
func (s *assigner) solve(l *level, need int) bool {
	if l.bound < need {
		return false
	}
	rows, cols := l.fromRows(), l.fromCols()
	s.rows = rows.pending(s.rows)
	if !s.reduceAll(l, &rows, s.rows, need) {
		return false
	}
	s.cols = cols.pending(s.cols)
	return s.reduceAll(l, &cols, s.cols, need) && s.augmentAll(l, &rows, s.rows, need) &&
		s.augmentAll(l, &cols, s.cols, need)
}

// pending lists the unmatched near nodes with a dual that is not 0.
func (w *view) pending(dst []int32) []int32 {
	near := w.near[:len(w.nearMatch)]
	dst = resize(dst, len(near))
	k := 0
	for x, y := range w.nearMatch {
		dst[k] = int32(x)
		k += int(uint32(y)>>31) & int(uint(-near[x])>>63) // signs of y and -near[x]
	}
	return dst[:k]
}

// reduceAll reduces the given near nodes and reports whether the bound is still at
// least need.
func (s *assigner) reduceAll(l *level, w *view, nodes []int32, need int) bool {
	for _, x := range nodes {
		if s.clock.Spend(2 * len(w.far)) {
			break
		}
		l.bound -= s.reduce(w, int(x))
	}
	return l.bound >= need
}

// augmentAll augments from those given near nodes that are still unmatched, and reports
// whether the bound is still at least need.
func (s *assigner) augmentAll(l *level, w *view, nodes []int32, need int) bool {
	for _, x := range nodes {
		if s.clock.Ended() {
			break
		}
		if w.nearMatch[x] < 0 && w.near[x] > 0 {
			l.bound -= s.augment(w, int(x), l.bound-need)
			if l.bound < need {
				return false
			}
		}
	}
	return true
}

// profits returns the profits of near node x by far node.
func (s *assigner) profits(w *view, x int) []int {
	if w.farStep == 1 {
		return w.profit[x*w.nearStep : x*w.nearStep+len(w.far)]
	}
	s.line = resize(s.line, len(w.far))
	i := x * w.nearStep
	for y := range s.line {
		s.line[y] = w.profit[i]
		i += w.farStep
	}
	return s.line
}

// begin starts a search for paths from a near node.
func (s *assigner) begin(w *view) {
	s.dist, s.from = resize(s.dist, len(w.far)), resize(s.from, len(w.far))
	for y := range s.dist {
		s.dist[y] = remote
	}
	s.reached = s.reached[:0]
}

// reduce lowers the dual of an unmatched near node as far as it stays feasible, and
// returns by how much. If the far node that stops it is free, it matches the two.
func (s *assigner) reduce(w *view, x int) int {
	s.begin(w)
	at, least := kernel.Best().NearestNode(s.dist, s.from, w.far, s.profits(w, x), w.near[x], x, w.near[x])
	w.near[x] -= least
	if at >= 0 && w.farMatch[at] < 0 {
		w.nearMatch[x], w.farMatch[at] = int32(at), int32(x)
	}
	return least
}

// augment finds the shortest alternating path from the unmatched near node x to a free
// far node, or to a near node whose dual the shift brings to zero and which may then
// stay unmatched. It shifts the duals, matches along the path and returns by how much
// the bound falls. As soon as that must exceed spare, it changes nothing and returns
// some amount above spare.
func (s *assigner) augment(w *view, x, spare int) int {
	s.begin(w)
	// The path ends at near node last, whose dual falls to zero, or at far end.
	shortest, last, end := w.near[x], x, -1
	for near, line := x, shortest; ; {
		at, least := kernel.Best().NearestNode(s.dist, s.from, w.far, s.profits(w, near), line, near, shortest)
		if least > spare {
			return least
		}
		if at < 0 {
			break
		}
		if w.farMatch[at] < 0 {
			shortest, end = least, at
			break
		}
		s.reached = append(s.reached, reach{at, least})
		s.dist[at] = scanned
		if s.clock.Spend(2 * len(w.far)) {
			return 0
		}
		near = int(w.farMatch[at])
		if line = least + w.near[near]; line < shortest {
			shortest, last = line, near
		}
	}
	w.near[x] -= shortest
	for _, r := range s.reached {
		if shift := shortest - r.dist; shift > 0 {
			w.far[r.at] += shift
			w.near[w.farMatch[r.at]] -= shift
		}
	}
	if end < 0 {
		if last == x {
			return shortest
		}
		end = int(w.nearMatch[last])
		w.nearMatch[last] = -1
	}
	for y := end; ; {
		near := s.from[y]
		next := w.nearMatch[near]
		w.nearMatch[near], w.farMatch[y] = int32(y), int32(near)
		if near == x {
			return shortest
		}
		y = int(next)
	}
}
