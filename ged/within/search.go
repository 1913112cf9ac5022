package within

import "math/bits"

// search looks for maps within the limit below the state at depth k, and reports
// whether it saw all of them.
func (d *Decider) search(k int) (complete bool) {
	s := d.states[k]
	for {
		if d.budget > 0 && d.nodes >= d.budget {
			return false
		}
		d.nodes++
		if !d.refine(s) {
			return true
		}
		i := d.choose(s)
		if i < 0 {
			return true // one map is left, and it was offered
		}
		j := int(s.row[i])
		child := d.state(k + 1)
		s.copyTo(child)
		child.fix(i, j)
		if !d.search(k + 1) {
			return false
		}
		d.excludeTwins(s, i, j)
	}
}

// choose returns the row to branch on, among those with more than one column left: one
// with many edges and, less important, few columns; -1 if there is none. That takes a
// third fewer states than the fewest columns first.
func (d *Decider) choose(s *state) int {
	best, row := 1<<30, -1
	for i := range d.row.n {
		if left := bits.OnesCount64(s.domain[i]); left > 1 {
			if score := left - 8*bits.OnesCount64(d.row.around[i]); score < best {
				best, row = score, i
			}
		}
	}
	return row
}

// excludeTwins excludes the pair (i, j) once all maps that contain it were searched, and
// with it all pairs of twins of i and j: by symmetry, the maps that contain one of these
// cost no less. Rows and columns that were fixed are no longer twins.
func (d *Decider) excludeTwins(s *state, i, j int) {
	if !d.row.twins && !d.col.twins {
		s.exclude(i, j)
		return
	}
	for x := range d.row.n {
		if d.row.twin[x] != d.row.twin[i] || s.fixedRows>>uint(x)&1 != 0 {
			continue
		}
		for y := range d.col.n {
			if d.col.twin[y] == d.col.twin[j] && s.fixedCols>>uint(y)&1 == 0 {
				s.exclude(x, y)
			}
		}
	}
}

// offer keeps the assignment of s if it is the best map so far. The limit falls below
// it, so that the search goes on for better maps only.
func (d *Decider) offer(s *state) {
	cost := d.price(s)
	if cost >= d.best {
		return
	}
	d.best = cost
	copy(d.image[:d.row.n], s.row[:d.row.n])
	if cost <= d.limit {
		d.limit = cost - 2
	}
}

// price returns the doubled cost of the assignment of s as a node map.
func (d *Decider) price(s *state) int32 {
	row, col := d.row, d.col
	total := int32(col.n-row.n) * d.colDrop.node
	edges := int32(0) // of the columns, that are substituted
	saved := int32(0)
	for i := range row.n {
		j := int(s.row[i])
		total += d.relabel(row.label[i], col.label[j])
		for _, x := range row.of(i) {
			if int(x.to) < i {
				continue
			}
			to := uint8(s.row[x.to])
			if col.next[x.way][j]>>to&1 == 0 {
				continue
			}
			for _, y := range col.of(j) {
				if y.to == to && y.way == x.way {
					edges++
					if x.label != y.label && x.label != wildcard && y.label != wildcard {
						saved -= d.costs.edgeSub
					}
					break
				}
			}
		}
	}
	total += 2 * (d.rowDrop.edge*(int32(row.m)-edges) + d.colDrop.edge*(int32(col.m)-edges) - saved)
	return total
}
