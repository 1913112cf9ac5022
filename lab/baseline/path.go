package baseline

import (
	"container/heap"
	"context"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// paths is the search tree of A* between two graphs: a state maps the first nodes of the
// query, in their order, to target nodes or deletes them.
type paths struct {
	price *edit.Pricing
	q, t  *graph.Graph
	most  int   // query nodes that are deleted, at most
	left  []int // [query nodes + 1] edges of the query that are open at a depth
}

// newPaths returns the tree. Where it costs no more to relabel a node than to delete and
// insert one, only query nodes beyond the number of target nodes need be deleted: a
// deleted and an inserted node, mapped to each other, cost no more, and neither do their
// edges.
func newPaths(price *edit.Pricing, q, t *graph.Graph) *paths {
	p := &paths{price, q, t, q.N(), make([]int, q.N()+1)}
	for e := range q.Edges() {
		for depth := range max(e.From, e.To) + 1 {
			p.left[depth]++
		}
	}
	if c := price.Costs(); c.Nodes == nil && c.Edges == nil && c.NodeSubstitute <= c.NodeDelete+c.NodeInsert {
		p.most = max(0, q.N()-t.N())
	}
	return p
}

// state is a node of the tree.
type state struct {
	parent *state
	depth  int     // query nodes mapped
	to     int     // of the last one: a target node or [edit.Deleted]
	paid   float64 // cost of the edits decided; of whole states all
	least  float64 // lower bound of what the rest costs
	total  float64 // paid and what the rest is predicted to cost
	serial int     // order of making
}

// nodes returns the map of a state, [depth], and which target nodes it takes.
func (p *paths) nodes(s *state) (m []int, taken []bool) {
	m, taken = make([]int, s.depth), make([]bool, p.t.N())
	for ; s.depth > 0; s = s.parent {
		m[s.depth-1] = s.to
		if s.to != edit.Deleted {
			taken[s.to] = true
		}
	}
	return m, taken
}

// step returns what it costs to map the next query node, after those of m, to a target
// node or to delete it.
func (p *paths) step(m []int, to int) float64 {
	u := len(m)
	cost := 0.0
	if to == edit.Deleted {
		cost = p.price.NodeDelete(p.q.Label(u))
	} else {
		cost = p.price.NodeSubstitute(p.q.Label(u), p.t.Label(to))
	}
	for v, w := range m {
		cost += p.edge(u, v, to, w)
		if p.q.Directed() {
			cost += p.edge(v, u, w, to)
		}
	}
	return cost
}

// edge returns the cost of turning what joins u to v in the query into what joins w to x
// in the target.
func (p *paths) edge(u, v, w, x int) float64 {
	l, there := p.q.Edge(u, v)
	if w == edit.Deleted || x == edit.Deleted {
		if there {
			return p.price.EdgeDelete(l)
		}
		return 0
	}
	k, here := p.t.Edge(w, x)
	switch {
	case there && here:
		return p.price.EdgeSubstitute(l, k)
	case there:
		return p.price.EdgeDelete(l)
	case here:
		return p.price.EdgeInsert(k)
	}
	return 0
}

// least returns a lower bound of what the rest costs where so many nodes and edges are
// open on either side: that of their difference.
func (p *paths) least(nodesQ, nodesT, edgesQ, edgesT int) float64 {
	c := p.price.Costs()
	if c.Nodes != nil || c.Edges != nil {
		return 0
	}
	return float64(max(0, nodesQ-nodesT))*c.NodeDelete + float64(max(0, nodesT-nodesQ))*c.NodeInsert +
		float64(max(0, edgesQ-edgesT))*c.EdgeDelete + float64(max(0, edgesT-edgesQ))*c.EdgeInsert
}

// rest returns the cost of inserting what a map of all query nodes leaves.
func (p *paths) rest(taken []bool) float64 {
	cost := 0.0
	for v, is := range taken {
		if !is {
			cost += p.price.NodeInsert(p.t.Label(v))
		}
	}
	for e := range p.t.Edges() {
		if !taken[e.From] || !taken[e.To] {
			cost += p.price.EdgeInsert(e.Label)
		}
	}
	return cost
}

// predictor returns what the rest of each child of a state is predicted to cost: the
// first depth query nodes are mapped, and the target nodes taken, with those of the
// children besides.
type predictor func(depth int, taken []bool, children []int) []float64

// diveEvery is the number of states between dives. Where many states are predicted to
// cost about the same, A* hardly ever gets to the end of one by itself.
const diveEvery = 10

// search finds a cheap map by A* with a learnt heuristic. From the first state, and from
// every [diveEvery]-th, it dives: it takes the best child of each until there is a map.
// States that cost as much as the cheapest map so far, with the difference of the numbers
// of nodes and edges that are open, are left out. The search ends by itself with the first
// map that it would go on from, or when nothing is left; after limit states, besides those
// of dives, it ends with the cheapest map it has seen. whole reports whether it ended by
// itself; with a heuristic that may be too high, that does not prove the cost to be least.
func (p *paths) search(ctx context.Context, limit int, predict predictor) (cost float64, m edit.NodeMap, whole bool) {
	serial := 0
	open := queue{{}}
	found := p.dive(open[0], predict, &serial)
	for expanded := 0; ; expanded++ {
		if len(open) == 0 {
			whole = true
			break
		}
		s := heap.Pop(&open).(*state)
		if s.depth == p.q.N() {
			found = cheaper(found, s)
			whole = true
			break
		}
		if expanded >= limit || ctx.Err() != nil {
			break
		}
		if s.paid+s.least >= found.paid {
			continue // a map that costs less was found since
		}
		if expanded%diveEvery == 0 && expanded > 0 {
			found = cheaper(found, p.dive(s, predict, &serial))
		}
		for _, c := range p.expand(s, predict, &serial) {
			switch {
			case c.paid+c.least >= found.paid:
			case c.depth == p.q.N():
				found = c
				heap.Push(&open, c)
			default:
				heap.Push(&open, c)
			}
		}
	}
	mapped, _ := p.nodes(found)
	return p.costOf(mapped), mapped, whole
}

// cheaper returns the whole state that costs less, the first of equal ones.
func cheaper(a, b *state) *state {
	if b.paid < a.paid {
		return b
	}
	return a
}

func (p *paths) costOf(m []int) float64 { return edit.InducedCost(p.price, p.q, p.t, m) }

// dive takes the best child of each state, until all query nodes are mapped.
func (p *paths) dive(s *state, predict predictor, serial *int) *state {
	if p.q.N() == 0 {
		s.paid = p.rest(make([]bool, p.t.N()))
	}
	for s.depth < p.q.N() {
		var next *state
		for _, c := range p.expand(s, predict, serial) {
			if next == nil || c.total < next.total {
				next = c
			}
		}
		s = next
	}
	return s
}

func (p *paths) expand(s *state, predict predictor, serial *int) []*state {
	m, taken := p.nodes(s)
	var to []int
	for v, is := range taken {
		if !is {
			to = append(to, v)
		}
	}
	deleted := 0
	for _, v := range m {
		if v == edit.Deleted {
			deleted++
		}
	}
	if deleted < p.most {
		to = append(to, edit.Deleted)
	}
	children := make([]*state, len(to))
	for i, v := range to {
		*serial++
		children[i] = &state{parent: s, depth: s.depth + 1, to: v, paid: s.paid + p.step(m, v), serial: *serial}
	}
	if s.depth+1 == p.q.N() {
		for i, c := range children {
			if to[i] != edit.Deleted {
				taken[to[i]] = true
			}
			c.paid += p.rest(taken)
			c.total = c.paid
			if to[i] != edit.Deleted {
				taken[to[i]] = false
			}
		}
		return children
	}
	open, edges := 0, p.t.M()
	for _, is := range taken {
		if !is {
			open++
		}
	}
	for e := range p.t.Edges() {
		if taken[e.From] && taken[e.To] {
			edges--
		}
	}
	for i, h := range predict(s.depth+1, taken, to) {
		c, nodesT, edgesT := children[i], open, edges
		if v := to[i]; v != edit.Deleted {
			nodesT--
			edgesT -= p.within(v, taken)
		}
		c.least = p.least(p.q.N()-c.depth, nodesT, p.left[c.depth], edgesT)
		c.total = c.paid + max(h, c.least)
	}
	return children
}

// within returns how many edges join a target node and those that are taken.
func (p *paths) within(v int, taken []bool) int {
	n := 0
	for w, is := range taken {
		if !is {
			continue
		}
		if _, there := p.t.Edge(v, w); there {
			n++
		}
		if p.t.Directed() {
			if _, there := p.t.Edge(w, v); there {
				n++
			}
		}
	}
	return n
}

// queue orders states by what they are predicted to cost in all, then the deeper first,
// then the earlier.
type queue []*state

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	if a.total != b.total {
		return a.total < b.total
	}
	if a.depth != b.depth {
		return a.depth > b.depth
	}
	return a.serial < b.serial
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*state)) }
func (q *queue) Pop() any {
	old := *q
	s := old[len(old)-1]
	*q = old[:len(old)-1]
	return s
}
