package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/jsonwalk"
)

// nodeLinkReader reads an object of node-link JSON.
type nodeLinkReader struct {
	text []byte
	line int // of text[0]
	raw  *rawGraph
	// keyed says that nodes have keys instead of ids. unmarked is the number of edges not
	// marked as undirected. Both matter for graphology's form.
	keyed    bool
	numbered bool // nodes have no ids
	unmarked int
	ends     linkEnds
	nested   string // an object of nodes and edges whose members count as theirs, besides data and attributes
	// The offset and line up to which lineAt has counted.
	countedTo, countedLine int
}

// The members of the object that are read.
const (
	nodesMember = "nodes"
	edgesMember = "edges"
	linksMember = "links"
	namesMember = "names"
)

// record reads the object into a record.
func (r *nodeLinkReader) record(top jsonTop) (Record, error) {
	if id, ok := top[idMember]; ok {
		r.raw.id = jsonString(id.text)
	}
	if err := r.graph(top); err != nil {
		return Record{}, err
	}
	if err := r.resolveEnds(); err != nil {
		return Record{}, err
	}
	rec, err := r.raw.env.build(r.raw)
	if err == nil && rec.NodeIDs == nil {
		rec.NodeIDs = namesIn(top[namesMember].text, rec.Graph.N())
	}
	return rec, err
}

// namesIn returns the names of n nodes, or nil if the member is something else.
func namesIn(member []byte, n int) []string {
	var names []string
	if len(member) == 0 || json.Unmarshal(member, &names) != nil || len(names) != n {
		return nil
	}
	seen := make(map[string]bool, n)
	for _, name := range names {
		seen[name] = true
	}
	if len(seen) < n {
		return nil
	}
	return names
}

func (r *nodeLinkReader) graph(top jsonTop) error {
	// Cytoscape puts the lists into a nested object, or all elements into one list.
	if elements := top["elements"]; len(elements.text) > 0 && elements.text[0] == '{' {
		if err := top.read(elements); err != nil {
			return err
		}
	} else if elements.text != nil && top[nodesMember].text == nil {
		r.raw.directed = string(top["directed"].text) == "true"
		return r.flat("elements", elements)
	}
	if inner, ok, err := top.jgf(); ok || err != nil {
		if err == nil {
			err = r.jgf(inner)
		}
		return err
	}
	for _, member := range []string{"graph", "attributes"} { // those of graphology are called attributes
		if err := r.attributes(top[member].text); err != nil {
			return err
		}
	}
	if top[nodesMember].text == nil {
		return fmt.Errorf(`%w; found no "nodes"`, errNoGraph)
	}
	if err := r.list(nodesMember, top[nodesMember], r.node); err != nil {
		return err
	}
	if top["adjacency"].text != nil && top[edgesMember].text == nil && top[linksMember].text == nil {
		return r.adjacency(top)
	}
	edges := edgesMember
	if top[edges].text == nil {
		edges = linksMember
	}
	if top[edges].text == nil {
		return fmt.Errorf(`expected a list "edges" or "links"; found neither`)
	}
	if err := r.list(edges, top[edges], r.edge); err != nil {
		return err
	}
	return r.direction(top)
}

// direction reports whether edges are directed. "directed" says so or, in graphology's form,
// the "type" in "options". Otherwise the edges decide: in that form they are directed unless
// marked as undirected.
func (r *nodeLinkReader) direction(top jsonTop) error {
	r.raw.directed = string(top["directed"].text) == "true"
	if top["directed"].text != nil || !r.keyed && top["options"].text == nil {
		return nil
	}
	var options struct {
		Type string `json:"type"`
	}
	if said := top["options"]; said.text != nil {
		if err := json.Unmarshal(said.text, &options); err != nil {
			return errAt(r.lineAt(said.at), "JSON: %w", err)
		}
	}
	switch {
	case options.Type == "directed":
		r.raw.directed = true
	case options.Type == "undirected":
	case r.unmarked > 0 && r.unmarked < len(r.raw.edges):
		return errors.New("some edges are undirected and some are not: all edges of a graph must agree")
	default:
		r.raw.directed = r.unmarked > 0
	}
	return nil
}

// lineAt returns the line of an offset in the text. It counts from the start again if the
// offset is less than in the call before.
func (r *nodeLinkReader) lineAt(at int) int {
	if at < r.countedTo || r.countedLine == 0 {
		r.countedTo, r.countedLine = 0, r.line
	}
	r.countedLine += bytes.Count(r.text[r.countedTo:at], []byte{'\n'})
	r.countedTo = at
	return r.countedLine
}

// list calls visit for each object of a list.
func (r *nodeLinkReader) list(name string, list jsonMember, visit func(object []byte, i, line int) error) error {
	if list.text[0] != '[' {
		return errAt(r.lineAt(list.at), "JSON: %q is %s, expected a list of objects", name, jsonTypeName(list.text))
	}
	i := -1
	return r.elements(name, list, func(value []byte, line int) error {
		if i++; value[0] != '{' {
			return errAt(line, "JSON: element %d of %q is %s, expected an object", i, name, jsonTypeName(value))
		}
		return visit(value, i, line)
	})
}

