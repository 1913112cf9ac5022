package ged

// climb improves the node map in trial until no single step helps, and returns the
// profit gained. A step exchanges the columns of two rows, or moves a row to a free
// column. Rows whose column is given stay.
func (s *search) climb() int {
	f, free := s.trial, s.freeCols()
	s.tracking = false
	s.worth = resize(s.worth, len(f))
	for i := range f {
		s.appraise(i)
	}
	gained := 0
	// It ends once every row in turn has brought nothing.
	for i, idle := 0, 0; idle < len(f) && !s.p.clock.Spend(32*s.p.col.n); i, idle = (i+1)%len(f), idle+1 {
		if f[i] < 0 || s.given[i] >= 0 {
			continue
		}
		if gain := s.exchange(i, i+1) + s.replace(free, i); gain > 0 {
			gained += gain
			idle = 0
		}
	}
	return gained
}

// climbOn is climb for the rows in the queue only. A step puts the rows that it
// changes, and their neighbours, into the queue. On large graphs this is much
// less work than climb after a small change.
func (s *search) climbOn() {
	f, free := s.trial, s.freeCols()
	s.tracking = true
	s.worth = resize(s.worth, len(f))
	for i := range f {
		s.appraise(i)
	}
	for len(s.queue) > 0 && !s.p.clock.Spend(32*s.p.col.n) {
		i := int(s.queue[0])
		s.queue = s.queue[1:]
		s.queued[i] = false
		if f[i] >= 0 && s.given[i] < 0 {
			s.exchange(i, 0)
			s.replace(free, i)
		}
	}
}

// clearQueue empties the queue of climbOn.
func (s *search) clearQueue() {
	s.queue = s.queueMemory[:0]
	s.queued = resize(s.queued, len(s.trial))
	clear(s.queued)
}

// enqueue puts row i into the queue of climbOn.
func (s *search) enqueue(i int32) {
	if s.queued[i] {
		return
	}
	s.queued[i] = true
	s.queue = append(s.queue, i)
	if cap(s.queue) > cap(s.queueMemory) {
		s.queueMemory = s.queue
	}
}

// appraise stores the profit of row i and its edges under trial.
func (s *search) appraise(i int) {
	if s.trial[i] >= 0 {
		s.worth[i] = s.p.profitAt(s.trial, i)
	}
}

// moved updates the worth of row i and its neighbours after the column of i changed,
// and enqueues them for climbOn.
func (s *search) moved(i int) {
	s.appraise(i)
	for _, h := range s.p.row.of(i) {
		s.appraise(int(h.to))
	}
	if s.tracking {
		s.touch(i)
	}
}

// exchange swaps the columns of row i and each row from the given one on where that
// pays, and returns the profit gained.
func (s *search) exchange(i, from int) int {
	f, p := s.trial, s.p
	gained := 0
	for k := from; k < len(f); k++ {
		if k == i || f[k] < 0 || s.given[k] >= 0 {
			continue
		}
		gain := -s.worth[i] - s.worth[k]
		if t := p.row.typ(i, k); t != 0 {
			// The edge between the two rows is in both worths but counts once. In
			// directed graphs the swap reverses its image.
			gain += p.edge[t*p.types+p.col.typ(int(f[i]), int(f[k]))]
			gain -= p.edge[t*p.types+p.col.typ(int(f[k]), int(f[i]))]
		}
		f[i], f[k] = f[k], f[i]
		gain += p.profitAt(f, i) + p.profitAt(f, k)
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

// replace moves row i to each free column where that pays, and returns the profit
// gained.
func (s *search) replace(free []int32, i int) int {
	f := s.trial
	gained := 0
	for k := range free {
		f[i], free[k] = free[k], f[i]
		if gain := s.p.profitAt(f, i) - s.worth[i]; gain > 0 {
			gained += gain
			s.moved(i)
		} else {
			f[i], free[k] = free[k], f[i]
		}
	}
	return gained
}

// profitAt returns the profit of row i and of its edges under f.
func (p *problem) profitAt(f []int32, i int) int {
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
