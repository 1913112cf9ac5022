package dataset

import (
	"bytes"
	"slices"
	"strings"
)

// edgeTable is the layout of a table of edges: a header that names the columns of the two ends.
type edgeTable struct {
	split          table
	names          []string
	source, target int
}

// edgeColumns are the names of the columns of the ends, in lower case.
var edgeColumns = [][2]string{
	{"source", "target"}, {"from", "to"}, {"src", "dst"}, {"source", "destination"}, {"src", "dest"},
	{"source_id", "target_id"}, {"from_id", "to_id"}, {"node1", "node2"}, {"node_1", "node_2"}, {"caller", "callee"},
}

// findEdgeTable returns the layout of a text whose first line names the ends of edges, or nil. A column of SMILES
// makes a table one of molecules.
func findEdgeTable(head []byte) *edgeTable {
	row := strings.TrimSpace(firstLine(head))
	t := &edgeTable{split: table{delimiter: guessDelimiter(row, true)}}
	fields, err := t.split.split(nil, row)
	if err != nil || len(fields) < 2 {
		return nil
	}
	t.names = trimAll(fields)
	lower := make([]string, len(fields))
	for i, name := range t.names {
		if lower[i] = strings.ToLower(name); strings.Contains(lower[i], "smiles") {
			return nil
		}
	}
	for _, ends := range edgeColumns {
		t.source, t.target = slices.Index(lower, ends[0]), slices.Index(lower, ends[1])
		if t.source >= 0 && t.target >= 0 {
			return t
		}
	}
	return nil
}

// tableRow reads a row of a table of edges. Its other columns are attributes of the edge, but for ids and for the
// type by which Gephi says of each edge whether it is directed.
func (d *edgeList) tableRow(row string, line int) error {
	t := d.table
	fields, err := t.split.split(nil, row)
	switch {
	case err != nil:
		return errAt(line, "%w", err)
	case len(fields) > len(t.names):
		return errAt(line, "found %d columns, expected %d as the header has", len(fields), len(t.names))
	case max(t.source, t.target) >= len(fields):
		return errAt(line, "found %d columns, expected %s and %s among them", len(fields), t.names[t.source],
			t.names[t.target])
	}
	chain := noAttrs
	for i, value := range fields {
		value = strings.TrimSpace(value)
		fields[i] = value
		name := t.names[i]
		lower := strings.ToLower(name)
		switch {
		case i == t.source || i == t.target:
			if value == "" {
				return errAt(line, "the column %s is empty, expected a node", name)
			}
		case value == "" || name == "" || lower == "id":
		case lower == "type" && (strings.EqualFold(value, "directed") || strings.EqualFold(value, "undirected")):
			if value = strings.ToLower(value); d.header == "" {
				d.header = value
			} else if d.header != value {
				return errAt(line, "the edge is %s, but edges before are %s: all edges of a graph must agree", value,
					d.header)
			}
		case lower == "label":
			chain = d.raw.edgeAttrs.add(chain, "label", value, textKind)
		default:
			chain = d.raw.edgeAttrs.add(chain, name, value, guessKind(value))
		}
	}
	return d.edge([]string{fields[t.source], fields[t.target]}, chain, line)
}

// say notes which columns are the ends.
func (t *edgeTable) say(e *env) {
	e.notes.say("table of edges: from column %s to column %s", quoted(t.names[t.source]), quoted(t.names[t.target]))
}

// twoWords reports whether the first lines of a text have two words each, as lists of edges do.
func twoWords(head []byte) bool {
	const looked, least = 20, 2
	lines := 0
	for line := range strings.Lines(string(wholeLines(head))) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		if len(fields) != 2 {
			return false
		}
		if lines++; lines == looked {
			break
		}
	}
	return lines >= least
}

// hint says what a text that is in no known format may be, and how to read it; or nothing.
func hint(head []byte) (text string, settings []any) {
	first, rest, _ := strings.Cut(strings.TrimSpace(firstLine(head)), " ")
	if first == "graph" && !slices.Contains([]string{"TB", "TD", "BT", "LR", "RL"}, strings.TrimRight(rest, " ;")) {
		first = "" // rather DOT with an error
	}
	switch first {
	case "flowchart", "graph", "sequenceDiagram", "stateDiagram", "stateDiagram-v2", "classDiagram", "erDiagram":
		return "Mermaid is not read: write its edges as lines NODE NODE, and read them with %v",
			[]any{Setting{"format", "edgelist"}}
	case "@startuml":
		return "PlantUML is not read: write its edges as lines NODE NODE, and read them with %v",
			[]any{Setting{"format", "edgelist"}}
	}
	if strings.Contains(string(head), "\n├──") || strings.Contains(string(head), "\n└──") {
		return "a tree drawn with lines is not read: most tools that draw one also write DOT or JSON", nil
	}
	if twoWords(head) {
		return "if its lines are edges, read them with %v", []any{Setting{"format", "edgelist"}}
	}
	return "if it is one of these, name it with %v", []any{Setting{Option: "format"}}
}

// firstLine returns the first line of a text that is not empty.
func firstLine(head []byte) string {
	for line := range bytes.Lines(head) {
		if len(bytes.TrimSpace(line)) > 0 {
			return string(line)
		}
	}
	return ""
}
