package dataset

import (
	"bytes"
	"fmt"
	"io"
	"slices"
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

// tve decodes t/v/e text. A fast path parses records in the plainest form, which is what
// programs write. Everything else goes to readTVE, which reads it or reports the error.
type tve struct {
	*input
	env     *env
	pieces  *pieces
	builder *graph.Builder
}

func openTVE(in *input, e *env) (decoder, error) {
	builder := graph.NewBuilder(e.vocab, false)
	if e.opt.Simplify { // what is to be folded takes the other way
		builder.Simple()
	}
	return &tve{input: in, env: e, pieces: newLines(in.r, e, splitTVE), builder: builder}, nil
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
		if id, g, ok := d.fast(text); ok {
			return Record{ID: string(id), Graph: g, File: d.name, Line: line}, nil
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

// fast parses a record if every line has the required fields, separated by single blanks,
// with nodes in order and valid edges.
func (d *tve) fast(text []byte) (id []byte, g *graph.Graph, ok bool) {
	rest, found := bytes.CutPrefix(text, []byte("t # "))
	if !found {
		return nil, nil, false
	}
	end := bytes.IndexByte(rest, '\n')
	if end < 0 {
		return nil, nil, false
	}
	id = rest[:end]
	if len(id) == 0 || slices.ContainsFunc(id, func(b byte) bool { return b <= ' ' }) {
		return nil, nil, false
	}
	b := d.builder
	b.Reset()
	i := end + 1
	n := 0
	for i < len(rest) && rest[i] == 'v' {
		v, next := fastNumber(rest, i+1)
		if v != n {
			return nil, nil, false
		}
		label, next := fastLabel(rest, next)
		if label == nil {
			return nil, nil, false
		}
		b.AddNodeLabel(d.env.nodes.get(label))
		n++
		i = next
	}
	for i < len(rest) {
		if rest[i] != 'e' {
			return nil, nil, false
		}
		u, next := fastNumber(rest, i+1)
		v, next := fastNumber(rest, next)
		label, next := fastLabel(rest, next)
		if label == nil || uint(u) >= uint(n) || uint(v) >= uint(n) {
			return nil, nil, false
		}
		if b.AddEdgeLabel(u, v, d.env.edges.get(label)) != nil {
			return nil, nil, false
		}
		i = next
	}
	if n == 0 || d.env.opt.MaxNodes > 0 && n > d.env.opt.MaxNodes || d.env.opt.MaxEdges > 0 && b.M() > d.env.opt.MaxEdges {
		return nil, nil, false
	}
	g, err := b.Build()
	return id, g, err == nil
}

// fastNumber reads a blank and a number of at most 9 digits at text[i:] and returns the
// number and the offset after it, or -1.
func fastNumber(text []byte, i int) (number, next int) {
	if i >= len(text) || text[i] != ' ' {
		return -1, i
	}
	start := i + 1
	for i = start; i < len(text); i++ {
		c := text[i] - '0'
		if c > 9 {
			break
		}
		number = number*10 + int(c)
	}
	if i == start || i-start > 9 {
		return -1, i
	}
	return number, i
}

// fastLabel reads a blank, a label and the end of the line at text[i:] and
// returns the label with the start of the next line, or nil.
func fastLabel(text []byte, i int) (label []byte, next int) {
	if i >= len(text) || text[i] != ' ' {
		return nil, i
	}
	start := i + 1
	for i = start; i < len(text); i++ {
		if text[i] <= ' ' {
			break
		}
	}
	if i == start || i == len(text) || text[i] != '\n' {
		return nil, i
	}
	return text[start:i], i + 1
}

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
