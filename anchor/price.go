package anchor

import (
	"math"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// prices are the profits of mapping nodes and edges: what it costs to delete one and to insert the other, less what
// it costs to change the label.
type prices struct {
	p         *edit.Pricing
	nodesByID bool // profits of nodes depend only on whether labels are equal
	edgesByID bool
	sameNode  float64
	otherNode float64
	sameEdge  float64
	otherEdge float64
	mostEdge  float64
}

func (x *prices) read(p *edit.Pricing) {
	c := p.Costs()
	*x = prices{p: p, nodesByID: c.Nodes == nil && p.Task() != edit.SED, edgesByID: c.Edges == nil &&
		p.Task() != edit.SED}
	if x.nodesByID {
		x.sameNode = c.NodeDelete + p.NodeInsert(0)
		x.otherNode = x.sameNode - c.NodeSubstitute
	}
	x.mostEdge = math.Inf(1)
	if x.edgesByID {
		x.mostEdge = c.EdgeDelete + p.EdgeInsert(0)
		x.sameEdge = c.EdgeDelete + p.EdgeInsert(0)
		x.otherEdge = max(0, x.sameEdge-c.EdgeSubstitute)
	}
}

func (x *prices) node(a, b graph.Label) float64 {
	switch {
	case !x.nodesByID:
		return x.p.NodeDelete(a) + x.p.NodeInsert(b) - x.p.NodeSubstitute(a, b)
	case a == b:
		return x.sameNode
	}
	return x.otherNode
}

func (x *prices) edge(a, b graph.Label) float64 {
	switch {
	case !x.edgesByID:
		return max(0, x.p.EdgeDelete(a)+x.p.EdgeInsert(b)-x.p.EdgeSubstitute(a, b))
	case a == b:
		return x.sameEdge
	}
	return x.otherEdge
}

// worth returns the profit of node v at node w of t and of its edges, if the partners of all other nodes stay.
func (s *matcher) worth(v, w int32) float64 {
	total := s.prices.node(s.q.label[v], s.t.label[w])
	for _, a := range s.q.of(v) {
		x := s.m[a.to]
		if a.to == v {
			x = w
		}
		if x < 0 {
			continue
		}
		if typ, ok := s.t.between(w, x, a.way); ok {
			total += s.prices.edge(a.typ, typ)
		}
	}
	return total
}

// profit returns that of the map.
func (s *matcher) profit() float64 {
	total := 0.0
	for v, w := range s.m {
		if w < 0 {
			continue
		}
		node := s.prices.node(s.q.label[v], s.t.label[w])
		total += node + (s.worth(int32(v), w)-node)/2 // each edge has two ends
	}
	return total
}
