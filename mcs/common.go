package mcs

import (
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Common is the subgraph that two graphs share under a node map: the edges that are
// mapped to edges of the same label, each to its own, and whose ends are mapped to nodes of the same
// label, with these ends.
type Common struct {
	Nodes int `json:"nodes"`
	Edges int `json:"edges"`
	// Johnson is the similarity, between 0 and 1, of the graphs by what they share: the
	// square of its number of nodes and edges over the product of theirs (Johnson, 1985; in
	// chemistry Raymond, Gardiner and Willett, 2002). That of two graphs without nodes is 1.
	Johnson float64 `json:"johnson"`
}

// CommonOf returns what q and t share under m. It panics unless m is a node map
// between them.
func CommonOf(q, t *graph.Graph, m edit.NodeMap) Common {
	if err := m.Check(q, t); err != nil {
		panic(err.Error())
	}
	var c Common
	shared := make([]bool, q.N())
	same := func(v int) bool { return m[v] != edit.Deleted && q.Label(v) == t.Label(m[v]) }
	last := graph.Edge{From: -1}
	parallel := 0 // with the same label, before e
	for e := range q.Edges() {
		if parallel++; e != last {
			last, parallel = e, 0
		}
		if !same(e.From) || !same(e.To) {
			continue
		}
		equal := 0
		for _, a := range t.Between(m[e.From], m[e.To]) {
			if a.Label == e.Label {
				equal++
			}
		}
		if parallel < equal {
			c.Edges++
			shared[e.From], shared[e.To] = true, true
		}
	}
	for _, is := range shared {
		if is {
			c.Nodes++
		}
	}
	c.Johnson = johnson(c.Nodes+c.Edges, q.N()+q.M(), t.N()+t.M())
	return c
}

// johnson returns the similarity of two graphs by their sizes and that of what they share.
func johnson(shared, q, t int) float64 {
	if q+t == 0 {
		return 1
	}
	return float64(shared) * float64(shared) / max(1, float64(q)*float64(t))
}
