package within

import "math"

// search looks for maps of interest below the state at depth k, and reports whether it
// saw all of them.
func (d *Decider) search(k int) (complete bool) {
	p := &d.pair
	s := d.states[k]
	for {
		if d.limits.States > 0 && d.nodes >= d.limits.States {
			d.ended = true
		}
		if d.ended {
			return false
		}
		d.nodes++
		if !d.ascend(s) {
			return true
		}
		i := d.choose(s)
		if i < 0 {
			return d.offerRest(s)
		}
		j := int(s.row[i])
		if j < 0 || !s.open(p, i, j) {
			open := s.columns(p, i)
			j = open.first()
		}
		child := d.state(k + 1)
		s.copyTo(child, p)
		child.fix(p, i, j)
		before := d.nodes
		if !d.search(k + 1) {
			return false
		}
		d.learn(i, d.nodes == before+1)
		d.excludeTwins(s, i, j)
	}
}

func (d *Decider) state(k int) *state {
	for len(d.states) <= k {
		d.states = append(d.states, new(state))
	}
	return d.states[k]
}

// choose returns the row to branch on, among those with more than one column left: one
// that failed of late, with many edges and, least important, few columns; -1 if there is none.
func (d *Decider) choose(s *state) int {
	best, row := float32(math.MaxFloat32), -1
	r := d.pair.row
	for i := range r.n {
		open := s.columns(&d.pair, i)
		if left := open.len(); left > 1 {
			if score := float32(left) - edgeWeight*float32(r.start[i+1]-r.start[i]) - failureWeight*d.failed[i]; score < best {
				best, row = score, i
			}
		}
	}
	return row
}

// What failures and edges of a row count, in columns, and what a failure counts after each pair that was
// searched. See the failures of package ged.
const (
	failureWeight = 40
	edgeWeight    = 20
	failureDecay  = 0.9
)

// learn takes up that a pair of row i was searched, and whether its state was pruned at once.
func (d *Decider) learn(i int, failed bool) {
	for x := range d.failed[:d.pair.row.n] {
		d.failed[x] *= failureDecay
	}
	if failed {
		d.failed[i]++
	}
}

// excludeTwins excludes the pair (i, j) once all maps that contain it were searched, and
// with it all pairs of twins of i and j: by symmetry, the maps that contain one of these
// cost no less. Rows and columns that were fixed are no longer twins.
func (d *Decider) excludeTwins(s *state, i, j int) {
	p := &d.pair
	if !p.row.twins && !p.col.twins {
		s.exclude(p, i, j)
		return
	}
	for x := range p.row.n {
		if p.row.twin[x] != p.row.twin[i] || s.fixedRows.has(x) {
			continue
		}
		for y := range p.col.n {
			if p.col.twin[y] == p.col.twin[j] && !s.fixedCols.has(y) && s.open(p, x, y) {
				s.exclude(p, x, y)
			}
		}
	}
}

// offerRest offers the one map that is left where every row has at most one column. It
// reports true.
func (d *Decider) offerRest(s *state) bool {
	var seen set
	for i := range d.pair.row.n {
		open := s.columns(&d.pair, i)
		j := open.first()
		if j < 0 || seen.has(j) {
			return true
		}
		seen.add(j)
		s.row[i] = int8(j)
	}
	d.offer(s)
	return true
}

// offer keeps the assignment of s if it is the best map so far. The need rises above it,
// so that the search goes on for better maps only.
func (d *Decider) offer(s *state) {
	cost := d.cost(s)
	if cost >= d.best {
		return
	}
	d.best = cost
	copy(d.image[:d.pair.row.n], s.row[:d.pair.row.n])
	if cost <= d.limit {
		d.setLimit(cost - 1)
	}
}

// setLimit says what cost is of interest, in units.
func (d *Decider) setLimit(limit int32) {
	d.limit = limit
	d.need = (d.pair.worst() - limit) * d.pair.grain
}

// cost returns the cost of the assignment of s as a node map.
func (d *Decider) cost(s *state) int32 {
	k, row, col := &d.costs, d.pair.row, d.pair.col
	total := int32(col.n-row.n) * d.pair.colDrop.node
	edges := int32(0) // of the columns, that are substituted
	for i := range row.n {
		j := int(s.row[i])
		total += k.relabel(row.label[i], col.label[j])
		for _, x := range row.of(i) {
			if int(x.to) < i {
				continue
			}
			to := uint8(s.row[x.to])
			for _, y := range col.of(j) {
				if y.to == to && y.way == x.way {
					edges++
					if x.label != y.label && x.label != wildcard && y.label != wildcard {
						total += k.edgeSub
					}
					break
				}
			}
		}
	}
	return total + d.pair.rowDrop.edge*(int32(row.m)-edges) + d.pair.colDrop.edge*(int32(col.m)-edges)
}
