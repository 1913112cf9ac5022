package ged

// climb improves the node map on trial by exchanging the columns of two rows or
// taking a free column, until no such step helps, and returns the profit
// gained. Rows whose column is given stay.
func (s *search) climb() int { return s.climbWith(s.freeCols()) }

// climbWith is climb where free lists the columns that trial leaves free.
func (s *search) climbWith(free []int32) int {
	f := s.trial
	s.worth = resize(s.worth, len(f))
	for i := range f {
		s.appraise(i)
	}
	gained := 0
	// Once as many rows in a row as there are bring nothing, nothing does.
	for i, idle := 0, 0; idle < len(f) && !s.p.clock.Spend(32*s.p.col.n); i, idle = (i+1)%len(f), idle+1 {
		if f[i] < 0 || s.given[i] >= 0 {
			continue
		}
		if gain := s.exchange(i) + s.replace(free, i); gain > 0 {
			gained += gain
			idle = 0
		}
	}
	return gained
}

// appraise notes what row i and its edges are worth under trial.
func (s *search) appraise(i int) {
	if s.trial[i] >= 0 {
		s.worth[i] = s.p.share(s.trial, i)
	}
}

// moved brings the worth of row i and the rows next to it up to date.
func (s *search) moved(i int) {
	s.appraise(i)
	for _, h := range s.p.row.of(i) {
		s.appraise(int(h.to))
	}
}

// exchange swaps the column of row i with that of a later row wherever that
// pays, and returns the profit gained.
func (s *search) exchange(i int) int {
	f, p := s.trial, s.p
	gained := 0
	for k := i + 1; k < len(f); k++ {
		if f[k] < 0 || s.given[k] >= 0 {
			continue
		}
		gain := -s.worth[i] - s.worth[k]
		if t := p.row.typ(i, k); t != 0 {
			// The edge between them is in both; its image may turn around.
			gain += p.edge[t*p.types+p.col.typ(int(f[i]), int(f[k]))]
			gain -= p.edge[t*p.types+p.col.typ(int(f[k]), int(f[i]))]
		}
		f[i], f[k] = f[k], f[i]
		gain += p.share(f, i) + p.share(f, k)
		if gain > 0 {
			gained += gain
			s.moved(i)
			s.moved(k)
		} else {
			f[i], f[k] = f[k], f[i]
		}
	}
	return gained
}

// replace swaps the column of row i with a free one wherever that pays, and
// returns the profit gained.
func (s *search) replace(free []int32, i int) int {
	f := s.trial
	gained := 0
	for k := range free {
		f[i], free[k] = free[k], f[i]
		if gain := s.p.share(f, i) - s.worth[i]; gain > 0 {
			gained += gain
			s.moved(i)
		} else {
			f[i], free[k] = free[k], f[i]
		}
	}
	return gained
}

// share returns the profit of row i and of its edges under f.
func (p *problem) share(f []int32, i int) int {
	j := int(f[i])
	total := p.node[i*p.col.n+j]
	if dense := p.col.dense; dense != nil {
		types := dense[j*p.col.n:]
		for _, h := range p.row.of(i) {
			if k := f[h.to]; k >= 0 {
				total += p.edge[int(h.typ)*p.types+int(types[k])]
			}
		}
		return total
	}
	for _, h := range p.row.of(i) {
		if k := f[h.to]; k >= 0 {
			total += p.edge[int(h.typ)*p.types+p.col.typ(j, int(k))]
		}
	}
	return total
}

// wander looks for better node maps by iterated local search: it starts from
// the best one, moves some rows at random, climbs, and goes on from there
// unless that lost anything. It ends early when the search has to stop.
func (s *search) wander(rounds int, source *randomSource) {
	p := s.p
	n := len(s.best)
	if n < 2 || p.col.n < 2 {
		return
	}
	s.walk = append(s.walk[:0], s.best...)
	at := s.bestProfit
	for range rounds {
		if s.budget.spent(s.states) {
			return
		}
		copy(s.trial, s.walk)
		free := s.freeCols()
		for range 2 + source.below(3) {
			i := source.below(n)
			if s.trial[i] < 0 || s.given[i] >= 0 {
				continue
			}
			if k := source.below(n + len(free)); k >= n {
				s.trial[i], free[k-n] = free[k-n], s.trial[i]
			} else if s.trial[k] >= 0 && s.given[k] < 0 {
				s.trial[i], s.trial[k] = s.trial[k], s.trial[i]
			}
		}
		s.climbWith(free)
		profit := p.profit(s.trial)
		s.note(profit)
		if profit >= at {
			at = profit
			copy(s.walk, s.trial)
		}
	}
}

// randomSource is a xorshift generator (Marsaglia, 2003): the searches must be
// repeatable and must not allocate.
type randomSource uint64

func (r *randomSource) below(n int) int {
	x := uint64(*r)
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*r = randomSource(x)
	return int((x >> 33) % uint64(n))
}
