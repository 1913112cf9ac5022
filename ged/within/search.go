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
		d.excludeImages(s, i, j)
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
			edges := float32(r.start[i+1] - r.start[i])
			if score := float32(left) - edgeWeight*edges - failureWeight*d.failed[i]; score < best {
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

// excludeImages excludes the pair (i, j) once all maps that contain it and what is fixed were searched,
// and with it all pairs of images of i and j under symmetries that move nothing fixed: the maps that contain one of
// these are images of those, and cost as much.
func (d *Decider) excludeImages(s *state, i, j int) {
	p := &d.pair
	for _, side := range []*side{p.row, p.col} {
		if !side.known { // most pairs are decided without
			side.findTwins()
			side.findExchanges()
			side.known = true
		}
	}
	if p.row.rigid() && p.col.rigid() {
		s.exclude(p, i, j)
		return
	}
	rows, cols := p.row.orbit(i, &s.fixedRows), p.col.orbit(j, &s.fixedCols)
	for x := range p.row.n {
		if !rows.has(x) {
			continue
		}
		for y := range p.col.n {
			if cols.has(y) && s.open(p, x, y) {
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
	p := &d.pair
	row, col := p.row, p.col
	total := int32(col.n-row.n)*p.colDrop.node + int32(col.m-row.m)*p.colDrop.edge
	for i := range row.n {
		total += d.costs.relabel(row.label[i], col.label[s.row[i]])
	}
	kinds := len(col.kinds) + 1
	for _, e := range row.edges {
		total += p.sub[int(e.kind)*kinds+int(col.links[int(s.row[e.from])*col.n+int(s.row[e.to])])]
	}
	return total
}
