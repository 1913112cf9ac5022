package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// nodeLinkRecord decodes text that begins at a line of a file.
func (e *env) nodeLinkRecord(file string, text []byte, line int) (Record, error) {
	read := nodeLinkReader{text: text, line: line, raw: &e.raw}
	read.raw.reset(e, line)
	err := read.graph()
	var rec Record
	if err == nil {
		rec, err = e.build(read.raw)
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
	raw  *rawGraph
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
	chain, err := r.split(object, []string{idMember}, own[:], &r.raw.nodeAttrs)
	if err == nil && own[0] == nil {
		err = errAt(line, `node %d of the list has no "id"`, i)
	}
	if err != nil {
		return err
	}
	return r.raw.declare(jsonString(own[0]), line, chain)
}

func (r *nodeLinkReader) edge(object []byte, i, line int) error {
	var own [3][]byte
	chain, err := r.split(object, []string{"source", "target", "key"}, own[:], &r.raw.edgeAttrs)
	if err == nil && (own[0] == nil || own[1] == nil) {
		err = errAt(line, `edge %d of the list needs "source" and "target"`, i)
	}
	if err != nil {
		return err
	}
	return r.raw.connect(jsonString(own[0]), jsonString(own[1]), line, chain)
}

// split puts the values of the named members into own and returns the chain of
// the others, without those that are null.
func (r *nodeLinkReader) split(object []byte, names []string, own [][]byte, to *attrs) (chain uint32, err error) {
	walk := jsonText{text: object}
	err = walk.members(func(name, value []byte, _ int) error {
		bare := name[1 : len(name)-1]
		i := slices.IndexFunc(names, func(n string) bool { return n == string(bare) })
		switch {
		case i >= 0:
			own[i] = value
		case value[0] != 'n':
			chain = to.add(chain, jsonString(name), jsonString(value), jsonKind(value))
		}
		return r.raw.tick()
	})
	return chain, err
}

// maxMetaValue is how many bytes of text a list or an object may have to be
// decoded, which takes some fifty times as much; a larger one stays text.
const maxMetaValue = 4 << 10

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
		case len(value) > maxMetaValue && (value[0] == '[' || value[0] == '{'):
			r.raw.setMeta(key, json.RawMessage(bytes.Clone(value)))
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
