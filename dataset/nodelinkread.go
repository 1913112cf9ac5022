package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// nodeLinkRecord decodes text that begins at a line of a file.
func (e *env) nodeLinkRecord(file string, text []byte, line int) (Record, error) {
	read := nodeLinkReader{text: text, line: line, raw: rawGraph{line: line}, names: make(map[string]string)}
	err := read.graph()
	var rec Record
	if err == nil {
		rec, err = e.build(&read.raw)
	}
	if err != nil {
		return Record{}, e.bad(file, line, read.raw.id, text, err)
	}
	rec.File = file
	return rec, nil
}

// nodeLinkReader reads one object of node-link JSON.
type nodeLinkReader struct {
	text []byte
	line int // of text[0]
	raw  rawGraph
	// names holds each name of an attribute once.
	names map[string]string
	// Place and line that lineAt has counted to.
	countedTo, countedLine int
}

// Members of the object that are looked at.
const (
	nodesMember = "nodes"
	edgesMember = "edges"
	linksMember = "links"
)

func (r *nodeLinkReader) graph() error {
	if err := checkJSON(r.text, r.line); err != nil {
		return err
	}
	if r.text[0] != '{' {
		return fmt.Errorf("JSON: found %s, expected an object with lists \"nodes\" and \"edges\"", jsonTypeName(r.text))
	}
	values := make(map[string][]byte)
	places := make(map[string]int)
	top := jsonText{text: r.text}
	err := top.members(func(name, value []byte, at int) error {
		key := jsonString(name)
		switch key {
		case "directed", "graph", idMember, nodesMember, edgesMember, linksMember:
			values[key], places[key] = value, at
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.raw.directed = string(values["directed"]) == "true"
	if id, ok := values[idMember]; ok {
		r.raw.id = jsonString(id)
	}
	if err := r.attributes(values["graph"]); err != nil {
		return err
	}
	if values[nodesMember] == nil {
		return fmt.Errorf(`expected an object with "nodes" and "edges" (or "links"), as NetworkX writes; found no "nodes"`)
	}
	if err := r.list(nodesMember, values[nodesMember], places[nodesMember], r.node); err != nil {
		return err
	}
	edges := edgesMember
	if values[edges] == nil {
		edges = linksMember
	}
	if values[edges] == nil {
		return fmt.Errorf(`expected a list "edges" or "links"; found neither`)
	}
	return r.list(edges, values[edges], places[edges], r.edge)
}

// lineAt returns the line of a place in the text. Places must not decrease much
// from call to call, or it counts again.
func (r *nodeLinkReader) lineAt(at int) int {
	if at < r.countedTo || r.countedLine == 0 {
		r.countedTo, r.countedLine = 0, r.line
	}
	r.countedLine += bytes.Count(r.text[r.countedTo:at], []byte{'\n'})
	r.countedTo = at
	return r.countedLine
}

// list calls visit for each object of a list that stands at a place in the
// text.
func (r *nodeLinkReader) list(name string, list []byte, place int, visit func(object []byte, i, line int) error) error {
	if list[0] != '[' {
		return errAt(r.lineAt(place), "JSON: %q is %s, expected a list of objects", name, jsonTypeName(list))
	}
	i := 0
	walk := jsonText{text: list}
	return walk.elements(func(value []byte, at int) error {
		line := r.lineAt(place + at)
		if value[0] != '{' {
			return errAt(line, "JSON: element %d of %q is %s, expected an object", i, name, jsonTypeName(value))
		}
		i++
		return visit(value, i-1, line)
	})
}

func (r *nodeLinkReader) node(object []byte, i, line int) error {
	var own [1][]byte
	node := rawNode{line: line, attrs: r.split(object, []string{idMember}, own[:])}
	if own[0] == nil {
		return errAt(line, `node %d of the list has no "id"`, i)
	}
	node.id = jsonString(own[0])
	r.raw.nodes = append(r.raw.nodes, node)
	return nil
}

func (r *nodeLinkReader) edge(object []byte, i, line int) error {
	var own [3][]byte
	edge := rawEdge{line: line, attrs: r.split(object, []string{"source", "target", "key"}, own[:])}
	if own[0] == nil || own[1] == nil {
		return errAt(line, `edge %d of the list needs "source" and "target"`, i)
	}
	edge.from, edge.to = jsonString(own[0]), jsonString(own[1])
	r.raw.edges = append(r.raw.edges, edge)
	return nil
}

// split puts the values of the named members into own and returns the others as
// attributes, without those that are null.
func (r *nodeLinkReader) split(object []byte, names []string, own [][]byte) []attr {
	var attrs []attr
	walk := jsonText{text: object}
	// The function returns no error, so neither does members.
	_ = walk.members(func(name, value []byte, _ int) error {
		bare := name[1 : len(name)-1]
		i := slices.IndexFunc(names, func(n string) bool { return n == string(bare) })
		switch {
		case i >= 0:
			own[i] = value
		case value[0] != 'n':
			attrs = append(attrs, attr{r.name(name), jsonString(value), jsonKind(value)})
		}
		return nil
	})
	return attrs
}

func (r *nodeLinkReader) name(quoted []byte) string {
	if s, ok := r.names[string(quoted)]; ok {
		return s
	}
	s := jsonString(quoted)
	r.names[string(quoted)] = s
	return s
}

// attributes reads the member "graph", an object; NetworkX once wrote a list
// there, which is passed over.
func (r *nodeLinkReader) attributes(text []byte) error {
	if len(text) == 0 || text[0] != '{' {
		return nil
	}
	walk := jsonText{text: text}
	return walk.members(func(name, value []byte, _ int) error {
		key := jsonString(name)
		switch {
		case key == idMember:
			r.raw.id = jsonString(value)
		case key == nameMember && value[0] == '"':
			r.raw.name = jsonString(value)
		case key == smilesMember && value[0] == '"':
			r.raw.smiles = jsonString(value)
		default:
			var v any
			if err := json.Unmarshal(value, &v); err != nil {
				return err
			}
			r.raw.setMeta(key, v)
		}
		return nil
	})
}
