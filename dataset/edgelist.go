package dataset

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
)

func edgeListFormat() format {
	return format{
		name:       "edgelist",
		about:      "edge list, NODE NODE [LABEL] a line, as in SNAP; one graph a file",
		extensions: []string{"edges", "edgelist", "el"},
		sniff:      sniffEdgeList,
		open: func(in *input, e *env) (decoder, error) {
			return &edgeList{in: in, env: e}, nil
		},
	}
}

// sniffEdgeList wants two whole numbers at the start of each of the first lines.
func sniffEdgeList(head []byte) bool {
	const looked = 20
	lines := 0
	for line := range bytes.Lines(wholeLines(head)) {
		ends, _, _ := cutDict(strings.TrimSpace(string(line)))
		fields := edgeFields(ends)
		if len(fields) == 0 {
			continue
		}
		if lines++; lines > looked {
			break
		}
		if len(fields) < 2 || len(fields) > 3 {
			return false
		}
		for _, f := range fields[:2] {
			if _, err := strconv.ParseUint(f, 10, 64); err != nil {
				return false
			}
		}
	}
	return lines > 0
}

// edgeFields splits a line at blanks, tabs and commas; comments, from # or % at
// the start, have none.
func edgeFields(line string) []string {
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "%") {
		return nil
	}
	return strings.FieldsFunc(line, func(r rune) bool { return r <= ' ' || r == ',' })
}

// edgeList decodes a file that is one graph. Nodes that are whole numbers are
// put in the order of the numbers, others stay in the order in which they come.
// An undirected edge may be listed once or in both directions.
type edgeList struct {
	in   *input
	env  *env
	done bool
	raw  rawGraph
	// size is the text read so far; one graph, so all of it counts.
	size   int
	known  map[string]bool
	header string // what a comment says of direction
}

func (d *edgeList) close() error { return d.in.close() }

func (d *edgeList) next() (Record, error) {
	if d.done {
		return Record{}, io.EOF
	}
	d.done = true
	d.raw.line = 1
	d.known = make(map[string]bool)
	err := d.read()
	if err == nil && len(d.raw.nodes) == 0 {
		return Record{}, io.EOF
	}
	if err == nil {
		err = d.readLabels()
	}
	var rec Record
	if err == nil {
		d.settle()
		rec, err = d.env.build(&d.raw)
	}
	if _, ok := err.(*lineError); ok {
		return Record{}, d.env.bad(d.in.name, d.raw.line, "", nil, err)
	}
	rec.File = d.in.name
	return rec, err
}

// read collects the edges. Errors of the text are lineErrors.
func (d *edgeList) read() error {
	pieces := newPieces(d.in.r, d.env.opt.maxRecord(), true, splitLines)
	for {
		text, line, err := pieces.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if d.size += len(text); d.size > d.env.opt.maxRecord() {
			return errAt(line, "%w: more than %d bytes (--max-record raises the limit)", ErrRecordTooLarge, d.env.opt.maxRecord())
		}
		row := strings.TrimSpace(string(text))
		ends, dict, isDict := cutDict(row)
		fields := edgeFields(ends)
		switch {
		case len(fields) == 0:
			d.comment(row)
		case len(fields) == 2 && isDict:
			attrs, err := dictAttrs(dict)
			if err != nil {
				return errAt(line, "expected attributes like {'label': 'a'}, found %s: %w", quoted(dict), err)
			}
			d.edge(fields, attrs, line)
		case len(fields) == 2:
			d.edge(fields, nil, line)
		case len(fields) == 3 && !isDict:
			d.edge(fields, []attr{labelAttr(fields[2])}, line)
		default:
			return errAt(line, "expected \"NODE NODE [LABEL]\", found %d fields", len(fields))
		}
	}
}

// comment looks for what SNAP writes at the head of its files.
func (d *edgeList) comment(row string) {
	lower := strings.ToLower(row)
	switch {
	case d.header != "":
	case strings.Contains(lower, "undirected graph"):
		d.header = "undirected"
	case strings.Contains(lower, "directed graph"):
		d.header = "directed"
	}
}

func (d *edgeList) edge(fields []string, attrs []attr, line int) {
	for _, id := range fields[:2] {
		d.node(id, line)
	}
	d.raw.edges = append(d.raw.edges, rawEdge{fields[0], fields[1], line, attrs})
}

// cutDict cuts off the attributes that NetworkX writes behind an edge, in braces
// and in the syntax of Python.
func cutDict(row string) (ends, dict string, ok bool) {
	i := strings.Index(row, " {")
	if i < 0 || !strings.HasSuffix(row, "}") || row[0] == '#' {
		return row, "", false
	}
	return row[:i], row[i+1:], true
}

// dictAttrs reads attributes in the syntax of Python as far as JSON has the like.
func dictAttrs(dict string) ([]attr, error) {
	text := []byte(strings.ReplaceAll(dict, "'", `"`))
	if err := checkJSON(text, 1); err != nil {
		return nil, err
	}
	read := nodeLinkReader{names: make(map[string]string)}
	return read.split(text, nil, nil), nil
}

// labelAttr is the label of a format with a place for one label. Real numbers
// there are weights, and are refused like any other.
func labelAttr(text string) attr {
	return attr{"label", text, guessKind(text)}
}

func (d *edgeList) node(id string, line int) {
	if !d.known[id] {
		d.known[id] = true
		d.raw.nodes = append(d.raw.nodes, rawNode{id: id, line: line})
	}
}

// settle decides direction and the order of nodes.
func (d *edgeList) settle() {
	d.raw.directed = d.env.opt.Directed || d.header == "directed"
	switch {
	case d.env.opt.Directed:
	case d.header != "":
		d.env.notes.say("edges are %s, as a comment in %s says", d.header, d.in.name)
	default:
		d.env.notes.say("edges are read as undirected; --directed keeps their direction")
	}
	if !d.raw.directed {
		d.env.dropMirrored(&d.raw)
	}
	numbers := make(map[string]uint64, len(d.raw.nodes))
	for _, node := range d.raw.nodes {
		n, err := strconv.ParseUint(node.id, 10, 64)
		if err != nil {
			return
		}
		numbers[node.id] = n
	}
	slices.SortStableFunc(d.raw.nodes, func(a, b rawNode) int {
		x, y := numbers[a.id], numbers[b.id]
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}
