package ged

import (
	"math"
	"slices"
	"sort"

	"github.com/greedgraph/greed/anchor"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
)

// coarse answers where there is not enough memory or time for a search. Its lower bound
// comes from the multisets of labels. Its node map pairs nodes of equal labels, in order of
// degree, or nodes of equal numbers if that costs less, as between two versions of a graph, or is that of package
// anchor.
// first is the map from which a search starts.
func coarse(p *edit.Pricing, u edit.Unit, rest *rest, end *clock.Clock) (r Result, first edit.NodeMap) {
	q, t := rest.q, rest.t
	nodes := min(q.N(), t.N())
	c := p.Costs()
	saved := rest.kept(p, u)
	if c.Nodes == nil {
		match := u.Count(c.NodeDelete) + u.Count(p.NodeInsert(0))
		miss := match - u.Count(c.NodeSubstitute)
		same := min(nodes, commonLabels(p.Task(), q.Labels(), t.Labels()))
		saved += same*match + (nodes-same)*max(0, miss)
	} else {
		most := 0
		for _, a := range distinct(q.Labels()) {
			for _, b := range distinct(t.Labels()) {
				most = max(most, u.Count(p.NodeDelete(a))+u.Count(p.NodeInsert(b))-u.Count(p.NodeSubstitute(a, b)))
			}
		}
		saved += nodes * most
	}
	saved += mostSaved(p, u, edgeLabels(q), edgeLabels(t))
	rest.tiesAt(func(q, t []tie) { saved += mostSaved(p, u, tieLabels(q), tieLabels(t)) })
	r.Upper = math.Inf(1)
	offer := func(m edit.NodeMap) {
		leaveOut(p, q, t, m)
		if cost := u.Sum(edit.InducedCost(p, rest.wholeQ, rest.wholeT, rest.whole(m))); cost < r.Upper {
			r.Map, r.Upper = m, cost
		}
	}
	offer(pairByLabel(q, t))
	offer(pairByNumber(rest))
	first = r.Map
	if !end.Look() {
		m := rest.part(anchor.Map(p, rest.wholeQ, rest.wholeT, rest.fixed, end))
		if offer(m); versions(q, t, r.Map) {
			first = r.Map
		}
	}
	r.Lower = min(r.Upper, max(0, u.Cost(float64(worstCost(p, u, rest.wholeQ, rest.wholeT)-saved))))
	r.Exact = r.Lower == r.Upper
	return r, first
}

// versions reports whether m keeps three of four edges, as between two versions of a graph. From the best map of
// graphs that have less in common local search seldom gets as far as from a worse one: with 300 to 1,000 nodes of
// degree 3 at random it ended 1 to 3 % above.
func versions(q, t *graph.Graph, m edit.NodeMap) bool {
	kept := 0
	for e := range q.Edges() {
		if v, w := m[e.From], m[e.To]; v != edit.Deleted && w != edit.Deleted {
			if _, ok := t.Edge(v, w); ok {
				kept++
			}
		}
	}
	return 4*kept >= 3*max(q.M(), t.M())
}

// mostSaved returns the greatest profit of edges with these labels.
func mostSaved(p *edit.Pricing, u edit.Unit, q, t []graph.Label) int {
	edges, c := min(len(q), len(t)), p.Costs()
	if c.Edges == nil {
		match := u.Count(c.EdgeDelete) + u.Count(p.EdgeInsert(0))
		miss := match - u.Count(c.EdgeSubstitute)
		same := min(edges, commonLabels(p.Task(), q, t))
		return same*match + (edges-same)*max(0, miss)
	}
	mostDelete, mostInsert := 0, 0
	for _, l := range q {
		mostDelete = max(mostDelete, u.Count(p.EdgeDelete(l)))
	}
	for _, l := range t {
		mostInsert = max(mostInsert, u.Count(p.EdgeInsert(l)))
	}
	return edges * (mostDelete + mostInsert)
}

func tieLabels(ties []tie) []graph.Label {
	labels := make([]graph.Label, len(ties))
	for i, x := range ties {
		labels[i] = x.label
	}
	return labels
}

// edgeLabels lists the labels of all edges of g.
func edgeLabels(g *graph.Graph) []graph.Label {
	labels := make([]graph.Label, 0, g.M())
	for e := range g.Edges() {
		labels = append(labels, e.Label)
	}
	return labels
}

// commonLabels returns how many nodes, or edges, can be paired with equal labels.
func commonLabels(task edit.Task, q, t []graph.Label) int {
	count := make(map[graph.Label]int)
	common := 0
	for _, l := range t {
		count[l]++
	}
	for _, l := range q {
		if task == edit.SED && l == graph.Wildcard {
			common++
		} else if count[l] > 0 {
			count[l]--
			common++
		}
	}
	return common
}

func distinct(labels []graph.Label) []graph.Label {
	seen := make(map[graph.Label]bool)
	var list []graph.Label
	for _, l := range labels {
		if !seen[l] {
			seen[l] = true
			list = append(list, l)
		}
	}
	return list
}

// pairByLabel returns the node map of coarse. A node without a partner of its label
// gets any target node that is left.
func pairByLabel(q, t *graph.Graph) edit.NodeMap {
	m := noMap(q)
	taken := make([]bool, t.N())
	free := make(map[graph.Label][]int)
	for _, w := range byDegree(t) {
		free[t.Label(w)] = append(free[t.Label(w)], w)
	}
	var left []int
	for _, v := range byDegree(q) {
		same := free[q.Label(v)]
		if len(same) == 0 {
			left = append(left, v)
			continue
		}
		m[v], free[q.Label(v)] = same[0], same[1:]
		taken[same[0]] = true
	}
	w := 0
	for _, v := range left {
		for w < len(taken) && taken[w] {
			w++
		}
		if w == len(taken) {
			break
		}
		m[v] = w
		w++
	}
	return m
}

// pairByNumber pairs the nodes that have the same number in both whole graphs.
func pairByNumber(r *rest) edit.NodeMap {
	m := noMap(r.q)
	if r.numberQ == nil {
		for v := range min(r.q.N(), r.t.N()) {
			m[v] = v
		}
		return m
	}
	for v, number := range r.numberQ {
		if w, ok := slices.BinarySearch(r.numberT, number); ok {
			m[v] = w
		}
	}
	return m
}

// leaveOut deletes the nodes of q that cost more as they are mapped than deleted, their image inserted, even if
// all of their edges were kept.
func leaveOut(p *edit.Pricing, q, t *graph.Graph, m edit.NodeMap) {
	for v, w := range m {
		if w == edit.Deleted {
			continue
		}
		a, b := q.Label(v), t.Label(w)
		spare := p.NodeDelete(a) + p.NodeInsert(b) - p.NodeSubstitute(a, b)
		if spare >= 0 {
			continue
		}
		for _, e := range q.Out(v) {
			spare += p.EdgeDelete(e.Label)
		}
		for _, e := range t.Out(w) {
			spare += p.EdgeInsert(e.Label)
		}
		if q.Directed() {
			for _, e := range q.In(v) {
				spare += p.EdgeDelete(e.Label)
			}
			for _, e := range t.In(w) {
				spare += p.EdgeInsert(e.Label)
			}
		}
		if spare < 0 {
			m[v] = edit.Deleted
		}
	}
}

// byDegree lists the nodes of g by falling degree.
func byDegree(g *graph.Graph) []int {
	nodes := make([]int, g.N())
	for v := range nodes {
		nodes[v] = v
	}
	sort.SliceStable(nodes, func(i, j int) bool { return g.Degree(nodes[i]) > g.Degree(nodes[j]) })
	return nodes
}
