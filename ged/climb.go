package ged

import (
	"slices"

	"github.com/greedgraph/greed/edit"
)

// climber improves one node map, the trial, by single steps: two rows exchange their columns,
// or a row moves to a free column. Who uses it sets trial
// first, and then notes what became of it.
type climber struct {
	*bounds
	budget *budget
	trial  []int32 // the column of each row, or -1
	worth  []int   // the profit of each row and its edges
	edge   int     // the greatest profit of an edge
	taken  []bool
	free   []int32

	// Of climbOn.
	tracking bool
	queue    []int32 // rows to improve
	next     int     // of the queue
	queued   []bool
	owner    []int32 // the row of each column, or -1
	worked   int     // nanoseconds, about
	random   randomSource
}

// begin forgets the last problem.
func (s *climber) begin(b *bounds, limits *budget) {
	s.bounds, s.budget = b, limits
	s.trial = resize(s.trial, b.p.row.n)
	s.random = 1
	s.edge = slices.Max(b.p.edge)
}

// offer keeps m if it is better than the best node map so far.
func (s *climber) offer(m edit.NodeMap) {
	s.trial = s.p.columns(s.trial, m)
	if s.p.full {
		s.complete() // profits of full problems are those of complete maps
	}
	s.note(s.trial, s.p.profit(s.trial))
}

// assigned makes the pairs of path, nil for none, and the assignment of l the trial, and returns its profit.
func (s *climber) assigned(l *level, path []int32) int {
	for i := range s.trial {
		s.trial[i] = -1 // l may lack rows
	}
	copy(s.trial, path)
	short := false
	for a, b := range l.rowMatch {
		j := int32(-1)
		if b >= 0 {
			j = l.colID[b]
		} else {
			short = true
		}
		s.trial[l.rowID[a]] = j
	}
	if short && s.p.full {
		s.complete()
	}
	return s.p.profit(s.trial)
}

// freeCols lists the columns that no row of trial is mapped to.
func (s *climber) freeCols() []int32 {
	s.taken = resize(s.taken, s.p.col.n)
	clear(s.taken)
	for _, j := range s.trial {
		if j >= 0 {
			s.taken[j] = true
		}
	}
	s.free = s.free[:0]
	for j, taken := range s.taken {
		if !taken {
			s.free = append(s.free, int32(j))
		}
	}
	return s.free
}

// complete maps every row that trial leaves out to some free column.
func (s *climber) complete() {
	free := s.freeCols()
	for i, j := range s.trial {
		if j < 0 {
			s.trial[i], free = free[0], free[1:]
		}
	}
}

// climb improves the trial until no single step helps, and returns the profit gained.
func (s *climber) climb() int {
	f, free := s.trial, s.freeCols()
	s.appraiseAll(false)
	gained := 0
	// It ends once every row in turn has brought nothing.
	for i, idle := 0, 0; idle < len(f) && !s.p.clock.Spend(32*s.p.col.n); i, idle = (i+1)%len(f), idle+1 {
		if f[i] < 0 {
			continue
		}
		if gain := s.exchange(i, i+1) + s.replace(free, i); gain > 0 {
			gained += gain
			idle = 0
		}
	}
	return gained
}

// climbOn is climb for the rows in the queue only, and for the steps that map an edge. A
// step puts the rows that it changes, and their neighbours, into the queue. On large
// graphs this is much less work than climb after a small change.
func (s *climber) climbOn() {
	f := s.trial
	s.appraiseAll(true)
	s.worked += 100 * len(f)
	s.owner = s.owners(s.owner, f)
	for s.next < len(s.queue) && !s.budget.Spend(100) {
		i := int(s.queue[s.next])
		s.next++
		s.queued[i] = false
		if f[i] < 0 {
			continue
		}
		s.draw(i)
	}
}

// draw tries the moves of row i that can map an edge: to the columns next to the images
// of its neighbours, and to those of rows with neighbours next to the column it leaves.
// In dense graphs these are all columns, several times.
func (s *climber) draw(i int) {
	p, f := s.p, s.trial
	arcs := p.row.of(i)
	tried := 0
	if m := p.col.n; len(arcs)*len(p.col.arcs) > m*m {
		for j := range m {
			s.try(i, int32(j))
		}
		tried = m
	} else {
		for _, h := range arcs {
			if k := f[h.to]; k >= 0 {
				for _, g := range p.col.of(int(k)) {
					s.try(i, g.to)
					tried++
				}
			}
		}
		for _, g := range p.col.of(int(f[i])) {
			if r := s.owner[g.to]; r >= 0 {
				for _, h := range p.row.of(int(r)) {
					if j := f[h.to]; j >= 0 {
						s.try(i, j)
						tried++
					}
				}
			}
		}
		// Any other column can only match a label better.
		for range strayMoves {
			s.try(i, int32(s.random.below(p.col.n)))
		}
		tried += strayMoves
	}
	work := 100 + tried*(20+8*len(arcs))
	s.worked += work
	s.budget.Spend(work)
}

