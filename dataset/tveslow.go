package dataset

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/graph"
)

// rawTVE is a record of t/v/e text before its edges are checked.
type rawTVE struct {
	id   string
	line int
	rawLabels
}

// readTVE parses one record of t/v/e text, whose first line has number line.
// It accepts what the fast path does not: runs of blanks, blank lines,
// comments, a missing #, and the mark "t # -1" that some programs end with. It
// returns nil for text without a record. What was read before an error comes
// with the error.
func readTVE(text []byte, line int) (*rawTVE, error) {
	var g *rawTVE
	for ; len(text) > 0; line++ {
		var row []byte
		row, text, _ = bytes.Cut(text, []byte{'\n'})
		fields := asciiFields(string(row))
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if g == nil && fields[0] != "t" {
			return nil, errAt(line, "expected a line \"t # ID\", which starts a graph, found %s", quoted(row))
		}
		var err error
		switch fields[0] {
		case "t":
			g = &rawTVE{line: line, id: idTVE(fields[1:])}
			if g.id == "" {
				err = fmt.Errorf("expected \"t # ID\", found %s", quoted(row))
			}
		case "v":
			err = g.node(fields)
		case "e":
			err = g.edge(fields, line)
		default:
			err = fmt.Errorf("expected a line starting with t, v or e, found %s", quoted(row))
		}
		if err != nil {
			return g, errAt(line, "%w", err)
		}
	}
	if g != nil && g.id == "-1" && len(g.nodes) == 0 {
		return nil, nil
	}
	return g, nil
}

// asciiFields splits a line at blanks and control characters, as the fast path
// does; bytes beyond ASCII belong to fields.
func asciiFields(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r <= ' ' })
}

// idTVE returns the id in the fields after the t.
func idTVE(fields []string) string {
	if len(fields) > 0 {
		if fields[0] == "#" {
			fields = fields[1:]
		} else {
			fields[0] = strings.TrimPrefix(fields[0], "#")
		}
	}
	return strings.Join(fields, " ")
}

func (g *rawTVE) node(fields []string) error {
	if len(fields) != 3 {
		return fmt.Errorf("expected \"v NODE LABEL\" (three fields; labels have no blanks), found %d fields", len(fields))
	}
	if len(g.edges) > 0 {
		return fmt.Errorf("node %s comes after an edge: all v lines of a graph come first", shorten(fields[1]))
	}
	if want := strconv.Itoa(len(g.nodes)); fields[1] != want {
		return fmt.Errorf("found node %s, expected node %s: nodes are numbered 0, 1, 2, ... in order", quoted(fields[1]), want)
	}
	g.nodes = append(g.nodes, label{text: fields[2]})
	return nil
}

func (g *rawTVE) edge(fields []string, line int) error {
	if len(fields) != 4 {
		return fmt.Errorf("expected \"e NODE NODE LABEL\" (four fields; labels have no blanks), found %d fields", len(fields))
	}
	var ends [2]int
	for i, f := range fields[1:3] {
		v, err := strconv.Atoi(f)
		if err != nil {
			return fmt.Errorf("expected the number of a node, found %s", quoted(f))
		}
		if v < 0 || v >= len(g.nodes) {
			return fmt.Errorf("edge %s-%s: node %d: %w: the graph has %s",
				shorten(fields[1]), shorten(fields[2]), v, graph.ErrNodeRange, nodeRange(len(g.nodes)))
		}
		ends[i] = v
	}
	g.edges = append(g.edges, labelledEdge{ends[0], ends[1], label{text: fields[3]}, line})
	return nil
}

func nodeRange(n int) string {
	if n == 0 {
		return "no nodes"
	}
	return fmt.Sprintf("nodes 0 to %d", n-1)
}

func (e *env) buildTVE(g *rawTVE) (Record, error) {
	if len(g.nodes) == 0 {
		return Record{}, errAt(g.line, "%w: expected at least one line \"v NODE LABEL\" after \"t # %s\"", ErrNoNodes, shorten(g.id))
	}
	built, err := e.assemble(g.rawLabels, false, strconv.Itoa)
	if err != nil {
		return Record{}, err
	}
	return Record{ID: g.id, Graph: built, Line: g.line}, nil
}
