package within

import "github.com/greedgraph/greed/internal/kernel"

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
// passed in sequence (Kolmogorov 2006). A share also rises as far as no matching of its star
// becomes heavier than the heaviest one. The next pass goes back. Between passes the
// assignment is completed.
func (d *Decider) ascend(s *state) bool {
	d.ops.SweepStars(&d.pair.net, &s.StarState, kernel.Sweep{Spare: kernel.NoSpare})
	idle := 0
	for pass := range mostPasses {
		switch d.assign(s) {
		case impossible:
			return false
		case unknown:
			s.reset(d.pair.col.n)
			return true
		}
		d.offer(s)
		before := s.sum(d.pair.col.n)
		if s.bound < d.need {
			return false
		}
		s.bound = d.ops.SweepStars(&d.pair.net, &s.StarState, kernel.Sweep{
			Spare: int16(min(before-d.need, kernel.NoSpare)),
			Raise: true, Backwards: pass%2 == 1, Bound: before, Need: d.need,
		})
		if s.bound < d.need {
			return false
		} else if (before-s.bound)*worthwhile > s.bound-d.need {
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
		s.bound += s.U[i] + int32(s.V[i])
	}
	return s.bound
}
