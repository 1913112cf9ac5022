package dataset

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/graph"
)

func tveFormat() format {
	return format{
		name:       "tve",
		about:      "t/v/e text: lines t # ID, v NODE LABEL, e NODE NODE LABEL",
		extensions: []string{anyText, "tve", "lg"},
		sniff:      sniffTVE,
		open:       openTVE,
		write:      func(w io.Writer) encoder { return &tveEncoder{w: w} },
		bare:       true,
		single:     true,
		undirected: true,
	}
}

// sniffTVE requires that the first line other than blank lines and comments begins with "t ".
func sniffTVE(head []byte) bool {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return bytes.HasPrefix(line, []byte("t ")) || bytes.HasPrefix(line, []byte("t\t"))
		}
	}
	return false
}

// tve decodes t/v/e text.
type tve struct {
	*input
	env    *env
	pieces *pieces
}

func openTVE(in *input, e *env) (decoder, error) {
	return &tve{input: in, env: e, pieces: newLines(in.r, e, splitTVE)}, nil
}

// splitTVE ends a record before a line that starts with t.
func splitTVE(data []byte) int {
	if i := bytes.Index(data, []byte("\nt")); i >= 0 {
		return i + 1
	}
	return -1
}

func (d *tve) next() (Record, error) {
	for {
		text, line, err := d.env.piece(d.input, d.pieces)
		if err != nil {
			return Record{}, err
		}
		raw := &d.env.raw
		raw.reset(d.env, line)
		found, err := readTVE(text, raw)
		if err == nil && !found {
			continue // comments before the first record, or the end mark
		}
		var rec Record
		if err == nil {
			rec, err = d.env.buildPlain(raw)
		}
		if err != nil {
			return Record{}, d.env.bad(d.name, line, raw.id, text, err)
		}
		rec.File = d.name
		return rec, nil
	}
}

// readTVE parses a record of t/v/e text, which starts at raw.line, into raw. There may be runs of blanks, blank lines,
// comments, no #, and the line "t # -1" with which some programs end. It returns false for text without a record. After
// an error, raw holds what was read before it.
func readTVE(text []byte, raw *rawGraph) (found bool, err error) {
	started := false
	var fields fieldsTVE
	for line := raw.line; len(text) > 0; line++ {
		row := text[:fields.split(text)]
		text = text[min(len(row)+1, len(text)):]
		if fields.n == 0 || fields.of[0][0] == '#' {
			continue
		}
		kind := fields.of[0][0]
		if len(fields.of[0]) > 1 {
			kind = 0
		}
		if !started && kind != 't' {
			return false, errAt(line, "expected a line \"t # ID\", which starts a graph, found %s", quoted(row))
		}
		switch kind {
		case 't':
			started = true
			raw.line, raw.id = line, idTVE(row, &fields)
			if raw.id == "" {
				err = fmt.Errorf("expected \"t # ID\", found %s", quoted(row))
			}
		case 'v':
			err = nodeTVE(raw, &fields, line)
		case 'e':
			err = edgeTVE(raw, &fields, line)
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

// fieldsTVE is the fields of a line: what blanks and control characters separate, bytes beyond ASCII included.
type fieldsTVE struct {
	n  int
	of [4][]byte // as many as lines of nodes and edges have
}

// split finds the fields of the first line of a text, and returns its length.
func (f *fieldsTVE) split(text []byte) int {
	f.n = 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			return i
		case c <= ' ':
			continue
		}
		start := i
		for i++; i < len(text) && text[i] > ' '; i++ {
		}
		if f.n < len(f.of) {
			f.of[f.n] = text[start:i]
		}
		f.n++
		i-- // what follows may end the line
	}
	return len(text)
}

// idTVE returns the id in a line that begins with t.
func idTVE(row []byte, line *fieldsTVE) string {
	if line.n == 3 && string(line.of[1]) == "#" {
		return string(line.of[2])
	}
	fields := asciiFields(string(row))[1:]
	if len(fields) > 0 {
		if fields[0] == "#" {
			fields = fields[1:]
		} else {
			fields[0] = strings.TrimPrefix(fields[0], "#")
		}
	}
	return strings.Join(fields, " ")
}

// asciiFields splits a text as fieldsTVE does.
func asciiFields(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' })
}

// numberTVE returns the number that a field is, or -1.
func numberTVE(field []byte) (number int) {
	const digits = 9
	for _, c := range field {
		if c -= '0'; c > 9 || len(field) > digits {
			v, err := strconv.Atoi(string(field)) // it has a sign or zeros in front, or it is none
			if err != nil || v < 0 {
				return -1
			}
			return v
		}
		number = 10*number + int(c)
	}
	return number
}

func nodeTVE(raw *rawGraph, line *fieldsTVE, at int) error {
	if line.n != 3 {
		return fmt.Errorf("expected \"v NODE LABEL\" (three fields; labels have no blanks), found %d fields", line.n)
	}
	node, label := line.of[1], line.of[2]
	if len(raw.edges) > 0 {
		return fmt.Errorf("node %s comes after an edge: all v lines of a graph come first", shorten(string(node)))
	}
	if want := len(raw.nodes); numberTVE(node) != want || node[0] == '+' || node[0] == '0' && len(node) > 1 {
		return fmt.Errorf("found node %s, expected node %d: nodes are numbered 0, 1, 2, ... in order", quoted(node),
			want)
	}
	return raw.number(at, raw.nodeAttrs.plain(label))
}

func edgeTVE(raw *rawGraph, line *fieldsTVE, at int) error {
	if line.n != 4 {
		return fmt.Errorf("expected \"e NODE NODE LABEL\" (four fields; labels have no blanks), found %d fields",
			line.n)
	}
	var ends [2]uint32
	for i, f := range line.of[1:3] {
		v := numberTVE(f)
		if v >= 0 && v < len(raw.nodes) {
			ends[i] = uint32(v)
			continue
		}
		if v, err := strconv.Atoi(string(f)); err == nil {
			return fmt.Errorf("edge %s-%s: node %d: %w: the graph has %s", shorten(string(line.of[1])),
				shorten(string(line.of[2])), v, graph.ErrNodeRange, nodeRange(len(raw.nodes)))
		}
		return fmt.Errorf("expected the number of a node, found %s", quoted(f))
	}
	return raw.join(ends[0], ends[1], at, raw.edgeAttrs.plain(line.of[3]))
}

func nodeRange(n int) string {
	if n == 0 {
		return "no nodes"
	}
	return fmt.Sprintf("nodes 0 to %d", n-1)
}
