package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// nodeLinkRecord decodes text that begins at a line of a file.
func (e *env) nodeLinkRecord(file string, text []byte, line int) (Record, error) {
	raw, err := readNodeLink(text, line)
	var rec Record
	if err == nil {
		rec, err = e.build(raw)
	}
	if err != nil {
		id := ""
		if raw != nil {
			id = raw.id
		}
		return Record{}, e.bad(file, line, id, text, err)
	}
	rec.File = file
	return rec, nil
}

// nodeLinkInput is node-link text as it may come: attributes of any name.
type nodeLinkInput struct {
	Directed bool                         `json:"directed"`
	Graph    json.RawMessage              `json:"graph"`
	ID       json.RawMessage              `json:"id"`
	Nodes    []map[string]json.RawMessage `json:"nodes"`
	Edges    []map[string]json.RawMessage `json:"edges"`
	Links    []map[string]json.RawMessage `json:"links"`
}

func readNodeLink(text []byte, line int) (*rawGraph, error) {
	var in nodeLinkInput
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, jsonError(text, line, err)
	}
	lines := elementLines(text, line)
	g := &rawGraph{directed: in.Directed, line: line}
	if err := g.graphAttributes(in.Graph); err != nil {
		return nil, err
	}
	if g.id == "" && in.ID != nil {
		g.id = jsonText(in.ID)
	}
	if in.Nodes == nil {
		return g, errors.New(`expected an object with "nodes" and "edges" (or "links"), as NetworkX writes; found no "nodes"`)
	}
	for i, members := range in.Nodes {
		at := lineOf(lines["nodes"], i, line)
		id, ok := members["id"]
		if !ok {
			return g, errAt(at, `node %d of the list has no "id"`, i)
		}
		g.nodes = append(g.nodes, rawNode{jsonText(id), at, jsonAttrs(members, "id")})
	}
	list, edges := "edges", in.Edges
	if edges == nil {
		list, edges = "links", in.Links
	}
	if edges == nil {
		return g, errors.New(`expected a list "edges" or "links"; found neither`)
	}
	for i, members := range edges {
		at := lineOf(lines[list], i, line)
		source, ok1 := members["source"]
		target, ok2 := members["target"]
		if !ok1 || !ok2 {
			return g, errAt(at, `edge %d of the list needs "source" and "target"`, i)
		}
		g.edges = append(g.edges, rawEdge{jsonText(source), jsonText(target), at, jsonAttrs(members, "source", "target", "key")})
	}
	return g, nil
}

// graphAttributes reads the member "graph", an object; NetworkX once wrote a
// list there, which is passed over.
func (g *rawGraph) graphAttributes(text json.RawMessage) error {
	if len(text) == 0 || text[0] != '{' {
		return nil
	}
	var members map[string]any
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	var own map[string]json.RawMessage
	if err := json.Unmarshal(text, &own); err != nil {
		return err
	}
	for key, value := range members {
		switch {
		case key == idMember:
			g.id = jsonText(own[key])
		case key == nameMember && isText(value):
			g.name = value.(string)
		case key == smilesMember && isText(value):
			g.smiles = value.(string)
		default:
			g.setMeta(key, value)
		}
	}
	return nil
}

func isText(value any) bool {
	_, ok := value.(string)
	return ok
}

func lineOf(lines []int, i, otherwise int) int {
	if i < len(lines) {
		return lines[i]
	}
	return otherwise
}

// jsonText returns the text of a string without its quotes, of anything else as
// it stands without blanks.
func jsonText(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil && value[0] == '"' {
		return s
	}
	var compact bytes.Buffer
	if json.Compact(&compact, value) != nil {
		return string(value)
	}
	return compact.String()
}

// jsonAttrs returns the members that are not named, by name.
func jsonAttrs(members map[string]json.RawMessage, but ...string) []attr {
	var attrs []attr
	for name, value := range members {
		if slices.Contains(but, name) || string(value) == "null" {
			continue
		}
		attrs = append(attrs, attr{name, jsonText(value), jsonKind(value)})
	}
	slices.SortFunc(attrs, func(a, b attr) int { return strings.Compare(a.name, b.name) })
	return attrs
}

func jsonKind(value json.RawMessage) kind {
	switch value[0] {
	case '"':
		return textKind
	case 't', 'f':
		return booleanKind
	case '{', '[':
		return otherKind
	}
	if _, err := strconv.ParseInt(string(value), 10, 64); err == nil {
		return integerKind
	}
	return realKind
}

// jsonError adds the line to an error of package json.
func jsonError(text []byte, line int, err error) error {
	offset := int64(0)
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &typed):
		offset = typed.Offset
		err = fmt.Errorf("member %s is a %s; expected node-link JSON: lists \"nodes\" and \"edges\" of objects", quoted(typed.Field), typed.Value)
	}
	offset = min(offset, int64(len(text)))
	return errAt(line+bytes.Count(text[:offset], []byte{'\n'}), "JSON: %w", err)
}
