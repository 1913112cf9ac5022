package ged

import (
	"math"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// compile sets p to what is left of a pair and reuses its memory. It reports whether there
// was enough time and memory for that, and is enough memory to search.
func (p *problem) compile(prices *edit.Pricing, u edit.Unit, r *rest, b *budget) bool {
	q, t := r.q, r.t
	p.swapped = q.N() > t.N()
	rows, cols := q, t
	if p.swapped {
		rows, cols = t, q
	}
	costs := prices.Costs()
	ignoreLabels := costs.Edges == nil && costs.EdgeSubstitute == 0
	// Memory is estimated before it is allocated. The node profits alone may be too
	// many; types are counted once the sides are compiled.
	if cellBytes(q, t) > b.memory {
		b.halt(StopMemory)
		return false
	}
	p.keys = append(p.keys[:0], 0)
	p.clock = nil
	if rows.N()*cols.N() > smallCells || rows.M()+cols.M() > smallCells || rows.M()*cols.M() > 16*smallCells {
		p.clock = &b.Clock
	}
	p.compileSide(&p.row, rows, ignoreLabels)
	p.compileSide(&p.col, cols, ignoreLabels)
	p.row.labels, p.col.labels = kinds(q, r.tiesQ), kinds(t, r.tiesT)
	if p.swapped {
		p.row.labels, p.col.labels = p.col.labels, p.row.labels
	}
	p.directed = q.Directed()
	if p.directed {
		p.closeTypes()
	}
	p.types = len(p.keys)
	bytes := p.bytes() + p.levelBytes(0)
	switch {
	case bytes > b.memory:
		b.halt(StopMemory)
		return false
	case !b.Affords(bytes / 4):
		b.halt(StopTime)
		return false
	}
	p.edges = p.edges[:0]
	for v := range p.row.n {
		for _, h := range p.row.of(v) {
			if int(h.to) > v {
				p.edges = append(p.edges, rowEdge{int32(v), h.to, h.typ})
			}
		}
	}

	p.compileEdges(prices, u, ignoreLabels)
	p.full = !p.compileNodes(prices, u, rows, cols)
	p.addTies(prices, u, r)
	p.unit = u
	p.replaced = worstCost(prices, u, r.wholeQ, r.wholeT) - r.kept(prices, u)
	p.worst = p.replaced
	p.scale = 1
	p.off = 0
	if !u.Exact() {
		p.off = elements(r.wholeQ, r.wholeT)
	}
	if p.full {
		p.normalise()
	}
	return !p.clock.Ended()
}

// cellBytes returns the memory of the profits of nodes.
func cellBytes(q, t *graph.Graph) int64 { return 8 * int64(q.N()) * int64(t.N()) }

// smallCells is the number of pairs of nodes up to which every part of the work is
// so quick that looking at the clock within it would cost more than it saves, unless
// edges have very many pairs.
const smallCells = 1 << 12

// bytes returns the memory that p takes once it is compiled.
func (p *problem) bytes() int64 {
	types := int64(p.types)
	return 8*int64(p.row.n)*int64(p.col.n) + 8*types*types + 16*int64(len(p.row.arcs)+len(p.col.arcs))
}

// levelBytes returns the memory of a level in which some rows are fixed.
func (p *problem) levelBytes(fixed int) int64 {
	n, m := int64(p.row.n-fixed), int64(p.col.n-fixed)
	return 8*n*int64(p.col.n) + (4*int64(p.types)+16)*(n+m)
}

// elements returns the number of nodes and edges, which no node map edits more than once.
func elements(q, t *graph.Graph) int { return q.N() + t.N() + q.M() + t.M() }

func (p *problem) compileSide(s *side, g *graph.Graph, ignoreLabels bool) {
	n := g.N()
	s.n = n
	s.symmetries.forget()
	var dense []uint16
	if n <= denseNodes {
		dense = resize(s.dense, n*n)
		clear(dense)
	}
	start, arcs := append(s.start[:0], 0), s.arcs[:0]
	lastKey, typ := uint64(0), int32(0)
	for v := range n {
		out := g.Out(v)
		var in []graph.Arc
		if g.Directed() {
			in = g.In(v)
		}
		for i, j := 0, 0; i < len(out) || j < len(in); {
			to, key := int32(math.MaxInt32), uint64(0)
			if i < len(out) {
				to = out[i].To
			}
			if j < len(in) {
				to = min(to, in[j].To)
			}
			if i < len(out) && out[i].To == to {
				key = typeKey(out[i].Label, ignoreLabels)
				i++
			}
			if j < len(in) && in[j].To == to {
				key |= typeKey(in[j].Label, ignoreLabels) << 32
				j++
			}
			if key != lastKey {
				lastKey, typ = key, p.intern(key)
			}
			arcs = append(arcs, halfEdge{to, typ})
			if dense != nil {
				dense[v*n+int(to)] = uint16(typ)
			}
		}
		start = append(start, int32(len(arcs)))
	}
	s.start, s.arcs, s.dense = start, arcs, dense
}

func typeKey(l graph.Label, ignore bool) uint64 {
	if ignore {
		return 1
	}
	return uint64(l) + 1
}

// intern returns the number of a type. The low half of its key is the label of the
// edge that leaves, plus one; the high half that of the edge that enters.
func (p *problem) intern(key uint64) int32 {
	if len(p.keys) <= fewTypes {
		for i, k := range p.keys {
			if k == key {
				return int32(i)
			}
		}
	} else if i, ok := p.number[key]; ok {
		return i
	}
	p.keys = append(p.keys, key)
	last := int32(len(p.keys) - 1)
	if last == fewTypes {
		if p.number == nil {
			p.number = make(map[uint64]int32)
		}
		clear(p.number)
		for i, k := range p.keys {
			p.number[k] = int32(i)
		}
	} else if last > fewTypes {
		p.number[key] = last
	}
	return last
}

// fewTypes is the number of types up to which a linear scan finds one.
const fewTypes = 16

// closeTypes adds the reverse of every type.
func (p *problem) closeTypes() {
	for i := 0; i < len(p.keys); i++ {
		p.intern(p.keys[i]<<32 | p.keys[i]>>32)
	}
}

// compileEdges fills in the profits of edges.
func (p *problem) compileEdges(prices *edit.Pricing, u edit.Unit, ignoreLabels bool) {
	p.reverse = p.reverse[:0]
	if p.directed {
		for _, k := range p.keys {
			p.reverse = append(p.reverse, p.intern(k<<32|k>>32))
		}
	} else {
		for i := range p.keys {
			p.reverse = append(p.reverse, int32(i))
		}
	}
	p.edge = resize(p.edge, p.types*p.types)
	clear(p.edge[:p.types])
	for a := 1; a < p.types && !p.clock.Spend(8*p.types); a++ {
		p.edge[a*p.types] = 0
		for b := 1; b < p.types; b++ {
			p.edge[a*p.types+b] = p.edgeProfit(prices, u, p.keys[a]&(1<<32-1), p.keys[b]&(1<<32-1)) +
				p.edgeProfit(prices, u, p.keys[a]>>32, p.keys[b]>>32)
		}
	}
	p.uniform = p.types <= 2
	p.plain = !p.directed && prices.Costs().Edges == nil
	p.wild = 0
	p.match, p.miss = 0, 0
	if p.types > 1 {
		c := prices.Costs()
		p.match = u.Count(c.EdgeDelete) + u.Count(prices.EdgeInsert(0))
		p.miss = max(0, p.match-u.Count(c.EdgeSubstitute))
		if ignoreLabels {
			p.miss = p.match
		}
		if prices.Task() == edit.SED && !ignoreLabels {
			p.wild = int32(max(0, slices.Index(p.keys, 1)))
		}
	}
	if p.uniform && p.types == 2 {
		p.match = p.edge[p.types+1]
	}
}

// edgeProfit returns the profit of mapping an edge of the rows to one of the columns.
// a and b are halves of type keys: labels plus one, or 0 for no edge.
func (p *problem) edgeProfit(prices *edit.Pricing, u edit.Unit, a, b uint64) int {
	if a == 0 || b == 0 {
		return 0
	}
	if p.swapped {
		a, b = b, a
	}
	return edgeProfit(prices, u, graph.Label(a-1), graph.Label(b-1))
}

// addTies adds the profits of ties to those of nodes.
func (p *problem) addTies(prices *edit.Pricing, u edit.Unit, r *rest) {
	m := p.col.n
	r.tiesAt(func(q, t []tie) {
		for _, a := range q {
			if p.clock.Spend(8 * len(t)) {
				return
			}
			for _, b := range t {
				i, j := a.node, b.node
				if p.swapped {
					i, j = j, i
				}
				p.node[i*m+j] += edgeProfit(prices, u, a.label, b.label)
			}
		}
	})
}

// compileNodes fills in the profits of nodes and reports whether one is negative.
func (p *problem) compileNodes(prices *edit.Pricing, u edit.Unit, rows, cols *graph.Graph) (negative bool) {
	m := cols.N()
	p.node = resize(p.node, rows.N()*m)
	c := prices.Costs()
	if c.Nodes == nil {
		match := u.Count(c.NodeDelete) + u.Count(prices.NodeInsert(0))
		miss := match - u.Count(c.NodeSubstitute)
		sed := prices.Task() == edit.SED
		for i, a := range rows.Labels() {
			if p.clock.Spend(2 * m) {
				return
			}
			dst := p.node[i*m : i*m+m]
			any := sed && !p.swapped && a == graph.Wildcard
			for j, b := range cols.Labels() {
				x := miss
				if a == b || any || sed && p.swapped && b == graph.Wildcard {
					x = match
				}
				dst[j] = x
			}
		}
		return miss < 0
	}
	for i, a := range rows.Labels() {
		if p.clock.Spend(64 * m) {
			return
		}
		for j, b := range cols.Labels() {
			x, y := a, b
			if p.swapped {
				x, y = b, a
			}
			profit := nodeProfit(prices, u, x, y)
			p.node[i*m+j] = profit
			negative = negative || profit < 0
		}
	}
	return negative
}

// blockCells is the number of pairs of nodes between two looks at the clock.
const blockCells = 1 << 14

// normalise moves the profit that every complete map earns into the constant, and
// divides all profits by their greatest common divisor. Bounds are integers, so a
// coarser unit rounds them further down. Profits of unlabelled graphs become counts
// of common edges, which includes the argument from parity.
func (p *problem) normalise() {
	least, most := math.MaxInt, 0
	for block := range slices.Chunk(p.node, blockCells) {
		if p.clock.Spend(len(block)) {
			return
		}
		for _, x := range block {
			least, most = min(least, x), max(most, x)
		}
	}
	if len(p.node) > 0 && least > 0 {
		for i := range p.node {
			p.node[i] -= least
		}
		p.worst -= least * p.row.n
	}
	node := p.node
	if most == least {
		node = nil // all are 0 now
	}
	g := 0
	for block := range slices.Chunk(node, blockCells) {
		if p.clock.Spend(len(block)) {
			return
		}
		for _, x := range block {
			if g = gcd(g, x); g == 1 {
				return
			}
		}
	}
	for _, x := range p.edge {
		g = gcd(g, x)
	}
	if g <= 1 {
		return
	}
	for i := range node {
		node[i] /= g
	}
	for i := range p.edge {
		p.edge[i] /= g
	}
	p.match /= g
	p.miss /= g
	p.scale *= g
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// worstCost returns the cost of deleting all of q and inserting all of t, the cost of
// profit 0.
func worstCost(p *edit.Pricing, u edit.Unit, q, t *graph.Graph) int {
	c := p.Costs()
	total := 0
	if c.Nodes == nil {
		total += q.N()*u.Count(c.NodeDelete) + t.N()*u.Count(p.NodeInsert(0))
	} else {
		for _, l := range q.Labels() {
			total += u.Count(p.NodeDelete(l))
		}
		for _, l := range t.Labels() {
			total += u.Count(p.NodeInsert(l))
		}
	}
	if c.Edges == nil {
		return total + q.M()*u.Count(c.EdgeDelete) + t.M()*u.Count(p.EdgeInsert(0))
	}
	for e := range q.Edges() {
		total += u.Count(p.EdgeDelete(e.Label))
	}
	for e := range t.Edges() {
		total += u.Count(p.EdgeInsert(e.Label))
	}
	return total
}

// resize returns a slice of length n. It reuses the memory of s if that is enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+min(n/2, 1<<16))
	}
	return s[:n]
}
