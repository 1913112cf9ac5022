package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/greedgraph/greed/graph"
)

// NodeLink is the text of one graph in the node-link form of NetworkX, which
// is the JSON form of every graph that this project reads and writes:
//
//	{"directed": false, "multigraph": false,
//	 "graph": {"id": "7", "name": "ethanol", "smiles": "CCO"},
//	 "nodes": [{"id": 0, "label": "C"}, ...],
//	 "edges": [{"source": 0, "target": 1, "label": "1"}, ...]}
//
// Other members of "graph" are Record.Meta. A node or edge whose label is
// graph.Wildcard has "wildcard": true in place of the label. It can be a
// member of a larger JSON document.
type NodeLink struct {
	text json.RawMessage
}

type nodeLinkText struct {
	Directed   bool           `json:"directed"`
	Multigraph bool           `json:"multigraph"`
	Graph      map[string]any `json:"graph"`
	Nodes      []nodeLinkNode `json:"nodes"`
	Edges      []nodeLinkEdge `json:"edges"`
}

type nodeLinkNode struct {
	ID any `json:"id"`
	nodeLinkLabel
}

type nodeLinkEdge struct {
	Source any `json:"source"`
	Target any `json:"target"`
	nodeLinkLabel
}

type nodeLinkLabel struct {
	Label    *string `json:"label,omitempty"`
	Wildcard bool    `json:"wildcard,omitempty"`
}

// Members of "graph" that are fields of a Record.
const (
	idMember     = "id"
	nameMember   = "name"
	smilesMember = "smiles"
)

// NewNodeLink returns the node-link form of a record. Labels and ids must be
// UTF-8 and Meta must be what JSON can hold.
func NewNodeLink(rec Record) (NodeLink, error) {
	g := rec.Graph
	out := nodeLinkText{Directed: g.Directed(), Graph: make(map[string]any), Nodes: []nodeLinkNode{}, Edges: []nodeLinkEdge{}}
	for key, value := range rec.Meta {
		out.Graph[key] = value
	}
	for _, m := range [3][2]string{{idMember, rec.ID}, {nameMember, rec.Name}, {smilesMember, rec.SMILES}} {
		if m[1] != "" {
			out.Graph[m[0]] = m[1]
		} else {
			delete(out.Graph, m[0])
		}
	}
	name := func(v int) any {
		if rec.NodeIDs != nil {
			return rec.NodeIDs[v]
		}
		return v
	}
	vocab := g.Vocabulary()
	for v, l := range g.Labels() {
		lab, err := nodeLinkLabelOf(l, vocab.NodeText)
		if err != nil {
			return NodeLink{}, fmt.Errorf("node %d: %w", v, err)
		}
		out.Nodes = append(out.Nodes, nodeLinkNode{name(v), lab})
	}
	for e := range g.Edges() {
		lab, err := nodeLinkLabelOf(e.Label, vocab.EdgeText)
		if err != nil {
			return NodeLink{}, fmt.Errorf("edge %d-%d: %w", e.From, e.To, err)
		}
		out.Edges = append(out.Edges, nodeLinkEdge{name(e.From), name(e.To), lab})
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return NodeLink{}, err
	}
	return NodeLink{bytes.TrimSpace(text.Bytes())}, nil
}

func nodeLinkLabelOf(l graph.Label, text func(graph.Label) string) (nodeLinkLabel, error) {
	if l == graph.Wildcard {
		return nodeLinkLabel{Wildcard: true}, nil
	}
	s := text(l)
	if !utf8.ValidString(s) {
		return nodeLinkLabel{}, fmt.Errorf("the label %s is not UTF-8, which JSON needs", quoted(s))
	}
	return nodeLinkLabel{Label: &s}, nil
}

// MarshalJSON returns the text.
func (n NodeLink) MarshalJSON() ([]byte, error) {
	if n.text == nil {
		return nil, errors.New("dataset: NodeLink without a graph")
	}
	return n.text, nil
}

// UnmarshalJSON keeps a copy of text, which [NodeLink.Record] decodes.
func (n *NodeLink) UnmarshalJSON(text []byte) error {
	n.text = slices.Clone(text)
	return nil
}

// Record decodes the graph, with the same choices and checks as a file of it.
// Errors are of type [*BadRecord] with File "graph".
func (n NodeLink) Record(opt Options) (Record, error) {
	e := newEnv(opt)
	return e.nodeLinkRecord("graph", n.text, 1)
}

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
