package dataset

import (
	"slices"

	"github.com/greedgraph/greed/graph"
)

// build makes the record of g. It numbers nodes in order, lets env choose labels, and folds
// self-loops and parallel edges if that is asked for.
func (e *env) build(g *rawGraph) (Record, error) {
	if err := g.resolve(); err != nil {
		return Record{}, err
	}
	var named func(int) []byte
	if g.names.len() > 0 {
		named = func(v int) []byte { return g.names.at(g.nodes[v].name) }
	}
	nodes, at, err := e.labels(&e.nodeChoice, &g.nodeAttrs, len(g.nodes),
		func(v int) uint32 { return g.nodes[v].attrs }, named)
	if err != nil {
		return Record{}, errAt(int(g.nodes[at].line), "node %s: %w", quoted(g.nodeName(uint32(at))), err)
	}
	edges, at, err := e.labels(&e.edgeChoice, &g.edgeAttrs, len(g.edges),
		func(i int) uint32 { return g.edges[i].attrs }, nil)
	if err != nil {
		return Record{}, errAt(int(g.edges[at].line), "edge %s: %w", g.edgeName(g.edges[at]), err)
	}
	rec, err := e.assemble(g, nodes, edges)
	rec.Unread = Unread{Nodes: e.nodeChoice.unread(&g.nodeAttrs), Edges: e.edgeChoice.unread(&g.edgeAttrs)}
	e.unread = e.unread.Or(rec.Unread)
	return rec, err
}

// edgeName is how messages refer to an edge.
func (g *rawGraph) edgeName(edge rawEdge) string {
	return shorten(g.nodeName(edge.from)) + "-" + shorten(g.nodeName(edge.to))
}

// buildPlain is build for a format in which every node and edge has one label, its last
// attribute.
func (e *env) buildPlain(g *rawGraph) (Record, error) {
	e.plain = slices.Grow(e.plain[:0], len(g.nodes)+len(g.edges))
	for _, node := range g.nodes {
		e.plain = append(e.plain, node.attrs)
	}
	for _, edge := range g.edges {
		e.plain = append(e.plain, edge.attrs)
	}
	n := len(g.nodes)
	return e.assemble(g, e.plain[:n:n], e.plain[n:])
}

// assemble makes the record of a resolved graph from the labels chosen.
func (e *env) assemble(g *rawGraph, nodes, edges []uint32) (Record, error) {
	if len(g.nodes) == 0 && e.opt.Strict {
		return Record{}, errAt(g.line, "%w: expected at least one", ErrNoNodes)
	}
	if e.opt.Simplify {
		edges = e.fold(g, nodes, edges)
	}
	b := e.builder(g)
	b.Grow(len(g.nodes), len(g.edges))
	for _, l := range nodes {
		b.AddNodeLabel(g.nodeAttrs.number(l, &e.nodes))
	}
	for i, edge := range g.edges {
		if err := b.AddEdgeLabel(int(edge.from), int(edge.to), g.edgeAttrs.number(edges[i], &e.edges)); err != nil {
			return Record{}, errAt(int(edge.line), "%w", err)
		}
	}
	built, err := b.Build()
	if err != nil {
		return Record{}, err
	}
	return Record{ID: g.id, Name: g.name, SMILES: g.smiles, Graph: built, NodeIDs: g.nodeIDs(),
		Attributes: g.attributes, Line: g.line}, nil
}

// builder returns an empty builder for g, and keeps its memory for the next one unless g is large.
func (e *env) builder(g *rawGraph) *graph.Builder {
	if len(g.nodes) > mostKept || len(g.edges) > mostKept {
		return graph.NewBuilder(e.vocab, g.directed)
	}
	if e.kept == nil || e.kept.Directed() != g.directed {
		e.kept = graph.NewBuilder(e.vocab, g.directed)
	}
	e.kept.Reset()
	return e.kept
}

// number returns the number of a label in the vocabulary.
func (a *attrs) number(l uint32, cache *labelCache) graph.Label {
	switch l {
	case unlabelled:
		return cache.get([]byte(Unlabelled))
	case wildLabel:
		return graph.Wildcard
	}
	return cache.get(a.value(l))
}
