package ged

// plainSearch is a depth-first branch and bound over pairs of a row and a column. A
// state has fixed some pairs and excluded others. It branches on one pair: first
// everything that contains it is searched, then it is excluded.
type plainSearch struct {
	*climber
	levels  []*level
	held    int64 // bytes of the problem and the first counted levels
	counted int
	assign  assigner
	fixer   fixer
	orbits  orbits

	path   []int32 // the column of each row that is fixed in this state, or -1
	quick  int64   // states after which it gives up
	gaveUp bool
}

// begin forgets the last problem. It gives up after so many states.
func (s *plainSearch) begin(quick int64) {
	s.assign.clock = s.p.clock
	s.fixer.shape(s.p.row.n, s.p.col.n)
	s.held, s.counted = s.p.bytes(), 0
	s.quick, s.gaveUp = quick, false
}

// start sets up the root, in which nothing is fixed. It reports whether there was time for that.
func (s *plainSearch) start() bool {
	s.path = s.p.columns(s.path, nil)
	return s.levelAt(0).root(s.p, !s.p.full)
}

// hold counts the memory of the level at depth k when it is first reached, and
// reports whether the search may go that deep.
func (s *plainSearch) hold(k int) bool {
	if k < s.counted {
		return true
	}
	s.counted = k + 1
	s.held += s.p.levelBytes(k)
	switch {
	case s.p.row.n*s.p.col.n > manyCells:
		s.budget.halt(StopSize)
	case s.held > s.budget.memory:
		s.budget.halt(StopMemory)
	default:
		return true
	}
	return false
}

// manyCells is the number of pairs of nodes beyond which one state takes so long
// that searching below the root is useless.
const manyCells = 1 << 22

// levelAt returns the level at depth k.
func (s *plainSearch) levelAt(k int) *level {
	for len(s.levels) <= k {
		s.levels = append(s.levels, new(level))
	}
	return s.levels[k]
}

// visit searches the state at depth k and reports whether it was stopped.
func (s *plainSearch) visit(k int) (stopped bool) {
	l := s.levels[k]
	for first := true; s.assign.solve(l, 2*s.goal); first = false {
		s.budget.searched++
		// After an exclusion the assignment is hardly ever a better map, and
		// pricing only the first one made AIDS700nef 9 % faster. But where rows
		// may be left out, it may be the map that leaves one out.
		if first || !s.p.full {
			s.price(l)
		}
		if s.budget.searched > s.quick {
			s.gaveUp = true
			return true
		}
		if l.bound < 2*s.goal {
			return false
		}
		if s.budget.searched == s.budget.states || s.budget.Spend(2*s.p.row.n*s.p.col.n) {
			return s.stop(k)
		}
		a, b := s.choose(l)
		if a < 0 {
			return false
		}
		if !s.hold(k + 1) {
			return s.stop(k)
		}
		// First child: the pair is fixed.
		i := l.rowID[a]
		s.path[i] = l.colID[b]
		s.fixer.fix(s.levelAt(k+1), s.p, l, a, b)
		if s.visit(k + 1) {
			return true
		}
		// Second child: the pair is excluded. It takes the level of its parent,
		// and solve repairs the assignment, so it needs no copy and little work.
		s.path[i] = -1
		if l.bound < 2*s.goal {
			return false // symmetries need not be known
		}
		s.excludeImages(l, a, b)
	}
	return false
}

// stop ends the search early, at depth k. What was not searched lies below the levels on the
// path to here, so the greatest of their bounds holds.
func (s *plainSearch) stop(k int) bool {
	open := 2 * (s.goal - 1) // what was pruned has less than the goal
	for _, l := range s.levels[:k+1] {
		open = max(open, l.bound)
	}
	s.stopAt(open / 2)
	return true
}

// price keeps the assignment of l, as a node map, if it is the best.
func (s *plainSearch) price(l *level) {
	profit := s.assigned(l, s.path)
	if s.budget.searched == 1 && 2*(profit+1) <= l.bound {
		// A good first map prunes from the start. With the exclusion of twins it
		// took AIDS700nef from 47 to 34 states a pair.
		if profit < s.bestProfit {
			copy(s.trial, s.best)
			profit = s.bestProfit
		}
		profit += s.climb()
	}
	s.note(s.trial, profit)
}

// choose excludes every pair that no map of the goal can contain, and returns the
// pair to branch on: the matched pair of a row with few pairs left and many edges.
// It returns -1 if there is nothing to branch on.
//
// The exclusion is reduced-cost fixing. A map that contains pair (a, b) earns at
// most bound − (u[a] + v[b] − profit[a, b]).
func (s *plainSearch) choose(l *level) (row, col int) {
	spare := l.bound - 2*s.goal
	row = -1
	best := 1 << 60
	for a := range l.n {
		most := l.u[a] - spare
		profits := l.profit[a*l.stride : a*l.stride+l.m]
		left := l.m
		for b, v := range l.v[:len(profits)] {
			// Sign bits instead of a branch, which would be mispredicted often.
			out := (profits[b] - v - most) >> 63 // -1 if to be excluded, else 0
			left += out
			profits[b] += (forbidden - profits[b]) & out
		}
		if left == 0 {
			if s.p.full {
				return -1, -1 // this row must be mapped and cannot be
			}
			continue
		}
		if score := fewPairs*left - manyEdges*int(l.rowStar[a*s.p.types]); score < best {
			best, row = score, a
		}
	}
	if row < 0 {
		return -1, -1
	}
	if b := l.rowMatch[row]; b >= 0 {
		return row, int(b)
	}
	for b, p := range l.profit[row*l.stride : row*l.stride+l.m] {
		if !excluded(p) {
			return row, b
		}
	}
	panic("ged: a row lost its pairs")
}

// The weights of choose were found on AIDS700nef. Choosing by pairs left alone took
// 70 states a pair, with edges to break ties 50, and by these weights 45.
const (
	fewPairs  = 2
	manyEdges = 3
)

// lookAfter is the number of states after which the plain search looks for symmetries other
// than twins.
const lookAfter = 3

// excludeImages excludes the pair (a, b) once all maps that contain it were searched, and
// with it all its images.
func (s *plainSearch) excludeImages(l *level, a, b int) {
	p := s.p
	p.findSymmetries(s.budget.searched > lookAfter)
	if p.row.rigid() && p.col.rigid() {
		l.exclude(a, b)
		return
	}
	o := &s.orbits
	o.clear(p)
	for x, i := range l.rowID {
		o.rowAt[i] = int32(x)
	}
	for y, j := range l.colID {
		o.colAt[j] = int32(y)
	}
	o.of(p, l.rowID[a], l.colID[b])
	for _, i := range o.rows {
		for _, j := range o.cols {
			l.exclude(int(o.rowAt[i]), int(o.colAt[j]))
		}
	}
}
