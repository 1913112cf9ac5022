package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
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
// Other members of "graph" are Record.Attributes; one that is itself called id, name or smiles
// is "attribute id" and so on. A node or edge whose label is
// graph.Wildcard has "wildcard": true in place of the label. It can be a
// member of a larger JSON document. A member "names" holds Record.NodeIDs where nodes have
// their positions as ids.
type NodeLink struct {
	text json.RawMessage
}

type nodeLinkText struct {
	Directed   bool           `json:"directed"`
	Multigraph bool           `json:"multigraph"`
	Graph      map[string]any `json:"graph"`
	Nodes      []nodeLinkNode `json:"nodes"`
	Edges      []nodeLinkEdge `json:"edges"`
	Names      []string       `json:"names,omitempty"`
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

// The members of "graph" that are fields of a Record.
const (
	idMember     = "id"
	nameMember   = "name"
	smilesMember = "smiles"
)

// beside begins the name under which a file holds an attribute whose own name is taken.
// Filters name it in the same way.
const beside = "attribute "

// besideMembers returns attributes of a graph by the keys under which a file holds them.
func besideMembers(attributes map[string]any) map[string]any {
	members := map[string]any{idMember: nil, nameMember: nil, smilesMember: nil}
	all := maps.Clone(members)
	AddAttributes(all, attributes)
	maps.DeleteFunc(all, func(key string, _ any) bool { _, is := members[key]; return is })
	return all
}

// AddAttributes adds attributes to others, those with a name that is taken as "attribute NAME".
func AddAttributes(to, attributes map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(attributes)) {
		name := key
		for _, taken := to[name]; taken; _, taken = to[name] {
			name = beside + name
		}
		to[name] = attributes[key]
	}
}

// NewNodeLink returns the node-link form of a record. Labels and ids must be UTF-8, and
// attributes must have JSON equivalents.
func NewNodeLink(rec Record) (NodeLink, error) {
	return newNodeLink(rec, rec.NodeIDs, nil)
}

// NumberedNodeLink is like [NewNodeLink], but the ids of nodes are their positions, and their
// names are stored separately.
func NumberedNodeLink(rec Record) (NodeLink, error) {
	return newNodeLink(rec, nil, rec.NodeIDs)
}

func newNodeLink(rec Record, ids, names []string) (NodeLink, error) {
	if !utf8.ValidString(rec.ID) {
		return NodeLink{}, fmt.Errorf("the id %s is not UTF-8, which JSON needs", quoted(rec.ID))
	}
	g := rec.Graph
	out := nodeLinkText{Directed: g.Directed(), Multigraph: !g.Simple(), Graph: besideMembers(rec.Attributes),
		Nodes: []nodeLinkNode{}, Edges: []nodeLinkEdge{}, Names: names}
	for _, m := range [3][2]string{{idMember, rec.ID}, {nameMember, rec.Name}, {smilesMember, rec.SMILES}} {
		if m[1] != "" {
			out.Graph[m[0]] = m[1]
		}
	}
	name := func(v int) any {
		if ids != nil {
			return ids[v]
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

// Named reports whether the names of the nodes are stored separately, as by
// [NumberedNodeLink].
func (n NodeLink) Named() bool {
	var top struct{ Names []string }
	return json.Unmarshal(n.text, &top) == nil && top.Names != nil
}

// UnmarshalJSON stores a copy of text, which [NodeLink.Record] decodes.
func (n *NodeLink) UnmarshalJSON(text []byte) error {
	n.text = slices.Clone(text)
	return nil
}

// Record decodes the graph with the same choices and checks as a file, except that edges must
// join listed nodes. Errors are of type [*BadRecord] with File "graph".
func (n NodeLink) Record(opt Options) (Record, error) {
	opt.Declared = true
	if err := opt.Check(); err != nil {
		return Record{}, err
	}
	e := newEnv(opt)
	list, err := e.jsonRecords("graph", n.text, 1, false)
	if err != nil {
		return Record{}, err
	}
	list[0].Notes = e.notes.list()
	return list[0], nil
}