func (r *nodeLinkReader) node(object []byte, i, line int) error {
	var own [2][]byte // its id; graphology calls it key
	chain, err := r.split(object, []string{idMember, "key"}, own[:], &r.raw.nodeAttrs)
	if err != nil {
		return err
	}
	switch {
	case own[0] != nil && own[1] != nil: // an attribute like any other
		chain = r.raw.nodeAttrs.add(chain, "key", jsonString(own[1]), jsonKind(own[1]))
	case own[1] != nil:
		r.keyed = true
		own[0] = own[1]
	case own[0] == nil && (r.raw.env.declared() || i > 0 && !r.numbered):
		return errAt(line, `node %d of the list has no "id"`, i)
	case own[0] == nil:
		r.numbered = true
		r.raw.env.notes.say("nodes without an id are numbered by their positions in the list, from 0")
		return r.raw.number(line, chain)
	}
	if r.numbered {
		return errAt(line, `node %d of the list has an "id", but earlier nodes have none`, i)
	}
	r.ends.id(own[0])
	return r.raw.declare(jsonName(own[0]), line, chain)
}

func (r *nodeLinkReader) edge(object []byte, i, line int) error {
	var own [6][]byte
	chain, err := r.split(object, []string{"source", "target", "from", "to", "key", "undirected"}, own[:],
		&r.raw.edgeAttrs)
	if err != nil {
		return err
	}
	if own[0] == nil && own[1] == nil { // as in vis.js
		own[0], own[1] = own[2], own[3]
		own[2], own[3] = nil, nil
	}
	for k, name := range []string{"from", "to"} {
		if value := own[2+k]; value != nil {
			chain = r.raw.edgeAttrs.add(chain, name, jsonString(value), jsonKind(value))
		}
	}
	if own[0] == nil || own[1] == nil {
		return errAt(line, `edge %d of the list needs "source" and "target"`, i)
	}
	if string(own[5]) != "true" {
		r.unmarked++
	}
	for k := range 2 {
		if own[k], err = r.unwrap(own[k]); err != nil {
			return errAt(line, "edge %d of the list: %w", i, err)
		}
	}
	if !r.numbered {
		r.ends.end(own[0])
		r.ends.end(own[1])
		return r.raw.connect(r.end(own[0]), r.end(own[1]), line, chain)
	}
	var ends [2]uint32
	for k := range ends {
		v, err := strconv.ParseUint(jsonName(own[k]), 10, 31)
		if err != nil || v >= uint64(len(r.raw.nodes)) {
			return errAt(line, "edge %d of the list: %s is not the position of a node: %w", i, quoted(own[k]),
				graph.ErrNodeRange)
		}
		ends[k] = uint32(v)
	}
	return r.raw.join(ends[0], ends[1], line, chain)
}

// end returns the name of a node that an edge leads to. That of 1.0 is the text "1.0" if a node is
// called so and none 1.
func (r *nodeLinkReader) end(value []byte) string {
	name := jsonName(value)
	if bytes.HasSuffix(value, []byte(".0")) {
		_, number := r.raw.names.find(name)
		_, text := r.raw.names.find(string(value))
		if text && !number {
			return string(value)
		}
	}
	return name
}

// split puts the values of the named members into own and returns the others as a chain,
// without nulls. Members of an object called data, as in Cytoscape, or attributes, as in
// graphology, count as members of the enclosing object.
func (r *nodeLinkReader) split(object []byte, names []string, own [][]byte, to *attrs) (chain uint32, err error) {
	var visit func(name, value []byte, _ int) error
	inside := false
	visit = func(name, value []byte, _ int) error {
		bare := string(name[1 : len(name)-1])
		i := slices.Index(names, bare)
		switch {
		case i >= 0 && value[0] != 'n':
			own[i] = value
		case i < 0 && value[0] == '{' && !inside && (bare == "data" || bare == "attributes" || bare == r.nested):
			inside = true
			walk := jsonwalk.Walk{Text: value}
			err := walk.Members(visit)
			inside = false
			return err
		case value[0] != 'n':
			chain = to.add(chain, jsonString(name), jsonString(value), jsonKind(value))
		}
		return r.raw.tick()
	}
	walk := jsonwalk.Walk{Text: object}
	err = walk.Members(visit)
	return chain, err
}

// maxMetaValue is the greatest length in bytes of a list or object that is decoded, which
// takes some fifty times as much memory. A longer one stays text.
const maxMetaValue = 4 << 10

// attributes reads the member "graph", an object. It ignores a list, which old versions of
// NetworkX wrote.
func (r *nodeLinkReader) attributes(text []byte) error {
	if len(text) == 0 || text[0] != '{' {
		return nil
	}
	walk := jsonwalk.Walk{Text: text}
	return walk.Members(func(name, value []byte, _ int) error {
		key := jsonString(name)
		switch {
		case key == idMember:
			r.raw.id = jsonString(value)
		case key == nameMember && value[0] == '"':
			r.raw.name = jsonString(value)
		case key == smilesMember && value[0] == '"':
			r.raw.smiles = jsonString(value)
		case len(value) > maxMetaValue && (value[0] == '[' || value[0] == '{'):
			r.raw.setAttribute(key, json.RawMessage(bytes.Clone(value)))
		default:
			var v any
			if err := UnmarshalAttributes(value, &v); err != nil {
				return err
			}
			r.raw.setAttribute(key, v)
		}
		return nil
	})
}
