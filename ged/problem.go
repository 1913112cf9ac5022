package ged

import (
	"math"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// problem is a pair of graphs as the search sees it. Rows are the nodes of the
// smaller graph, columns those of the other. To be maximised over partial
// injections f from rows to columns is the profit
//
//	Σ_i node[i, f(i)] + Σ_{i<k} edge[type(i,k), type(f(i), f(k))],
//
// and cost = worst − unit·profit. A type stands for everything between two
// nodes: the label of their edge or, in directed graphs, the labels of both
// directions. Type 0 is "no edge", of no profit.
//
// The profit of an element is what its two deletions and insertions cost more
// than its substitution. It may be negative, where costs break the triangle
// inequality; then it can pay to leave rows out.
type problem struct {
	swapped  bool // rows are the target's nodes
	row, col side
	node     []int // [row.n, col.n]
	types    int   // 0 included
	edge     []int // [types, types], row type first
	reverse  []int32
	keys     []uint64
	edges    []rowEdge // of the rows, each once

	// match, miss are the profits of edges of equal and of different type, if
	// nothing else matters (plain); with one type only, uniform.
	plain, uniform bool
	match, miss    int
	wild           int32 // type of a wildcard edge of the query, 0: none

	full  bool    // some best f leaves no row out
	unit  unit    // of the two costs that follow
	worst int     // cost of profit 0
	scale int     // cost of one unit of profit
	slack float64 // bound on the cost lost by rounding
}

// side is one graph: half-edges by node, by increasing end.
type side struct {
	n     int
	start []int32
	arcs  []halfEdge
	dense []uint16 // [n, n] types; nil for large graphs

	twin     []int32 // see twins
	twinless bool
}

type halfEdge struct {
	to, typ int32
}

type rowEdge struct {
	from, to, typ int32
}

// denseNodes is the size up to which a type matrix is kept, 128 KiB.
const denseNodes = 256

func (s *side) of(v int) []halfEdge { return s.arcs[s.start[v]:s.start[v+1]] }

// typ returns the type between v and w.
func (s *side) typ(v, w int) int {
	if s.dense != nil {
		return int(s.dense[v*s.n+w])
	}
	arcs := s.of(v)
	i, ok := slices.BinarySearchFunc(arcs, int32(w), func(h halfEdge, w int32) int { return int(h.to) - int(w) })
	if !ok {
		return 0
	}
	return int(arcs[i].typ)
}

// compile sets p to the pair (q, t), reusing its memory.
func (p *problem) compile(prices *edit.Pricing, u unit, q, t *graph.Graph) {
	p.swapped = q.N() > t.N()
	rows, cols := q, t
	if p.swapped {
		rows, cols = t, q
	}
	costs := prices.Costs()
	ignoreLabels := costs.Edges == nil && costs.EdgeSubstitute == 0
	p.keys = append(p.keys[:0], 0)
	p.compileSide(&p.row, rows, ignoreLabels)
	p.compileSide(&p.col, cols, ignoreLabels)
	p.types = len(p.keys)
	p.edges = p.edges[:0]
	for v := range p.row.n {
		for _, h := range p.row.of(v) {
			if int(h.to) > v {
				p.edges = append(p.edges, rowEdge{int32(v), h.to, h.typ})
			}
		}
	}

	negative := p.compileEdges(prices, u, q.Directed(), ignoreLabels)
	if p.compileNodes(prices, u, rows, cols) {
		negative = true
	}
	p.full = !negative
	p.unit = u
	p.worst = worstCost(prices, u, q, t)
	p.scale = 1
	p.slack = 0
	if !u.exact {
		p.slack = roundingLoss(u, q, t)
	}
	p.row.twins(func(v, w int) bool { return rows.Label(v) == rows.Label(w) })
	p.col.twins(func(v, w int) bool { return cols.Label(v) == cols.Label(w) })
	if p.full {
		p.normalise()
	}
}

// roundingLoss bounds what rounding all costs to u can change of a distance.
func roundingLoss(u unit, q, t *graph.Graph) float64 {
	return 3 / u.perOne * float64(q.N()+t.N()+q.M()+t.M())
}

func (p *problem) compileSide(s *side, g *graph.Graph, ignoreLabels bool) {
	n := g.N()
	s.n = n
	s.start = append(s.start[:0], 0)
	s.arcs = s.arcs[:0]
	for v := range n {
		out := g.Out(v)
		var in []graph.Arc
		if g.Directed() {
			in = g.In(v)
		}
		for len(out) > 0 || len(in) > 0 {
			var to int32
			var key uint64
			leaves := len(in) == 0 || len(out) > 0 && out[0].To <= in[0].To
			enters := len(out) == 0 || len(in) > 0 && in[0].To <= out[0].To
			if leaves {
				to, key = out[0].To, typeKey(out[0].Label, ignoreLabels)
				out = out[1:]
			}
			if enters {
				to, key = in[0].To, key|typeKey(in[0].Label, ignoreLabels)<<32
				in = in[1:]
			}
			s.arcs = append(s.arcs, halfEdge{to, p.intern(key)})
		}
		s.start = append(s.start, int32(len(s.arcs)))
	}
	if n > denseNodes {
		s.dense = nil
		return
	}
	s.dense = resize(s.dense, n*n)
	clear(s.dense)
	for v := range n {
		for _, h := range s.of(v) {
			s.dense[v*n+int(h.to)] = uint16(h.typ)
		}
	}
}

func typeKey(l graph.Label, ignore bool) uint64 {
	if ignore {
		return 1
	}
	return uint64(l) + 1
}

// intern numbers a type: the label of the edge that leaves, plus one, in the
// low half and of the one that enters in the high half.
func (p *problem) intern(key uint64) int32 {
	for i, k := range p.keys {
		if k == key {
			return int32(i)
		}
	}
	p.keys = append(p.keys, key)
	return int32(len(p.keys) - 1)
}

// compileEdges fills in the profits of edges and tells whether one is negative.
func (p *problem) compileEdges(prices *edit.Pricing, u unit, directed, ignoreLabels bool) (negative bool) {
	p.reverse = p.reverse[:0]
	if directed {
		for i := 0; i < len(p.keys); i++ {
			p.intern(p.keys[i]<<32 | p.keys[i]>>32)
		}
		p.types = len(p.keys)
		for _, k := range p.keys {
			p.reverse = append(p.reverse, p.intern(k<<32|k>>32))
		}
	} else {
		for i := range p.keys {
			p.reverse = append(p.reverse, int32(i))
		}
	}
	p.edge = resize(p.edge, p.types*p.types)
	clear(p.edge)
	for a := 1; a < p.types; a++ {
		for b := 1; b < p.types; b++ {
			x := p.edgeProfit(prices, u, p.keys[a]&(1<<32-1), p.keys[b]&(1<<32-1)) +
				p.edgeProfit(prices, u, p.keys[a]>>32, p.keys[b]>>32)
			p.edge[a*p.types+b] = x
			negative = negative || x < 0
		}
	}
	p.uniform = p.types <= 2
	p.plain = !directed && prices.Costs().Edges == nil
	p.wild = 0
	p.match, p.miss = 0, 0
	if p.types > 1 {
		c := prices.Costs()
		p.match = u.count(c.EdgeDelete) + u.count(prices.EdgeInsert(0))
		p.miss = p.match - u.count(c.EdgeSubstitute)
		if ignoreLabels {
			p.miss = p.match
		}
		if prices.Task() == edit.SED && !ignoreLabels {
			p.wild = int32(max(0, slices.Index(p.keys, 1)))
		}
		p.plain = p.plain && p.miss >= 0
	}
	if p.uniform && p.types == 2 {
		p.match = max(0, p.edge[p.types+1])
	}
	return negative
}

// edgeProfit returns what mapping two half-types saves: labels plus one, 0 for
// none. The first is that of the rows.
func (p *problem) edgeProfit(prices *edit.Pricing, u unit, a, b uint64) int {
	if a == 0 || b == 0 {
		return 0
	}
	if p.swapped {
		a, b = b, a
	}
	x, y := graph.Label(a-1), graph.Label(b-1)
	return u.count(prices.EdgeDelete(x)) + u.count(prices.EdgeInsert(y)) - u.count(prices.EdgeSubstitute(x, y))
}

// compileNodes fills in the profits of nodes and tells whether one is negative.
func (p *problem) compileNodes(prices *edit.Pricing, u unit, rows, cols *graph.Graph) (negative bool) {
	m := cols.N()
	p.node = resize(p.node, rows.N()*m)
	c := prices.Costs()
	if c.Nodes == nil {
		match := u.count(c.NodeDelete) + u.count(prices.NodeInsert(0))
		miss := match - u.count(c.NodeSubstitute)
		sed := prices.Task() == edit.SED
		for i, a := range rows.Labels() {
			dst := p.node[i*m : i*m+m]
			for j, b := range cols.Labels() {
				dst[j] = miss
				if a == b || sed && (!p.swapped && a == graph.Wildcard || p.swapped && b == graph.Wildcard) {
					dst[j] = match
				}
			}
		}
		return miss < 0
	}
	for i, a := range rows.Labels() {
		for j, b := range cols.Labels() {
			x, y := a, b
			if p.swapped {
				x, y = b, a
			}
			profit := u.count(prices.NodeDelete(x)) + u.count(prices.NodeInsert(y)) - u.count(prices.NodeSubstitute(x, y))
			p.node[i*m+j] = profit
			negative = negative || profit < 0
		}
	}
	return negative
}

// normalise moves what every complete f earns into the constant and divides
// all profits by their greatest common divisor. Unlabelled graphs then count
// in common edges, which is what parity amounts to.
func (p *problem) normalise() {
	if len(p.node) > 0 {
		least := slices.Min(p.node)
		if least > 0 {
			for i := range p.node {
				p.node[i] -= least
			}
			p.worst -= least * p.row.n
		}
	}
	g := 0
	for _, x := range p.node {
		if g == 1 {
			return
		}
		g = gcd(g, x)
	}
	for _, x := range p.edge {
		g = gcd(g, x)
	}
	if g <= 1 {
		return
	}
	for i := range p.node {
		p.node[i] /= g
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

// worstCost returns the cost of deleting all of q and inserting all of t.
func worstCost(p *edit.Pricing, u unit, q, t *graph.Graph) int {
	c := p.Costs()
	total := 0
	if c.Nodes == nil {
		total += q.N()*u.count(c.NodeDelete) + t.N()*u.count(p.NodeInsert(0))
	} else {
		for _, l := range q.Labels() {
			total += u.count(p.NodeDelete(l))
		}
		for _, l := range t.Labels() {
			total += u.count(p.NodeInsert(l))
		}
	}
	if c.Edges == nil {
		return total + q.M()*u.count(c.EdgeDelete) + t.M()*u.count(p.EdgeInsert(0))
	}
	for e := range q.Edges() {
		total += u.count(p.EdgeDelete(e.Label))
	}
	for e := range t.Edges() {
		total += u.count(p.EdgeInsert(e.Label))
	}
	return total
}

// cost returns the cost of a node map of the given profit.
func (p *problem) cost(profit int) float64 {
	return float64(p.worst-profit*p.scale) / p.unit.perOne
}

// lowerCost returns a lower bound of the cost where no profit exceeds the given.
func (p *problem) lowerCost(profit int) float64 { return p.cost(profit) - p.slack }

// profitWithin returns the least profit of a node map that costs at most the
// given.
func (p *problem) profitWithin(cost float64) int {
	return int(math.Ceil((float64(p.worst) - clampCost(cost)*p.unit.perOne*(1+1e-12)) / float64(p.scale)))
}

// profitBelow returns the least profit of a node map that costs less than the
// given.
func (p *problem) profitBelow(cost float64) int {
	return int(math.Floor((float64(p.worst)-clampCost(cost)*p.unit.perOne*(1-1e-12))/float64(p.scale))) + 1
}

// clampCost keeps bounds that nothing can reach within integers.
func clampCost(cost float64) float64 { return min(max(cost, -1), 1<<40) }

// profit returns that of f, the column of every row or -1.
func (p *problem) profit(f []int32) int {
	total := 0
	m := p.col.n
	for i, j := range f {
		if j >= 0 {
			total += p.node[i*m+int(j)]
		}
	}
	dense := p.col.dense
	for _, e := range p.edges {
		j, l := int(f[e.from]), int(f[e.to])
		if j < 0 || l < 0 {
			continue
		}
		if dense != nil {
			total += p.edge[int(e.typ)*p.types+int(dense[j*m+l])]
		} else {
			total += p.edge[int(e.typ)*p.types+p.col.typ(j, l)]
		}
	}
	return total
}

// nodeMap turns f into a node map from query to target.
func (p *problem) nodeMap(f []int32) edit.NodeMap {
	if !p.swapped {
		m := make(edit.NodeMap, len(f))
		for i, j := range f {
			m[i] = int(j)
		}
		return m
	}
	m := make(edit.NodeMap, p.col.n)
	for j := range m {
		m[j] = edit.Deleted
	}
	for i, j := range f {
		if j >= 0 {
			m[j] = i
		}
	}
	return m
}

// resize returns a slice of length n, of s's memory if it suffices.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
