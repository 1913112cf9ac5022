package dataset

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/graph"
)

// readTVE parses a record of t/v/e text, which starts at raw.line, into raw. It accepts what
// the fast path does not: runs of blanks, blank lines, comments, a missing #, and the line "t
// # -1" with which some programs end. It returns false for text without a record. After an
// error, raw holds what was read before it.
func readTVE(text []byte, raw *rawGraph) (found bool, err error) {
	started := false
	for line := raw.line; len(text) > 0; line++ {
		var row []byte
		row, text, _ = bytes.Cut(text, []byte{'\n'})
		fields := asciiFields(string(row))
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if !started && fields[0] != "t" {
			return false, errAt(line, "expected a line \"t # ID\", which starts a graph, found %s", quoted(row))
		}
		switch fields[0] {
		case "t":
			started = true
			raw.line, raw.id = line, idTVE(fields[1:])
			if raw.id == "" {
				err = fmt.Errorf("expected \"t # ID\", found %s", quoted(row))
			}
		case "v":
			err = nodeTVE(raw, fields, line)
		case "e":
			err = edgeTVE(raw, fields, line)
		default:
			err = fmt.Errorf("expected a line starting with t, v or e, found %s", quoted(row))
		}
		if _, placed := err.(*lineError); placed {
			return true, err
		}
		if err != nil {
			return true, errAt(line, "%w", err)
		}
	}
	return started && (raw.id != "-1" || len(raw.nodes) > 0), nil
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

func nodeTVE(raw *rawGraph, fields []string, line int) error {
	if len(fields) != 3 {
		return fmt.Errorf("expected \"v NODE LABEL\" (three fields; labels have no blanks), found %d fields", len(fields))
	}
	if len(raw.edges) > 0 {
		return fmt.Errorf("node %s comes after an edge: all v lines of a graph come first", shorten(fields[1]))
	}
	if want := strconv.Itoa(len(raw.nodes)); fields[1] != want {
		return fmt.Errorf("found node %s, expected node %s: nodes are numbered 0, 1, 2, ... in order", quoted(fields[1]), want)
	}
	return raw.number(line, raw.nodeAttrs.add(noAttrs, "label", fields[2], textKind))
}

func edgeTVE(raw *rawGraph, fields []string, line int) error {
	if len(fields) != 4 {
		return fmt.Errorf("expected \"e NODE NODE LABEL\" (four fields; labels have no blanks), found %d fields", len(fields))
	}
	var ends [2]uint32
	for i, f := range fields[1:3] {
		v, err := strconv.Atoi(f)
		if err != nil {
			return fmt.Errorf("expected the number of a node, found %s", quoted(f))
		}
		if v < 0 || v >= len(raw.nodes) {
			return fmt.Errorf("edge %s-%s: node %d: %w: the graph has %s",
				shorten(fields[1]), shorten(fields[2]), v, graph.ErrNodeRange, nodeRange(len(raw.nodes)))
		}
		ends[i] = uint32(v)
	}
	return raw.join(ends[0], ends[1], line, raw.edgeAttrs.add(noAttrs, "label", fields[3], textKind))
}

func nodeRange(n int) string {
	if n == 0 {
		return "no nodes"
	}
	return fmt.Sprintf("nodes 0 to %d", n-1)
}
