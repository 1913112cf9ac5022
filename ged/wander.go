package ged

// wanderer is iterated local search: a walk from node map to node map, each of which is the
// last one changed at random and improved by climbing.
type wanderer struct {
	*climber
	walk       []int32 // the current map
	walkProfit int
	other      []int32 // scratch of polish

	piece            []int32
	rowSeen, colSeen []bool
}

// begin makes the next walk begin anew.
func (s *wanderer) begin(c *climber) {
	s.climber, s.walk, s.walkProfit = c, s.walk[:0], -nothing
}

// run looks for better node maps. Each round changes the current map at random, by a few rows
// or by a whole piece of the graph, and climbs. The result becomes the current map unless it
// is worse. Small pairs start from the best map; large ones go on from where they were. It
// ends early when the search has to stop.
func (s *wanderer) run(rounds int) {
	n := len(s.best)
	if n < 2 || s.p.col.n < 2 {
		return
	}
	large := n >= largeRows
	if !large || len(s.walk) != n || s.walkProfit < s.bestProfit {
		s.walk, s.walkProfit = append(s.walk[:0], s.best...), s.bestProfit
	}
	s.goOn(rounds)
}

// polish wanders from the trial if the pair is large. The walk goes on from where that leads unless it is worse there.
func (s *wanderer) polish(rounds int) {
	if len(s.best) < largeRows || s.p.col.n < 2 {
		return
	}
	s.walk, s.other = append(s.other[:0], s.trial...), s.walk
	before := s.walkProfit
	s.walkProfit = s.p.profit(s.trial)
	s.goOn(rounds)
	if s.walkProfit < before {
		s.walk, s.other, s.walkProfit = s.other, s.walk, before
	}
}

// goOn goes on from the current map; see run.
func (s *wanderer) goOn(rounds int) {
	large := len(s.walk) >= largeRows
	for range rounds {
		if s.budget.spent() {
			return
		}
		copy(s.trial, s.walk)
		s.clearQueue()
		if large && s.p.full && s.random.below(2) == 0 {
			s.graft(3 + s.random.below(graftSize))
		} else {
			s.shuffle(2 + s.random.below(3))
		}
		if large {
			s.climbOn()
		} else {
			s.climb()
		}
		profit := s.p.profit(s.trial)
		if large && profit > s.walkProfit {
			profit += s.climb() // climbOn tries few of the steps that map no edge
		}
		s.note(s.trial, profit)
		if profit >= s.walkProfit {
			s.walkProfit = profit
			copy(s.walk, s.trial)
		}
	}
}

// runFor wanders for about the given work, in nanoseconds, or until the best map
// attains the bound.
func (s *wanderer) runFor(work int) {
	for s.worked = 0; s.worked < work && s.hopeful() && !s.budget.spent(); {
		s.run(16)
	}
}

// graftSize is the number of sizes that run draws from for graft, from 3 rows on.
const graftSize = 10

// shuffle moves random rows to columns of other rows, in exchange, or to free ones.
func (s *wanderer) shuffle(times int) {
	n := len(s.trial)
	free := s.freeCols()
	for range times {
		i := s.random.below(n)
		if s.trial[i] < 0 {
			continue
		}
		s.touch(i)
		if k := s.random.below(n + len(free)); k >= n {
			s.trial[i], free[k-n] = free[k-n], s.trial[i]
		} else if s.trial[k] >= 0 {
			s.trial[i], s.trial[k] = s.trial[k], s.trial[i]
			s.touch(k)
		}
	}
}

// graft maps a piece of the graph anew: one random row and then, along the edges, its
// neighbours to neighbours of its new image, as they fit best, up to the given number
// of rows. A row that loses its column gets the one given up for it. This reaches maps
// that exchanges of a few rows do not.
func (s *wanderer) graft(size int) {
	p := s.p
	i := s.random.below(len(s.trial))
	j := s.random.below(p.col.n)
	if arcs := p.row.of(i); len(arcs) > 0 && s.random.below(2) == 0 {
		// Shift it along an edge: to a column next to the image of a neighbour.
		if image := s.trial[arcs[s.random.below(len(arcs))].to]; image >= 0 {
			if next := p.col.of(int(image)); len(next) > 0 {
				j = int(next[s.random.below(len(next))].to)
			}
		}
	}
	s.owner = s.owners(s.owner, s.trial)
	s.rowSeen, s.colSeen = resize(s.rowSeen, len(s.trial)), resize(s.colSeen, p.col.n)
	clear(s.rowSeen)
	clear(s.colSeen)
	s.piece = s.piece[:0]
	s.remap(i, j)
	for at := 0; at < len(s.piece) && len(s.piece) < size; at++ {
		a, b := int(s.piece[at]), int(s.trial[s.piece[at]])
		for _, h := range p.row.of(a) {
			if s.rowSeen[h.to] {
				continue
			}
			if c := s.partner(h, b); c >= 0 {
				s.remap(int(h.to), c)
			}
		}
	}
}

// partner returns the unused neighbour of column b that earns most as the image of the
// row at the far end of h, or -1 if there is none. It breaks ties at random.
func (s *wanderer) partner(h halfEdge, b int) int {
	p := s.p
	best, most, ties := -1, -1<<60, 0
	for _, g := range p.col.of(b) {
		if s.colSeen[g.to] {
			continue
		}
		profit := p.node[int(h.to)*p.col.n+int(g.to)]
		for _, k := range p.row.of(int(h.to)) {
			if s.rowSeen[k.to] && s.trial[k.to] >= 0 {
				profit += p.edge[int(k.typ)*p.types+p.col.typ(int(g.to), int(s.trial[k.to]))]
			}
		}
		if profit == most {
			if ties++; s.random.below(ties+1) == 0 {
				best = int(g.to)
			}
		} else if profit > most {
			best, most, ties = int(g.to), profit, 0
		}
	}
	return best
}

// remap maps row a to column b and enqueues the rows that this changes.
func (s *wanderer) remap(a, b int) {
	s.rowSeen[a], s.colSeen[b] = true, true
	r, old := s.owner[b], s.trial[a]
	s.piece = append(s.piece, int32(a))
	if int(r) == a {
		return
	}
	s.trial[a], s.owner[b] = int32(b), int32(a)
	if r >= 0 {
		s.trial[r] = old
		s.touch(int(r))
	}
	if old >= 0 {
		s.owner[old] = r
	}
	s.touch(a)
}

// randomSource is a xorshift generator (Marsaglia, 2003): the searches must be
// repeatable and must not allocate.
type randomSource uint64

func (r *randomSource) below(n int) int { return int((r.next() >> 33) % uint64(n)) }

func (r *randomSource) next() uint64 {
	x := uint64(*r)
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*r = randomSource(x)
	return x
}
