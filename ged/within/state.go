package within

// state is one state of the search: which nodes can be mapped to which, a lower bound of
// the cost, and an assignment that attains the bound. Costs here are doubled, because
// each end has half of an edge. Rows beyond the nodes of the smaller graph stand for
// none: columns assigned to them have no partner.
//
//	cost[i, j] ≥ u[i] + v[j], with equality where row[i] = j; lower = Σu + Σv
type state struct {
	n                    int
	lower                int32
	cost                 []int32 // [n, n]; far where the pair is excluded
	u, v                 [MaxNodes]int32
	row, col             [MaxNodes]int8 // the column of a row and the other way round, or -1
	domain               [MaxNodes]uint64
	gone                 [MaxNodes]uint64 // columns removed from the domains of stale rows
	stale                uint64           // rows whose domain shrank since branches were priced
	fixedRows, fixedCols uint64           // rows and columns branched on
}

// far is the cost of an excluded pair, above the cost of any map.
const far = 1 << 26

func (d *Decider) state(k int) *state {
	for len(d.states) <= k {
		d.states = append(d.states, new(state))
	}
	return d.states[k]
}

func (s *state) copyTo(t *state) {
	cost := append(t.cost[:0], s.cost...)
	n := s.n
	t.n, t.lower, t.cost = n, s.lower, cost
	copy(t.u[:n], s.u[:n])
	copy(t.v[:n], s.v[:n])
	copy(t.row[:n], s.row[:n])
	copy(t.col[:n], s.col[:n])
	copy(t.domain[:n], s.domain[:n])
	t.stale = 0
	t.fixedRows, t.fixedCols = s.fixedRows, s.fixedCols
}

// exclude forbids the pair (i, j).
func (s *state) exclude(i, j int) {
	s.cost[i*s.n+j] = far
	s.remove(i, s.domain[i]&(1<<uint(j)))
	if int(s.row[i]) == j {
		s.row[i], s.col[j] = -1, -1
	}
}

// remove removes columns from the domain of row i.
func (s *state) remove(i int, out uint64) {
	s.domain[i] &^= out
	if s.stale>>uint(i)&1 == 0 {
		s.stale |= 1 << uint(i)
		s.gone[i] = 0
	}
	s.gone[i] |= out
}

// fix maps row i to column j. They must be matched already, so the bound holds.
func (s *state) fix(i, j int) {
	for k := range s.n {
		if k != j {
			s.cost[i*s.n+k] = far
		}
		if k != i {
			s.cost[k*s.n+j] = far
			if out := s.domain[k] & (1 << uint(j)); out != 0 {
				s.remove(k, out)
			}
		}
	}
	s.remove(i, s.domain[i]&^(1<<uint(j)))
	s.fixedRows |= 1 << uint(i)
	s.fixedCols |= 1 << uint(j)
}