const strayMoves = 6

// try moves row i to column j where that pays. The row of j gets the column of i.
func (s *climber) try(i int, j int32) {
	f, p := s.trial, s.p
	old := f[i]
	if j == old {
		return
	}
	gain, most := -s.worth[i], s.most(i, j)
	r := s.owner[j]
	if r >= 0 {
		gain -= s.worth[r]
		if p.directed {
			gain += p.between(i, int(r), old, j)
		}
		most += s.most(int(r), old)
	}
	if gain+most <= 0 {
		return
	}
	if r >= 0 {
		f[r] = old
	}
	f[i] = j
	gain += p.profitAt(f, i)
	if r >= 0 {
		gain += p.profitAt(f, int(r))
	}
	if gain <= 0 {
		f[i] = old
		if r >= 0 {
			f[r] = j
		}
		return
	}
	s.owner[j], s.owner[old] = int32(i), r
	s.moved(i)
	if r >= 0 {
		s.moved(int(r))
	}
}

// clearQueue empties the queue of climbOn.
func (s *climber) clearQueue() {
	s.queue, s.next = s.queue[:0], 0
	s.queued = resize(s.queued, len(s.trial))
	clear(s.queued)
}

// enqueue puts row i into the queue of climbOn.
func (s *climber) enqueue(i int32) {
	if s.queued[i] {
		return
	}
	s.queued[i] = true
	s.queue = append(s.queue, i)
}

// touch enqueues row i and its neighbours for climbOn.
func (s *climber) touch(i int) {
	s.enqueue(int32(i))
	for _, h := range s.p.row.of(i) {
		s.enqueue(h.to)
	}
}

// appraiseAll appraises all rows. With tracking, rows that move from now on get into the queue.
func (s *climber) appraiseAll(tracking bool) {
	s.tracking = tracking
	s.worth = resize(s.worth, len(s.trial))
	for i := range s.trial {
		s.appraise(i)
	}
}

// appraise stores the profit of row i and its edges under trial.
func (s *climber) appraise(i int) {
	if s.trial[i] >= 0 {
		s.worth[i] = s.p.profitAt(s.trial, i)
	}
}

// moved updates the worth of row i and its neighbours after the column of i changed,
// and enqueues them for climbOn.
func (s *climber) moved(i int) {
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
func (s *climber) exchange(i, from int) int {
	f, p := s.trial, s.p
	gained := 0
	for k := from; k < len(f); k++ {
		if k == i || f[k] < 0 {
			continue
		}
		gain := -s.worth[i] - s.worth[k]
		if p.directed {
			gain += p.between(i, k, f[i], f[k])
		}
		if gain+s.most(i, f[k])+s.most(k, f[i]) <= 0 {
			continue
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

// between returns what the worths of rows i and k, mapped to columns a and b, count
// twice, less what they will once the rows have exchanged their columns: the edge
// between the two, whose image the exchange reverses. In undirected graphs this is 0.
func (p *problem) between(i, k int, a, b int32) int {
	t := p.row.typ(i, k)
	if t == 0 || a < 0 || b < 0 {
		return 0
	}
	return p.edge[t*p.types+p.col.typ(int(a), int(b))] - p.edge[t*p.types+p.col.typ(int(b), int(a))]
}

// replace moves row i to each free column where that pays, and returns the profit
// gained.
func (s *climber) replace(free []int32, i int) int {
	f := s.trial
	gained := 0
	for k := range free {
		if s.worth[i] >= s.most(i, free[k]) {
			continue
		}
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

// most returns what row i and its edges can earn at column j.
func (s *climber) most(i int, j int32) int {
	p := s.p
	return p.node[i*p.col.n+int(j)] + s.edge*min(p.row.degree(i), p.col.degree(int(j)))
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

// owners stores the row of every column under f, or -1.
func (s *climber) owners(owner, f []int32) []int32 {
	owner = resize(owner, s.p.col.n)
	for b := range owner {
		owner[b] = -1
	}
	for a, b := range f {
		if b >= 0 {
			owner[b] = int32(a)
		}
	}
	return owner
}
