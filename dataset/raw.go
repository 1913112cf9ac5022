package dataset

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/greedgraph/greed/graph"
)

// rawGraph is a graph as a format with named nodes and attributes tells it,
// before labels are chosen and edges checked.
type rawGraph struct {
	id, name, smiles string
	directed         bool
	meta             map[string]any
	line             int
	nodes            []rawNode
	edges            []rawEdge
}

type rawNode struct {
	id    string
	line  int
	attrs []attr
}

type rawEdge struct {
	from, to string
	line     int
	attrs    []attr
}

func (g *rawGraph) setMeta(key string, value any) {
	if g.meta == nil {
		g.meta = make(map[string]any)
	}
	g.meta[key] = value
}

// rawLabels are the label texts of a rawGraph whose nodes are numbered.
type rawLabels struct {
	nodes []label
	edges []labelledEdge
}

// label is a text or the wildcard.
type label struct {
	text string
	wild bool
}

type labelledEdge struct {
	from, to int
	label
	line int
}

// build makes the record of g: nodes numbered in their order, labels by the
// choice of env, self-loops and parallel edges refused or folded.
func (e *env) build(g *rawGraph) (Record, error) {
	if len(g.nodes) == 0 {
		return Record{}, errAt(g.line, "%w: expected at least one", ErrNoNodes)
	}
	number, err := numberNodes(g)
	if err != nil {
		return Record{}, err
	}
	labels, err := e.labels(g, number)
	if err != nil {
		return Record{}, err
	}
	built, err := e.assemble(labels, g.directed, g.nodeName)
	if err != nil {
		return Record{}, err
	}
	return Record{ID: g.id, Name: g.name, SMILES: g.smiles, Graph: built, NodeIDs: g.nodeIDs(), Meta: g.meta, Line: g.line}, nil
}

func (g *rawGraph) nodeName(v int) string { return g.nodes[v].id }

// nodeIDs returns the names of the nodes, or nil if they are 0, 1, 2, ...
func (g *rawGraph) nodeIDs() []string {
	plain := true
	ids := make([]string, len(g.nodes))
	for v, node := range g.nodes {
		ids[v] = node.id
		plain = plain && node.id == strconv.Itoa(v)
	}
	if plain {
		return nil
	}
	return ids
}

func numberNodes(g *rawGraph) (map[string]int, error) {
	number := make(map[string]int, len(g.nodes))
	for v, node := range g.nodes {
		if _, ok := number[node.id]; ok {
			return nil, errAt(node.line, "node %s is given twice: every node needs an id of its own", quoted(node.id))
		}
		number[node.id] = v
	}
	return number, nil
}

func (e *env) labels(g *rawGraph, number map[string]int) (rawLabels, error) {
	var out rawLabels
	lists := make([][]attr, len(g.nodes))
	for v, node := range g.nodes {
		lists[v] = node.attrs
	}
	e.nodeChoice.choose(e, lists)
	for _, node := range g.nodes {
		l, err := e.label(&e.nodeChoice, node.attrs)
		if err != nil {
			return out, errAt(node.line, "node %s: %w", quoted(node.id), err)
		}
		out.nodes = append(out.nodes, l)
	}
	lists = lists[:0]
	for _, edge := range g.edges {
		lists = append(lists, edge.attrs)
	}
	e.edgeChoice.choose(e, lists)
	for _, edge := range g.edges {
		ends := [2]int{}
		for i, id := range [2]string{edge.from, edge.to} {
			v, ok := number[id]
			if !ok {
				return out, errAt(edge.line, "edge %s-%s: node %s: %w: the graph has %d nodes, from %s to %s",
					shorten(edge.from), shorten(edge.to), quoted(id), graph.ErrNodeRange, len(g.nodes), quoted(g.nodes[0].id), quoted(g.nodes[len(g.nodes)-1].id))
			}
			ends[i] = v
		}
		l, err := e.label(&e.edgeChoice, edge.attrs)
		if err != nil {
			return out, errAt(edge.line, "edge %s-%s: %w", shorten(edge.from), shorten(edge.to), err)
		}
		out.edges = append(out.edges, labelledEdge{ends[0], ends[1], l, edge.line})
	}
	return out, nil
}

func (e *env) label(c *choice, attrs []attr) (label, error) {
	if a, ok := findAttr(attrs, wildcardAttr); ok && a.kind == booleanKind && a.value == "true" {
		return label{wild: true}, nil
	}
	text, err := c.label(e, attrs)
	return label{text: text}, err
}

// assemble builds the graph; name tells what messages call a node.
func (e *env) assemble(labels rawLabels, directed bool, name func(int) string) (*graph.Graph, error) {
	if e.opt.Simplify {
		e.fold(&labels, directed)
	}
	b := graph.NewBuilder(e.vocab, directed)
	for _, l := range labels.nodes {
		if l.wild {
			b.AddNodeLabel(graph.Wildcard)
		} else {
			b.AddNodeLabel(e.nodes.get([]byte(l.text)))
		}
	}
	for _, edge := range labels.edges {
		if edge.from == edge.to {
			return nil, errAt(edge.line, "edge %s-%s is a %w (--simplify folds it into the label of the node)",
				shorten(name(edge.from)), shorten(name(edge.to)), graph.ErrSelfLoop)
		}
		l := graph.Wildcard
		if !edge.wild {
			l = e.edges.get([]byte(edge.text))
		}
		if err := b.AddEdgeLabel(edge.from, edge.to, l); err != nil {
			return nil, errAt(edge.line, "%w", err)
		}
	}
	g, err := b.Build()
	if errors.Is(err, graph.ErrDuplicateEdge) {
		return nil, duplicate(labels.edges, directed, name)
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

// pair is the ends of an edge, in order of size where direction does not count.
func (edge labelledEdge) pair(directed bool) [2]int {
	if !directed && edge.from > edge.to {
		return [2]int{edge.to, edge.from}
	}
	return [2]int{edge.from, edge.to}
}

// duplicate tells where an edge is given for the second time.
func duplicate(edges []labelledEdge, directed bool, name func(int) string) error {
	first := make(map[[2]int]int, len(edges))
	for _, edge := range edges {
		ends := edge.pair(directed)
		line, ok := first[ends]
		if !ok {
			first[ends] = edge.line
			continue
		}
		where := ""
		if line > 0 {
			where = fmt.Sprintf(", first on line %d", line)
		}
		return errAt(edge.line, "edge %s-%s: %w%s (--simplify folds parallel edges into one)",
			shorten(name(edge.from)), shorten(name(edge.to)), graph.ErrDuplicateEdge, where)
	}
	panic("dataset: no duplicate edge found")
}
