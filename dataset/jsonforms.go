package dataset

import (
	"errors"
	"fmt"

	"github.com/greedgraph/greed/internal/jsonwalk"
)

// flat reads Cytoscape's list of nodes and edges. An element is an edge if it has a source, or its group says so.
func (r *nodeLinkReader) flat(name string, list jsonMember) error {
	isEdge := func(object []byte) (edge bool) {
		walk := jsonwalk.Walk{Text: object}
		_ = walk.Members(func(name, value []byte, _ int) error {
			switch {
			case string(name) == `"group"`:
				edge = edge || string(value) == `"edges"`
			case string(name) == `"data"` && value[0] == '{':
				inner := jsonwalk.Walk{Text: value}
				return inner.Members(func(name, _ []byte, _ int) error {
					edge = edge || string(name) == `"source"`
					return nil
				})
			}
			return nil
		})
		return edge
	}
	// Edges may come before their nodes, and positions are those of nodes alone.
	err := r.list(name, list, func(object []byte, i, line int) error {
		if isEdge(object) {
			return nil
		}
		return r.node(object, i, line)
	})
	if err != nil {
		return err
	}
	return r.list(name, list, func(object []byte, i, line int) error {
		if !isEdge(object) {
			return nil
		}
		return r.edge(object, i, line)
	})
}

// adjacency reads the lists of neighbours that NetworkX writes, one for each node. Those of undirected graphs
// have every edge twice.
func (r *nodeLinkReader) adjacency(top jsonTop) error {
	if err := r.direction(top); err != nil {
		return err
	}
	v := uint32(0)
	err := r.elements("adjacency", top["adjacency"], func(value []byte, line int) error {
		if value[0] != '[' || int(v) >= len(r.raw.nodes) || r.numbered {
			return errAt(line, `JSON: "adjacency" needs a list for every node, and nodes with ids`)
		}
		walk := jsonwalk.Walk{Text: value}
		err := walk.Elements(func(value []byte, _ int) error {
			if value[0] != '{' {
				return errAt(line, "JSON: a neighbour is %s, expected an object", jsonTypeName(value))
			}
			var own [2][]byte
			chain, err := r.split(value, []string{idMember, "key"}, own[:], &r.raw.edgeAttrs)
			if err != nil {
				return err
			}
			if own[0] == nil {
				return errAt(line, `a neighbour has no "id"`)
			}
			r.ends.texts++ // never positions
			return r.raw.join(r.raw.nodes[v].name, r.raw.mention(r.end(own[0])), line, chain)
		})
		v++
		return err
	})
	if err == nil && !r.raw.directed {
		r.raw.dropMirrored()
	}
	return err
}

// several reads the list "graphs" of the JSON Graph Format.
func (r *nodeLinkReader) several(graphs jsonMember) (list []Record, err error) {
	err = r.elements("graphs", graphs, func(value []byte, line int) error {
		if value[0] != '{' {
			return errAt(line, `JSON: an element of "graphs" is %s, expected an object`, jsonTypeName(value))
		}
		inner := nodeLinkReader{text: value, line: line, raw: r.raw}
		inner.raw.reset(r.raw.env, line)
		top := make(jsonTop)
		if err := top.read(jsonMember{value, 0}); err != nil {
			return err
		}
		err := inner.jgf(top)
		if err == nil {
			err = inner.resolveEnds()
		}
		if err != nil {
			return err
		}
		rec, err := inner.raw.env.build(inner.raw)
		list = append(list, rec)
		return err
	})
	return list, err
}

// jgf returns the members of the object "graph" if the nodes are in it, as in the JSON Graph Format.
func (t jsonTop) jgf() (inner jsonTop, ok bool, err error) {
	object := t["graph"]
	if t[nodesMember].text != nil || len(object.text) == 0 || object.text[0] != '{' {
		return nil, false, nil
	}
	inner = make(jsonTop)
	if err := inner.read(object); err != nil || inner[nodesMember].text == nil {
		return nil, false, err
	}
	return inner, true, nil
}

// jgf reads a graph of the JSON Graph Format: its nodes are an object or, in version 1, a list, and its edges are
// directed unless it says otherwise.
func (r *nodeLinkReader) jgf(top jsonTop) error {
	r.nested = "metadata"
	if top["hyperedges"].text != nil {
		return errors.New("found hyperedges: graphs here have edges between two nodes only")
	}
	if id, ok := top[idMember]; ok {
		r.raw.id = jsonString(id.text)
	}
	if label := top["label"].text; len(label) > 0 && label[0] == '"' {
		r.raw.name = jsonString(label)
	}
	if err := r.attributes(top["metadata"].text); err != nil {
		return err
	}
	nodes := top[nodesMember]
	var err error
	switch {
	case nodes.text == nil:
		return fmt.Errorf(`%w; found no "nodes"`, errNoGraph)
	case nodes.text[0] == '{':
		walk := jsonwalk.Walk{Text: nodes.text}
		err = walk.Members(func(name, value []byte, at int) error {
			line := r.lineAt(nodes.at + at)
			if value[0] != '{' {
				return errAt(line, "JSON: node %s is %s, expected an object", name, jsonTypeName(value))
			}
			chain, err := r.split(value, nil, nil, &r.raw.nodeAttrs)
			if err != nil {
				return err
			}
			r.ends.id(name)
			return r.raw.declare(jsonString(name), line, chain)
		})
	default:
		err = r.list(nodesMember, nodes, r.node)
	}
	if err != nil {
		return err
	}
	r.raw.directed = string(top["directed"].text) != "false"
	if top[edgesMember].text == nil {
		return nil
	}
	return r.list(edgesMember, top[edgesMember], func(object []byte, i, line int) error {
		walk := jsonwalk.Walk{Text: object}
		err := walk.Members(func(name, value []byte, _ int) error {
			if string(name) == `"directed"` && (string(value) == "true") != r.raw.directed {
				return errAt(line, "edge %d of the list has directed %s, contrary to its graph: all edges of a "+
					"graph must agree", i, value)
			}
			return nil
		})
		if err != nil {
			return err
		}
		return r.edge(object, i, line)
	})
}
