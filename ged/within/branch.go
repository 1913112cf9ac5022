package within

import (
	"github.com/greedgraph/greed/graph"
)

// compile prepares the pair and reports whether it is supported.
func (d *Decider) compile(q, t *graph.Graph) bool {
	// Classes stay from target to target while the query is the same, because a search
	// asks about one query many times.
	if d.query != q || len(d.classes.label) > mostClasses || len(d.classes.kinds) == kinds {
		d.query = nil
		d.classes = newClasses()
		if !d.read(&d.q, q, d.sed) {
			return false
		}
		d.classes.ask(&d.q)
		d.query = q
	}
	if !d.read(&d.t, t, false) {
		return false
	}
	d.extend()
	d.ways = 1
	if q.Directed() {
		d.ways = 2
	}
	c := &d.costs
	d.row, d.col = &d.q, &d.t
	d.rowDrop, d.colDrop = drop{2 * c.nodeDelete, c.edgeDelete}, drop{2 * c.nodeInsert, c.edgeInsert}
	if d.q.n > d.t.n {
		d.row, d.col = d.col, d.row
		d.rowDrop, d.colDrop = d.colDrop, d.rowDrop
	}
	return true
}

// ask makes the classes of q those of the query.
func (c *classes) ask(q *side) {
	c.index = make([]int32, len(c.label))
	for v := range q.n {
		if k := q.class[v]; c.index[k] == 0 {
			c.query = append(c.query, k)
			c.index[k] = int32(len(c.query))
		}
	}
}

// extend computes the costs of the classes added since it last ran.
func (d *Decider) extend() {
	c := &d.classes
	for ; c.known < len(c.label); c.known++ {
		for _, k := range c.query {
			c.cost = append(c.cost, d.substitute(k, int32(c.known)))
		}
	}
}

// substitute returns the doubled cost of substituting a branch of the target for one of
// the query: that of the node and half of that of every edge.
func (d *Decider) substitute(q, t int32) int32 {
	c, k := &d.costs, &d.classes
	a, b := k.arcs[q], k.arcs[t]
	total := int32(len(a))*c.edgeDelete + int32(len(b))*c.edgeInsert
	for way := range uint8(2) {
		total -= c.kept(ofWay(a, way), ofWay(b, way))
	}
	return total + d.relabel(k.label[q], k.label[t])
}

// kept returns the most that substituting edges b for edges a saves over deleting and
// inserting them. Both are sorted by label, so wildcards come first.
func (c *counts) kept(a, b []arc) int32 {
	wild, equal := int32(0), int32(0)
	pairs := int32(min(len(a), len(b)))
	for len(a) > 0 && a[0].label == wildcard {
		a = a[1:]
		wild++
	}
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0].label, b[0].label; {
		case x < y:
			a = a[1:]
		case x > y:
			b = b[1:]
		default:
			equal++
			a, b = a[1:], b[1:]
		}
	}
	return pairs*(c.edgeDelete+c.edgeInsert-c.edgeSub) + min(pairs, equal+wild)*c.edgeSub
}

func ofWay(arcs []arc, way uint8) []arc {
	from := 0
	for from < len(arcs) && arcs[from].way < way {
		from++
	}
	to := from
	for to < len(arcs) && arcs[to].way == way {
		to++
	}
	return arcs[from:to]
}

// relabel returns the doubled cost of a node's label.
func (d *Decider) relabel(q, t int32) int32 {
	if q == t || q == wildcard || t == wildcard {
		return 0
	}
	return 2 * d.costs.nodeSub
}

// root sets s to the state in which every row may have every column.
func (d *Decider) root(s *state) {
	n, m := d.row.n, d.col.n
	s.n, s.lower = m, 0
	s.cost = resize(s.cost, m*m)
	s.fixedRows, s.fixedCols, s.stale = 0, 0, 0
	k := &d.classes
	width := len(k.query)
	swapped := d.row != &d.q
	for i := range m {
		s.u[i], s.v[i], s.row[i], s.col[i] = 0, 0, -1, -1
		s.domain[i] = 0
		if i < n {
			s.domain[i] = lowest(m)
		}
	}
	for i := range n {
		line := s.cost[i*m : i*m+m]
		if swapped {
			costs := k.cost[int(d.row.class[i])*width:]
			for j := range line {
				line[j] = costs[k.index[d.col.class[j]]-1]
			}
			continue
		}
		at := int(k.index[d.row.class[i]] - 1)
		for j := range line {
			line[j] = k.cost[int(d.col.class[j])*width+at]
		}
	}
	for i := n; i < m; i++ {
		line := s.cost[i*m : i*m+m]
		for j := range line {
			line[j] = d.colDrop.node + (d.col.start[j+1]-d.col.start[j])*d.colDrop.edge
		}
	}
	// Pairs of equal branches are tight under duals of 0, so they are matched at once.
	// This leaves solve fewer rows.
	for i := range n {
		for j, c := range s.cost[i*m : i*m+m] {
			if c == 0 && s.col[j] < 0 {
				s.row[i], s.col[j] = int8(j), int8(i)
				break
			}
		}
	}
}

// lowest returns a word with the n lowest bits set.
func lowest(n int) uint64 { return 1<<uint(n) - 1 }

func resize[T comparable](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
