package gedtest

import (
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// leastCost returns the least cost of edits that turn q into t and its nodes
// into those that m says. An edge between two mapped nodes may be kept, and
// relabelled if need be, or deleted and inserted. It reads the costs by itself,
// so that it judges [edit.Pricing], too.
func leastCost(p *edit.Pricing, q, t *graph.Graph, m edit.NodeMap) float64 {
	c, vocab := p.Costs(), q.Vocabulary()
	free := p.Task() == edit.SED
	nodes := kind{c.NodeInsert, c.NodeDelete, c.NodeSubstitute, c.Nodes, free, vocab.NodeText}
	edges := kind{c.EdgeInsert, c.EdgeDelete, c.EdgeSubstitute, c.Edges, free, vocab.EdgeText}
	total := 0.0
	inverse := make(map[int]int)
	for v, w := range m {
		if w == edit.Deleted {
			total += nodes.remove(q.Label(v))
			continue
		}
		inverse[w] = v
		total += nodes.change(q.Label(v), t.Label(w))
	}
	for w := range t.N() {
		if _, mapped := inverse[w]; !mapped {
			total += nodes.add(t.Label(w))
		}
	}
	for e := range q.Edges() {
		x, y := m[e.From], m[e.To]
		dearest := edges.remove(e.Label)
		if x != edit.Deleted && y != edit.Deleted {
			if l, ok := t.Edge(x, y); ok {
				total += min(edges.change(e.Label, l), dearest+edges.add(l))
				continue
			}
		}
		total += dearest
	}
	for e := range t.Edges() {
		u, mappedFrom := inverse[e.From]
		v, mappedTo := inverse[e.To]
		if mappedFrom && mappedTo {
			if _, ok := q.Edge(u, v); ok {
				continue // with the edge of q
			}
		}
		total += edges.add(e.Label)
	}
	return total
}

// kind holds the costs of nodes or of edges.
type kind struct {
	ins, del, sub float64
	table         *edit.Table
	subgraph      bool // insertions are free and wildcards match
	text          func(graph.Label) string
}

func (k kind) add(b graph.Label) float64 {
	switch {
	case k.subgraph:
		return 0
	case k.table == nil:
		return k.ins
	}
	if x, ok := k.table.Insert[k.text(b)]; ok {
		return x
	}
	return k.table.Default.Insert
}

func (k kind) remove(a graph.Label) float64 {
	if k.table == nil {
		return k.del
	}
	if x, ok := k.table.Delete[k.text(a)]; ok {
		return x
	}
	return k.table.Default.Delete
}

func (k kind) change(a, b graph.Label) float64 {
	switch {
	case k.subgraph && a == graph.Wildcard, k.table == nil && a == b:
		return 0
	case k.table == nil:
		return k.sub
	}
	if x, ok := k.table.Substitute[k.text(a)][k.text(b)]; ok {
		return x
	}
	switch {
	case k.table.Default == nil: // only a label and itself may be left out
		return 0
	case a == b:
		return k.table.Default.Equal
	}
	return k.table.Default.Substitute
}
