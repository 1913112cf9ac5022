package dataset

import (
	"fmt"
	"strconv"

	"github.com/greedgraph/greed/graph"
)

// rawGraph is a graph as a file describes it, before labels are chosen and edges checked. It
// suits many small elements: each is a few numbers, and names, attributes and values are
// consecutive in shared buffers. A decoder reuses one.
type rawGraph struct {
	env              *env
	id, name, smiles string
	directed         bool
	attributes       map[string]any
	line             int

	// names holds the names of the nodes, in order of first mention, and at maps each to a
	// node or to undeclared. If the format numbers the nodes, from first, there are no names.
	names names
	at    []uint32
	first int
	// closed says that an edge to an undeclared node is always an error.
	closed bool

	nodes                []rawNode
	edges                []rawEdge
	nodeAttrs, edgeAttrs attrs
	met                  int // elements, for tick
}

const undeclared = ^uint32(0)

type rawNode struct {
	name, line uint32
	attrs      uint32 // a chain of nodeAttrs
}

// rawEdge joins two names or, in a graph without names, two nodes. rawGraph.resolve replaces
// names by nodes.
type rawEdge struct {
	from, to, line uint32
	attrs          uint32 // a chain of edgeAttrs
}

// mostKept is the greatest number of elements of a graph whose memory is kept for the next one.
const mostKept = 1 << 16

// reset empties g. It keeps its memory, unless the graph was large.
func (g *rawGraph) reset(e *env, line int) {
	if cap(g.nodes) > mostKept || cap(g.edges) > mostKept || cap(g.nodeAttrs.entries) > mostKept ||
		cap(g.edgeAttrs.entries) > mostKept {
		*g = rawGraph{}
	}
	g.names.reset()
	g.nodeAttrs.reset()
	g.edgeAttrs.reset()
	*g = rawGraph{env: e, line: line, names: g.names, at: g.at[:0], nodes: g.nodes[:0], edges: g.edges[:0],
		nodeAttrs: g.nodeAttrs, edgeAttrs: g.edgeAttrs}
}

func (g *rawGraph) setAttribute(key string, value any) {
	if g.attributes == nil {
		g.attributes = make(map[string]any)
	}
	g.attributes[key] = value
}

// setText sets an attribute of the graph.
func (g *rawGraph) setText(key, value string) {
	switch key {
	case nameMember:
		g.name = value
	case smilesMember:
		g.smiles = value
	default:
		g.setAttribute(key, value)
	}
}

// tick is called for every node, edge and attribute of a graph. It returns the context's
// error once that has ended.
func (g *rawGraph) tick() error {
	const every = 1 << 12
	if g.met++; g.met%every == 0 {
		return g.env.ctxErr()
	}
	return nil
}

// mention returns the number of a node's name.
func (g *rawGraph) mention(name string) uint32 {
	number, added := g.names.get(name)
	if added {
		g.at = add(g.at, undeclared)
	}
	return number
}

// declare adds a node, whose name must be new.
func (g *rawGraph) declare(name string, line int, chain uint32) error {
	number := g.mention(name)
	if g.at[number] != undeclared {
		return errAt(line, "node %s is given twice: every node needs an id of its own", quoted(name))
	}
	return g.addNode(number, line, chain)
}

// addNode adds a node for a name.
func (g *rawGraph) addNode(number uint32, line int, chain uint32) error {
	g.at[number] = uint32(len(g.nodes))
	return g.add(rawNode{number, uint32(line), chain})
}

// number adds a node without a name.
func (g *rawGraph) number(line int, chain uint32) error {
	return g.add(rawNode{0, uint32(line), chain})
}

func (g *rawGraph) add(node rawNode) error {
	g.nodes = add(g.nodes, node)
	if most := g.env.opt.MaxNodes; most > 0 && len(g.nodes) > most {
		return errAt(int(node.line), "%w: more than %d nodes", ErrRecordTooLarge, most)
	}
	return g.tick()
}

// connect adds an edge between two nodes by their names.
func (g *rawGraph) connect(from, to string, line int, chain uint32) error {
	return g.join(g.mention(from), g.mention(to), line, chain)
}

// join adds an edge between two names or, in a graph without names, two nodes.
func (g *rawGraph) join(from, to uint32, line int, chain uint32) error {
	g.edges = add(g.edges, rawEdge{from, to, uint32(line), chain})
	if most := g.env.opt.MaxEdges; most > 0 && len(g.edges) > most {
		return errAt(line, "%w: more than %d edges", ErrRecordTooLarge, most)
	}
	return g.tick()
}

// nodeName is how messages refer to a node.
func (g *rawGraph) nodeName(v uint32) string {
	if g.names.len() == 0 {
		return strconv.Itoa(g.first + int(v))
	}
	return string(g.names.at(g.nodes[v].name))
}

// nodeIDs returns the names of the nodes, or nil if they are 0, 1, 2, ...
func (g *rawGraph) nodeIDs() []string {
	if g.names.len() == 0 {
		return nil
	}
	plain := true
	var number [20]byte
	for v, node := range g.nodes {
		if plain = string(g.names.at(node.name)) == string(strconv.AppendInt(number[:0], int64(v), 10)); !plain {
			break
		}
	}
	if plain {
		return nil
	}
	// All ids are substrings of one text.
	text := string(g.names.text)
	ids := make([]string, len(g.nodes))
	for v, node := range g.nodes {
		end := g.names.ends[node.name]
		ids[v] = text[end-uint32(len(g.names.at(node.name))) : end]
	}
	return ids
}

// resolve adds nodes that only edges mention, and makes edges join nodes.
func (g *rawGraph) resolve() error {
	if g.names.len() == 0 {
		return nil
	}
	if len(g.nodes) < g.names.len() {
		if err := g.addUndeclared(); err != nil {
			return err
		}
	}
	for i := range g.edges {
		edge := &g.edges[i]
		edge.from, edge.to = g.at[edge.from], g.at[edge.to]
	}
	return nil
}

func (g *rawGraph) addUndeclared() error {
	missing := 0
	for _, edge := range g.edges {
		for _, end := range [2]uint32{edge.from, edge.to} {
			if g.at[end] != undeclared {
				continue
			}
			if g.closed || g.env.declared() {
				return errAt(int(edge.line), "edge %s-%s: node %s: %w: %s", shorten(string(g.names.at(edge.from))),
					shorten(string(g.names.at(edge.to))), quoted(g.names.at(end)), graph.ErrNodeRange, g.extent())
			}
			missing++
			if err := g.addNode(end, int(edge.line), noAttrs); err != nil {
				return err
			}
		}
	}
	g.env.notes.count(missing, "node occurs only in edges: it was added", "nodes occur only in edges: they were added")
	return nil
}

// extent describes which nodes there are.
func (g *rawGraph) extent() string {
	n := len(g.nodes)
	if n == 0 {
		return "the graph has no nodes"
	}
	return fmt.Sprintf("the graph has %d nodes, from %s to %s", n, quoted(g.nodeName(0)),
		quoted(g.nodeName(uint32(n-1))))
}
