package ged

// assigner tightens the dual solution of a level by shortest augmenting paths
// (Hungarian method), from rows that are not matched although u > 0 and from
// columns that are not matched although v > 0. Its slices are scratch.
type assigner struct {
	dist    []int   // by node of the far side
	from    []int32 // by node of the far side: the node of this side before it
	done    []bool  // by node of the far side
	reached []int32 // far nodes scanned, in order
}

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

// solve tightens l until the bound falls below need, which it reports as
// false, or the duals are optimal, and then rowMatch and colMatch are an
// assignment of greatest profit.
func (s *assigner) solve(l *level, need int) bool {
	if l.bound < need {
		return false
	}
	rows, cols := l.fromRows(), l.fromCols()
	for a := range l.n {
		if l.rowMatch[a] < 0 && l.u[a] > 0 {
			l.bound -= rows.reduce(a)
		}
	}
	if l.bound < need {
		return false
	}
	for b := range l.m {
		if l.colMatch[b] < 0 && l.v[b] > 0 {
			l.bound -= cols.reduce(b)
		}
	}
	if l.bound < need {
		return false
	}
	for a := range l.n {
		if l.rowMatch[a] < 0 && l.u[a] > 0 {
			l.bound -= s.augment(&rows, a, l.bound-need)
			if l.bound < need {
				return false
			}
		}
	}
	for b := range l.m {
		if l.colMatch[b] < 0 && l.v[b] > 0 {
			l.bound -= s.augment(&cols, b, l.bound-need)
			if l.bound < need {
				return false
			}
		}
	}
	return true
}

// reduce lowers the dual of an unmatched near node as far as it goes, matches
// it if the far node that stops it is free, and returns by how much.
func (w *view) reduce(x int) int {
	before := w.near[x]
	least, at := before, -1
	for y := range w.far {
		if slack := before + w.far[y] - w.profit[x*w.nearStep+y*w.farStep]; slack < least {
			least, at = slack, y
		}
	}
	w.near[x] = before - least
	if at >= 0 && w.farMatch[at] < 0 {
		w.nearMatch[x], w.farMatch[at] = int32(at), int32(x)
	}
	return least
}

// augment finds the shortest alternating path from the unmatched near node x
// to a free far node or to a near node whose dual it brings to zero, shifts
// the duals along it and matches. It returns by how much the bound falls, or,
// as soon as that is more than spare, some such amount without doing anything.
func (s *assigner) augment(w *view, x, spare int) int {
	k := len(w.far)
	s.dist = resize(s.dist, k)
	s.from = resize(s.from, k)
	s.done = resize(s.done, k)
	clear(s.done)
	s.reached = s.reached[:0]
	for y := range k {
		s.dist[y] = w.near[x] + w.far[y] - w.profit[x*w.nearStep+y*w.farStep]
		s.from[y] = int32(x)
	}
	// The path ends at near node last, whose dual falls to zero, or at far end.
	shortest, last, end := w.near[x], x, -1
	for {
		least, at := shortest, -1
		for y := range k {
			if !s.done[y] && s.dist[y] < least {
				least, at = s.dist[y], y
			}
		}
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
		s.done[at] = true
		s.reached = append(s.reached, int32(at))
		next := int(w.farMatch[at])
		if d := least + w.near[next]; d < shortest {
			shortest, last = d, next
		}
		base := least + w.near[next]
		for y := range k {
			if s.done[y] {
				continue
			}
			if d := base + w.far[y] - w.profit[next*w.nearStep+y*w.farStep]; d < s.dist[y] {
				s.dist[y], s.from[y] = d, int32(next)
			}
		}
	}
	w.near[x] -= shortest
	for _, y := range s.reached {
		if shift := shortest - s.dist[y]; shift > 0 {
			w.far[y] += shift
			w.near[w.farMatch[y]] -= shift
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
		near := int(s.from[y])
		next := w.nearMatch[near]
		w.nearMatch[near], w.farMatch[y] = int32(y), int32(near)
		if near == x {
			return shortest
		}
		y = int(next)
	}
}
