package edit

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/greedgraph/greed/graph"
)

// Kind names one of the six edits.
type Kind uint8

// The six edits.
const (
	EdgeDeletion Kind = iota
	NodeDeletion
	NodeSubstitution
	EdgeSubstitution
	NodeInsertion
	EdgeInsertion
)

var kindNames = [...]string{"delete edge", "delete node", "substitute node", "substitute edge", "insert node",
	"insert edge"}

// String returns the name of the edit, such as delete edge.
func (k Kind) String() string { return kindNames[k] }

// MarshalText writes the name of the edit.
func (k Kind) MarshalText() ([]byte, error) { return []byte(kindNames[k]), nil }

// UnmarshalText reads the name of an edit.
func (k *Kind) UnmarshalText(text []byte) error {
	i := slices.Index(kindNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("edit: unknown edit %q", text)
	}
	*k = Kind(i)
	return nil
}

// Operation is one edit. Query and Target are the numbers of the node, or of the two
// ends of the edge, on either side; a side that does not exist is nil.
type Operation struct {
	Kind   Kind    `json:"op" enum:"delete edge,delete node,substitute node,substitute edge,insert node,insert edge"`
	Query  []int   `json:"query,omitempty"`
	Target []int   `json:"target,omitempty"`
	From   string  `json:"from,omitempty"`
	To     string  `json:"to,omitempty"`
	Cost   float64 `json:"cost"`
	// QueryNames and TargetNames are the names of those nodes, where they have any; see
	// [WithNames]. Directed says that a named edge leads from the first to the second.
	QueryNames  []string `json:"query_names,omitempty"`
	TargetNames []string `json:"target_names,omitempty"`
	Directed    bool     `json:"directed,omitempty"`
}

// String says the edit in a line, with names where there are any. A name says what a
// label that is the same would say again, and so does a named edge without a label.
func (o Operation) String() string {
	switch o.Kind {
	case EdgeDeletion, NodeDeletion:
		return fmt.Sprintf("%s %s", o.Kind, o.Before())
	case NodeInsertion, EdgeInsertion:
		text := fmt.Sprintf("%s %s", o.Kind, o.After())
		if o.TargetNames == nil {
			text += " of the target"
		}
		return text
	default:
		return fmt.Sprintf("%s %s by %s", o.Kind, o.Before(), o.After())
	}
}

// Before says which node or edge of the query is meant, and its label.
func (o Operation) Before() string { return o.at(o.Query, o.QueryNames, o.From) }

// After says which node or edge of the target is meant, and its label.
func (o Operation) After() string { return o.at(o.Target, o.TargetNames, o.To) }

// at says which node or edge is meant, and its label.
func (o Operation) at(ends []int, names []string, label string) string {
	switch {
	case len(names) == 0 && len(ends) == 1:
		return fmt.Sprintf("%d (%s)", ends[0], label)
	case len(names) == 0:
		return fmt.Sprintf("%d-%d (%s)", ends[0], ends[1], label)
	}
	between := "-"
	if o.Directed {
		between = "→"
	}
	where := strings.Join(names, between)
	if label == where || len(names) == 2 && o.Kind != EdgeSubstitution && label == unlabelled {
		return where
	}
	return where + " (" + label + ")"
}

// unlabelled is the label of edges that a file gives none.
const unlabelled = "0"

// WithNames returns a path in which the nodes have names: query and target hold those of
// all nodes, [n_q] and [n_t], or are nil where nodes have none.
func WithNames(path []Operation, query, target []string, directed bool) []Operation {
	pick := func(names []string, ends []int) (picked []string) {
		if names == nil {
			return nil
		}
		for _, v := range ends {
			picked = append(picked, names[v])
		}
		return picked
	}
	named := make([]Operation, len(path))
	for i, op := range path {
		op.QueryNames, op.TargetNames = pick(query, op.Query), pick(target, op.Target)
		op.Directed = directed && max(len(op.QueryNames), len(op.TargetNames)) == 2
		named[i] = op
	}
	return named
}

// Path returns the edits that m induces, in an order in which they can be made: edges
// are deleted before their nodes, and nodes inserted before their edges. It leaves out
// substitutions of a label by itself, and the insertions of a [SED], which are not edits
// but the rest of the target. If no query node is kept, the target nodes are inserted
// before the query nodes are deleted, so that no graph on the way is empty.
func Path(p *Pricing, q, t *graph.Graph, m NodeMap) []Operation {
	var byKind [len(kindNames)][]Operation
	for op := range inducedEdits(p, q, t, m) {
		switch op.Kind {
		case NodeInsertion, EdgeInsertion:
			if p.task == SED {
				continue
			}
		case NodeSubstitution, EdgeSubstitution:
			if op.Cost == 0 && op.From == op.To {
				continue
			}
		}
		byKind[op.Kind] = append(byKind[op.Kind], op)
	}
	order := [...]Kind{EdgeDeletion, NodeDeletion, NodeSubstitution, EdgeSubstitution, NodeInsertion, EdgeInsertion}
	if len(byKind[NodeDeletion]) == q.N() {
		order = [...]Kind{EdgeDeletion, NodeInsertion, NodeDeletion, NodeSubstitution, EdgeSubstitution, EdgeInsertion}
	}
	var path []Operation
	for _, kind := range order {
		path = append(path, byKind[kind]...)
	}
	return path
}

