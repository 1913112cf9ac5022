package within

import (
	"math/bits"

	"github.com/greedgraph/greed/internal/kernel"
)

// Passes go on as long as one of the last patience passes closed at least 1/worthwhile
// of the gap to the bound that answers the question.
const (
	mostPasses = 60
	worthwhile = 10
	patience   = 2
)

// ascend lowers the bound of s by dual ascent, and reports whether the state may still
// hold a map of interest, or that it does if time ends. It excludes pairs that no such
// map contains.
//
// A pass goes through the rows. By as much as the pairs of a row fall short of its dual
// they raise their shares, which lowers the profits at the other ends, as of Hahn and
// Grant (1998); but only towards rows that the pass has yet to see, as messages are
// passed in sequence (Kolmogorov 2006). The next pass goes back. Between passes the
// assignment is completed.
func (d *Decider) ascend(s *state) bool {
	rows := d.pair.row.n
	for i := range rows {
		s.u[i] = d.price(s, i)
	}
	idle := 0
	for pass := range mostPasses {
		switch d.assign(s) {
		case impossible:
			return false
		case unknown:
			return true
		}
		d.offer(s)
		before := s.sum(d.pair.col.n)
		if s.bound < d.need {
			return false
		}
		d.eliminate(s)
		for k := range rows {
			i := k
			if pass%2 == 1 {
				i = rows - 1 - k
			}
			old := s.u[i]
			s.u[i] = d.price(s, i)
			if s.bound += s.u[i] - old; s.bound < d.need {
				return false
			}
			d.raise(s, i, pass%2 == 1)
		}
		for i := range rows {
			s.u[i] = d.price(s, i)
		}
		if after := s.sum(d.pair.col.n); after < d.need {
			return false
		} else if (before-after)*worthwhile >= after-d.need {
			idle = 0
		} else if idle++; idle == patience {
			return true
		}
		if d.limits.Stop != nil && d.limits.Stop() {
			d.ended = true
			return true
		}
	}
	return true
}

// sum sets the bound of s to the sum of its duals and returns it.
func (s *state) sum(cols int) int32 {
	s.bound = 0
	for i := range cols {
		s.bound += s.u[i] + int32(s.v[i])
	}
	return s.bound
}

// price bounds what row i earns with every column, and returns the least dual for that.
func (d *Decider) price(s *state, i int) int32 {
	p := &d.pair
	x0, x1 := p.row.start[i], p.row.start[i+1]
	d.bounds.Total = s.profit[i*p.lanes:][:p.lanes]
	return int32(d.ops.BoundStars(&d.bounds, d.starsAt(s, x0, x1), s.node[i*p.lanes:][:p.lanes], s.v))
}

func (d *Decider) starsAt(s *state, x0, x1 int32) *kernel.Stars {
	p := &d.pair
	line := p.slots * p.lanes
	d.stars = kernel.Stars{Rows: int(x1 - x0), Cols: p.slots, Lanes: p.lanes, Shares: s.shares[int(x0)*line : int(x1)*line]}
	return &d.stars
}

// raise raises the shares of row i after price, of the half-edges to rows that the pass
// has yet to see, and lowers those of their reverses.
func (d *Decider) raise(s *state, i int, backwards bool) {
	p := &d.pair
	x0, x1 := p.row.start[i], p.row.start[i+1]
	from, to := p.split[i], x1
	switch {
	case p.ways == 2: // sorted by way first
		from = x0
	case backwards:
		from, to = x0, p.split[i]
	}
	if from == to {
		return
	}
	line := p.slots * p.lanes
	bounds := d.bounds
	bounds.RowMost = bounds.RowMost[int(from-x0)*p.lanes:]
	d.ops.RaiseStars(d.starsAt(s, from, to), p.weight[int(from)*line:int(to)*line], &bounds, s.v, p.part, int16(s.u[i]), int16(stepShare/(to-from)))
	for x := from; x < to; x++ {
		own, weight := s.shares[int(x)*line:][:line], p.weight[int(x)*line:][:line]
		other := s.shares[int(p.row.back[x])*line:][:line]
		for _, e := range p.ends {
			share := own[e.at]
			other[e.back] = (weight[e.at] - share) | share>>15 // -1 stays
		}
	}
}

// eliminate excludes the pairs that would lower the bound of s below the need.
func (d *Decider) eliminate(s *state) {
	p := &d.pair
	spare := s.bound - d.need
	for i := range p.row.n {
		profit := s.profit[i*p.lanes:][:p.lanes]
		for w, rest := range s.domain[i] {
			for ; rest != 0; rest &= rest - 1 {
				j := w<<6 + bits.TrailingZeros64(rest)
				if s.u[i]+int32(s.v[j])-int32(profit[j]) > spare {
					s.exclude(p, i, j)
				}
			}
		}
	}
}
