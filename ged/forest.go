package ged

// forest is a spanning forest of one side.
type forest struct {
	order  []int32 // nodes, parents before children
	parent []int32 // the half-edge from a node to its parent, or -1
}

func (t *forest) setup(g *arcs) {
	const unseen = -2
	n := len(g.start) - 1
	t.order, t.parent = t.order[:0], resize(t.parent, n)
	for v := range t.parent {
		t.parent[v] = unseen
	}
	for root := range n {
		if t.parent[root] != unseen {
			continue
		}
		t.parent[root] = -1
		t.order = append(t.order, int32(root))
		for at := len(t.order) - 1; at < len(t.order); at++ {
			v := t.order[at]
			for _, e := range g.list[g.start[v]:g.start[v+1]] {
				if t.parent[e.to] == unseen {
					t.parent[e.to] = e.rev
					t.order = append(t.order, e.to)
				}
			}
		}
	}
}

// marginals is scratch of [ascent.eliminateByTree]. Losses are by node and far node, which is one of the
// other side; a last one stands for none.
type marginals struct {
	low  []int // what a node and those below it lose
	all  []int // what all nodes of its tree lose
	up   []int // by far node of the parent: the part of its low that a node and those below it lose
	down []int // the same for one node and all that are not below it
	rest []int // by far node of the parent: what it and all that are not below a node lose

	edge  []int    // by far half-edge: what the start of an edge, what hangs on it and the pair lose
	slack [2][]int // by far half-edge: its slack with those of an edge, if these are columns

	far  [leastLosses]int32 // the far nodes of the least losses at an edge that is not mapped
	loss [leastLosses]int
}

// leastLosses is how many far nodes are tried for the other end of an edge that is not mapped. The
// last is taken even if an edge leads there, since its loss is at most that of all others.
const leastLosses = 8

// never is at most what anything loses that is excluded already. A spare that is no less excludes nothing.
const never = 1 << 58

// exceeds reports, without a branch, whether something loses more than spare, which is less than never, and is not
// excluded already.
func exceeds(loss, spare int) bool { return uint(loss-spare-1) < uint(never-spare-1) }

// across is a dual seen from one side.
type across struct {
	*dual
	near, far          *arcs
	nearDual, farDual  []int
	nearStep, farStep  int   // from one profit to the next
	shareStep, farEdge int   // from one share to the next, by half-edges of either side
	ends               []int // the dual values of half-edges in the stars, by far nodes
	forest             *forest
}

// eliminateByTree excludes the pairs of nodes and of half-edges that no map of profit need can
// contain, by what all other nodes of one side lose with them. A map loses the slack of its pairs of
// nodes, that of its pairs of half-edges in both stars, and the dual values there of the half-edges that
// it does not map. Over a spanning forest, two passes of dynamic programming find the least loss of
// all maps with a pair (its min-marginal). Shares may leave losses anywhere along the edges, so the slack
// of a pair alone is often far less. Rows and columns take turns. Flush must have seen all stars
// since shares were changed.
func (s *ascent) eliminateByTree(d *dual, need int) {
	x := s.x
	o := across{d, &x.row, &x.col, d.u, d.v, d.m, 1, x.col.len(), 1, s.rowEnds, &s.rowForest}
	if s.turn++; s.turn%2 == 0 {
		o = across{d, &x.col, &x.row, d.v, d.u, 1, d.m, 1, x.col.len(), s.colEnds, &s.colForest}
	}
	s.eliminateAcross(&o, d.bound-need)
}

func (s *ascent) eliminateAcross(o *across, spare int) {
	spare = min(spare, never-1)
	t, n, none := &s.marginals, len(o.nearDual), len(o.farDual)
	m := none + 1
	work := 8 * (m + o.far.len()) // for a node
	t.low, t.all, t.up = resize(t.low, n*m), resize(t.all, n*m), resize(t.up, n*m)
	t.rest, t.down = resize(t.rest, m), resize(t.down, m)
	for a, u := range o.nearDual {
		if s.clock.Spend(2 * m) {
			return
		}
		low, profit, at := t.low[a*m:a*m+m], o.profit[a*o.nearStep:], 0
		for b, v := range o.farDual {
			low[b] = min(never, u+v-profit[at])
			at += o.farStep
		}
		low[none] = u
	}
	for i := len(o.forest.order) - 1; i >= 0; i-- {
		a := int(o.forest.order[i])
		e := int(o.forest.parent[a])
		if e < 0 {
			continue
		}
		if s.clock.Spend(work) {
			return
		}
		c := int(o.near.list[e].to)
		up, low := t.up[a*m:a*m+m], t.low[c*m:c*m+m]
		s.pass(o, e, t.low[a*m:a*m+m], low, up, never)
		for b, l := range up {
			low[b] = min(never, low[b]+l)
		}
	}
	for _, node := range o.forest.order {
		a := int(node)
		all, low := t.all[a*m:a*m+m], t.low[a*m:a*m+m]
		copy(all, low)
		if e := int(o.forest.parent[a]); e >= 0 {
			if s.clock.Spend(work) {
				return
			}
			c := int(o.near.list[e].to)
			up := t.up[a*m : a*m+m]
			for b, l := range t.all[c*m : c*m+m] {
				rest := l - up[b]
				if l >= never {
					rest = never
				}
				t.rest[b] = rest
			}
			s.pass(o, int(o.near.list[e].rev), t.rest, low, t.down, spare)
			for b, l := range t.down {
				all[b] = min(never, all[b]+l)
			}
		}
		for b, l := range all[:none] {
			if exceeds(l, spare) {
				at := a*o.nearStep + b*o.farStep
				s.kill(o.dual, at/o.m, at%o.m)
			}
		}
	}
}