// Edits returns the operations of [Path] that cost something: what an answer lists. The
// others do not tell graphs apart, such as what becomes of a wildcard.
func Edits(p *Pricing, q, t *graph.Graph, m NodeMap) []Operation {
	return slices.DeleteFunc(Path(p, q, t, m), func(op Operation) bool { return op.Cost == 0 })
}

// inducedEdits yields every edit that m induces, free substitutions included.
func inducedEdits(p *Pricing, q, t *graph.Graph, m NodeMap) iter.Seq[Operation] {
	if err := m.Check(q, t); err != nil {
		panic(err.Error())
	}
	q, t = p.Ready(q), p.Ready(t)
	return func(yield func(Operation) bool) {
		vocab := graph.Common(q.Vocabulary(), t.Vocabulary())
		inv := m.Inverse(t)
		for v, w := range m {
			a, _ := p.bundles.Node(q.Label(v))
			op := Operation{Kind: NodeDeletion, Query: []int{v}, From: vocab.NodeText(a), Cost: p.NodeDelete(a)}
			if w != Deleted {
				b, _ := p.bundles.Node(t.Label(w))
				op = Operation{Kind: NodeSubstitution, Query: op.Query, Target: []int{w}, From: op.From,
					To:   vocab.NodeText(b),
					Cost: p.NodeSubstitute(a, b)}
			}
			if !yield(op) {
				return
			}
		}
		for w, v := range inv {
			b, _ := p.bundles.Node(t.Label(w))
			if v == Deleted && !yield(Operation{Kind: NodeInsertion, Target: []int{w}, To: vocab.NodeText(b),
				Cost: p.NodeInsert(b)}) {
				return
			}
		}
		edge := func(kind Kind, query, target []int, a, b graph.Label) bool {
			op := Operation{Kind: kind, Query: query, Target: target}
			switch kind {
			case EdgeDeletion:
				op.From, op.Target, op.Cost = vocab.EdgeText(a), nil, p.EdgeDelete(a)
			case EdgeInsertion:
				op.To, op.Query, op.Cost = vocab.EdgeText(b), nil, p.EdgeInsert(b)
			default:
				op.From, op.To, op.Cost = vocab.EdgeText(a), vocab.EdgeText(b), p.EdgeSubstitute(a, b)
			}
			return yield(op)
		}
		// leave yields what becomes of edges of the query, and enter what edges of the target come of.
		leave := func(query, target []int, a, b []graph.Label) bool {
			_, partner := p.match(a, b)
			for i, j := range partner {
				if j == unmatched && !edge(EdgeDeletion, query, nil, a[i], 0) ||
					j != unmatched && !edge(EdgeSubstitution, query, target, a[i], b[j]) {
					return false
				}
			}
			return true
		}
		enter := func(target []int, a, b []graph.Label) bool {
			_, partner := p.match(a, b)
			matched := make([]bool, len(b))
			for _, j := range partner {
				if j != unmatched {
					matched[j] = true
				}
			}
			for j, l := range b {
				if !matched[j] && !edge(EdgeInsertion, nil, target, 0, l) {
					return false
				}
			}
			return true
		}
		loops := func(g *graph.Graph, v int) []graph.Label {
			if v == Deleted {
				return nil
			}
			_, labels := p.bundles.Node(g.Label(v))
			return labels
		}
		between := func(g *graph.Graph, v, w int) []graph.Label {
			if l, ok := across(g, v, w); ok {
				return p.bundles.Edges(l)
			}
			return nil
		}
		for v, w := range m {
			if !leave([]int{v, v}, []int{w, w}, loops(q, v), loops(t, w)) {
				return
			}
		}
		for e := range q.Edges() {
			v, w := m[e.From], m[e.To]
			if !leave([]int{e.From, e.To}, []int{v, w}, p.bundles.Edges(e.Label), between(t, v, w)) {
				return
			}
		}
		for w, v := range inv {
			if !enter([]int{w, w}, loops(q, v), loops(t, w)) {
				return
			}
		}
		for e := range t.Edges() {
			if !enter([]int{e.From, e.To}, between(q, inv[e.From], inv[e.To]), p.bundles.Edges(e.Label)) {
				return
			}
		}
	}
}
