package dataset

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/jsonwalk"
)

// linkEnds says of which types the ids of nodes and the ends of edges are. D3 and others give the ends by
// their positions in the list of nodes, also where nodes have ids.
type linkEnds struct {
	textIDs int
	texts   int // ends that are no whole numbers
}

func (e *linkEnds) id(value []byte) {
	if value[0] == '"' {
		e.textIDs++
	}
}

func (e *linkEnds) end(value []byte) {
	if value[0] == '"' || jsonKind([]byte(jsonName(value))) != integerKind {
		e.texts++
	}
}

// unwrap returns the id of an end that is a node itself, as D3 leaves it after a simulation; if there is none,
// its position.
func (r *nodeLinkReader) unwrap(value []byte) ([]byte, error) {
	switch value[0] {
	case '[':
		return nil, errors.New("an end is a list, expected the id of a node")
	case '{':
	default:
		return value, nil
	}
	var id, index []byte
	walk := jsonwalk.Walk{Text: value}
	err := walk.Members(func(name, value []byte, _ int) error {
		switch string(name) {
		case `"id"`, `"key"`:
			id = value
		case `"index"`:
			index = value
		}
		return r.raw.tick()
	})
	switch {
	case err != nil:
		return nil, err
	case r.numbered && index != nil:
		return index, nil
	case !r.numbered && id != nil && id[0] != '{' && id[0] != '[':
		return id, nil
	}
	return nil, fmt.Errorf("the end %s is an object that names no node by its id", quoted(value))
}

// resolveEnds decides whether the ends of edges are ids or positions. They are ids if all are, and positions
// if no end is the id of a node. If the ids are text and the ends are numbers, either may be meant. What may
// be meant in two ways is an error, and so is an end that is no node.
func (r *nodeLinkReader) resolveEnds() error {
	raw := r.raw
	if r.numbered || raw.names.len() == 0 {
		return nil
	}
	var ends struct{ all, ids, positions, differ int }
	var strange, other *rawEdge // whose end is no id, and whose end means another node as a position
	strangeEnd, otherEnd := "", ""
	for i := range raw.edges {
		edge := &raw.edges[i]
		for _, end := range [2]uint32{edge.from, edge.to} {
			ends.all++
			at := raw.at[end]
			if at != undeclared {
				ends.ids++
			} else if strange == nil {
				strange, strangeEnd = edge, string(raw.names.at(end))
			}
			if p, ok := raw.positionOf(end); ok && r.ends.texts == 0 {
				ends.positions++
				if at != undeclared && uint32(p) != at {
					ends.differ++
					if other == nil {
						other, otherEnd = edge, string(raw.names.at(end))
					}
				}
			}
		}
	}
	byPosition := ends.positions == ends.all
	switch {
	case ends.ids == ends.all && (r.ends.textIDs < len(raw.nodes) || !byPosition || ends.differ == 0):
		return nil
	case ends.ids == ends.all:
		p, _ := strconv.Atoi(otherEnd)
		return errAt(int(other.line), "edges have numbers as ends, and the ids of nodes are texts: %s may be the "+
			"node with this id or the one at this position, %s: give the ends as texts to mean ids",
			otherEnd, quoted(raw.nodeName(uint32(p))))
	case ends.ids == 0 && byPosition:
		raw.env.notes.say("the ends of edges are positions in the list of nodes, from 0: no node has one of them as " +
			"its id")
		for i := range raw.edges {
			edge := &raw.edges[i]
			from, _ := raw.positionOf(edge.from)
			to, _ := raw.positionOf(edge.to)
			edge.from, edge.to = raw.nodes[from].name, raw.nodes[to].name
		}
		return nil
	case byPosition:
		return errAt(int(strange.line), "the end %s of an edge is the id of no node, although other ends are ids; "+
			"as positions in the list of nodes, all ends would be nodes: give the ends as ids of nodes",
			quoted(strangeEnd))
	}
	return errAt(int(strange.line), "edge %s-%s: node %s: %w: %s", shorten(string(raw.names.at(strange.from))),
		shorten(string(raw.names.at(strange.to))), quoted(strangeEnd), graph.ErrNodeRange, raw.extent())
}

// positionOf returns the position in the list of nodes that a name is, if it is one.
func (g *rawGraph) positionOf(name uint32) (int, bool) {
	p, ok := wholeNumber(g.names.at(name))
	return int(p), ok && p < uint64(len(g.nodes))
}