// pass sets to, for every far node of the node at the end of half-edge e, to the least that the edge
// and, as from says, the node at its start and what hangs on it lose. It excludes the pairs of half-edges
// with which these and own, the node at the end and what hangs on it, lose more than spare. What it sets
// for far nodes that own excludes means nothing.
func (s *ascent) pass(o *across, e int, from, own, to []int, spare int) {
	t, none := &s.marginals, len(o.farDual)
	near := &o.near.list[e]
	back := int(near.rev)
	s.passUnmapped(o, from, o.ends[e*none:e*none+none], o.ends[back*none:back*none+none], to)
	list := o.far.list
	t.edge = resize(t.edge, len(list))
	edge, start, end := t.edge[:len(list)], s.slackAt(o, e, 0)[:len(list)], s.slackAt(o, back, 1)[:len(list)]
	to = to[:len(from)]
	for f := range list {
		h := &list[f]
		l := from[h.to] + start[h.rev] + end[f]
		edge[f] = l
		to[h.from] = min(to[h.from], l)
	}
	if spare >= never {
		return
	}
	for f, l := range edge {
		h := &list[f]
		if exceeds(l+own[h.from], spare) {
			at, rev := back*o.shareStep+f*o.farEdge, e*o.shareStep+int(h.rev)*o.farEdge
			s.part(o.dual, at, rev, int(near.to)*o.nearStep+int(h.from)*o.farStep,
				int(near.from)*o.nearStep+int(h.to)*o.farStep)
		}
	}
}

// slackAt returns the slack of near half-edge e with those of the other side. It uses the given scratch if need be.
func (s *ascent) slackAt(o *across, e, scratch int) []int {
	if o.farEdge == 1 {
		return s.slack[e*o.shareStep : e*o.shareStep+o.far.len()]
	}
	dst := resize(s.marginals.slack[scratch], o.far.len())
	s.marginals.slack[scratch] = dst
	slack, step := s.slack, o.farEdge
	for f, at := 0, e; f < len(dst); f, at = f+1, at+step {
		dst[f] = slack[at]
	}
	return dst
}

// passUnmapped is the part of pass for an edge that is not mapped, whose half-edges have the dual values
// start and end.
func (s *ascent) passUnmapped(o *across, from, start, end, to []int) {
	t, none := &s.marginals, len(end)
	least := t.unmapped(from[:none], start)
	to[none] = from[none]
	if least == 0 {
		for b, l := range end {
			to[b] = from[none] + l
		}
		return
	}
	to[none] = min(to[none], t.loss[0])
	for b, l := range end {
		to[b] = to[none] + l
	}
	// The far node of the least loss is no choice for itself and its neighbours.
	other := func(b int) {
		to[b] = from[none]
		f0, f1 := int(o.far.start[b]), int(o.far.start[b+1])
		for i, c := range t.far[1:least] {
			if i == leastLosses-2 || int(c) != b && !o.far.joins(f0, f1, c) {
				to[b] = min(to[b], t.loss[1+i])
				break
			}
		}
		to[b] += end[b]
	}
	first := int(t.far[0])
	other(first)
	for _, h := range o.far.list[o.far.start[first]:o.far.start[first+1]] {
		other(int(h.to))
	}
}

// unmapped finds the far nodes of least loss for a node whose half-edge, with the given dual values,
// is not mapped. It returns how many it found.
func (t *marginals) unmapped(from, ends []int) (count int) {
	worst := never
	for b, l := range from {
		if l += ends[b]; l >= worst {
			continue
		}
		at := count
		if count < leastLosses {
			count++
		} else {
			at--
		}
		for ; at > 0 && t.loss[at-1] > l; at-- {
			t.loss[at], t.far[at] = t.loss[at-1], t.far[at-1]
		}
		t.loss[at], t.far[at] = l, int32(b)
		if count == leastLosses {
			worst = t.loss[leastLosses-1]
		}
	}
	return count
}

// joins reports whether one of the half-edges from f0 to f1 leads to v.
func (g *arcs) joins(f0, f1 int, v int32) bool {
	for f := f0; f < f1; f++ {
		if g.list[f].to == v {
			return true
		}
	}
	return false
}
