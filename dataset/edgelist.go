package dataset

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

func edgeListFormat() format {
	return format{
		name:  "edgelist",
		named: true,
		about: "edge list: one line NODE NODE [LABEL] per edge, as in SNAP, or a table with columns source and " +
			"target; one graph per file",
		extensions: []string{"edges", "edgelist", "el", "ncol"},
		sniff:      func(head []byte) bool { return sniffEdgeList(head) || findEdgeTable(head) != nil },
		open: func(in *input, e *env) (decoder, error) {
			return &edgeList{input: in, env: e, table: findEdgeTable(in.head)}, nil
		},
	}
}

// sniffEdgeList requires two integers at the start of each of the first lines.
func sniffEdgeList(head []byte) bool {
	const looked = 20
	lines := 0
	for line := range bytes.Lines(wholeLines(head)) {
		ends, _, _ := cutDict(strings.TrimSpace(string(line)))
		fields := edgeFields(nil, ends)
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
			if _, ok := wholeNumber([]byte(f)); !ok {
				return false
			}
		}
	}
	return lines > 0
}

// edgeFields splits a line at blanks, tabs and commas and appends the fields to dst.
// Comments, which begin with # or %, have none.
func edgeFields(dst []string, line string) []string {
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "%") {
		return dst
	}
	start := -1
	for i := 0; i <= len(line); i++ {
		field := i < len(line) && line[i] > ' ' && line[i] != ','
		switch {
		case field && start < 0:
			start = i
		case !field && start >= 0:
			dst = append(dst, line[start:i])
			start = -1
		}
	}
	return dst
}

// edgeList decodes a file that is a single graph. If all nodes are integers they are sorted
// numerically; otherwise they keep their order of occurrence. An undirected edge may be
// listed once or in both directions.
type edgeList struct {
	*input
	env  *env
	done bool
	raw  rawGraph
	// size is the number of bytes read so far; as there is one graph, all of them count.
	size   int
	header string // what the file says of direction
	table  *edgeTable
	titled bool // the header of the table is read
}

func (d *edgeList) next() (Record, error) {
	if d.done {
		return Record{}, io.EOF
	}
	d.done = true
	d.raw.reset(d.env, 1)
	err := d.read()
	if err == nil && len(d.raw.nodes) == 0 {
		return Record{}, io.EOF
	}
	if err == nil {
		err = d.readLabels()
	}
	var rec Record
	if err == nil {
		d.resolve()
		rec, err = d.env.build(&d.raw)
	}
	if _, ok := err.(*lineError); ok {
		return Record{}, d.env.bad(d.name, d.raw.line, "", nil, err)
	}
	rec.File = d.name
	return rec, err
}

// read collects the edges. Errors of the text are lineErrors.
func (d *edgeList) read() error {
	pieces := newLines(d.r, d.env, splitLines)
	for {
		text, line, err := pieces.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if d.size += len(text); d.size > d.env.opt.maxRecord() {
			return errAt(line, "%w", tooLarge(d.env.opt.maxRecord()))
		}
		row := strings.TrimSpace(string(text))
		switch {
		case d.table == nil:
			err = d.row(row, line)
		case row == "":
		case !d.titled:
			d.titled = true
			d.table.say(d.env)
		default:
			err = d.tableRow(strings.TrimRight(string(text), "\r\n"), line)
		}
		if err != nil {
			return err
		}
	}
}

func (d *edgeList) row(row string, line int) error {
	ends, dict, isDict := cutDict(row)
	var space [4]string
	fields := edgeFields(space[:0], ends)
	switch {
	case len(fields) == 0:
		d.comment(row)
		return nil
	case len(fields) == 2 && isDict:
		chain, err := d.dict(dict)
		if err != nil {
			return errAt(line, "expected attributes like {'label': 'a'}, found %s: %w", quoted(dict), err)
		}
		return d.edge(fields, chain, line)
	case len(fields) == 2:
		return d.edge(fields, noAttrs, line)
	case len(fields) == 3 && !isDict:
		return d.edge(fields, d.raw.edgeAttrs.add(noAttrs, "label", fields[2], guessKind(fields[2])), line)
	}
	return errAt(line, "expected \"NODE NODE [LABEL]\", found %d fields", len(fields))
}

// comment recognises the comments that SNAP writes at the start of its files.
func (d *edgeList) comment(row string) {
	if d.header != "" || len(row) > 1000 {
		return
	}
	lower := strings.ToLower(row)
	switch {
	case strings.Contains(lower, "undirected graph"):
		d.header = "undirected"
	case strings.Contains(lower, "directed graph"):
		d.header = "directed"
	}
}

func (d *edgeList) edge(fields []string, chain uint32, line int) error {
	var ends [2]uint32
	for i, id := range fields[:2] {
		ends[i] = d.raw.mention(id)
		if d.raw.at[ends[i]] == undeclared {
			if err := d.raw.addNode(ends[i], line, noAttrs); err != nil {
				return err
			}
		}
	}
	return d.raw.join(ends[0], ends[1], line, chain)
}

// cutDict cuts off the attributes that NetworkX writes after an edge, in braces and in
// Python's syntax.
func cutDict(row string) (ends, dict string, ok bool) {
	i := strings.Index(row, " {")
	if i < 0 || !strings.HasSuffix(row, "}") || row[0] == '#' {
		return row, "", false
	}
	return row[:i], row[i+1:], true
}

// dict reads attributes in Python's syntax, as far as JSON has equivalents. Real numbers are
// weights there; like any real numbers they are rejected as labels.
func (d *edgeList) dict(dict string) (uint32, error) {
	text := []byte(strings.ReplaceAll(dict, "'", `"`))
	if err := checkJSON(text, 1); err != nil {
		return noAttrs, err
	}
	read := nodeLinkReader{raw: &d.raw}
	return read.split(text, nil, nil, &d.raw.edgeAttrs)
}

// resolve decides whether edges are directed, and the order of nodes.
func (d *edgeList) resolve() {
	d.raw.directed = d.env.opt.Directed || d.header == "directed"
	switch {
	case d.env.opt.Directed:
	case d.header != "":
		d.env.notes.say("edges are read as %s, as the file says", d.header)
	default:
		d.env.notes.say("edges are read as undirected; %v keeps their direction", Setting{"directed", "true"})
	}
	if !d.raw.directed {
		d.raw.dropMirrored()
	}
	d.raw.sortByNumber()
}

// sortByNumber sorts nodes numerically if the names of all are whole numbers.
func (g *rawGraph) sortByNumber() {
	numbers := make([]uint64, g.names.len())
	for i := range numbers {
		n, ok := wholeNumber(g.names.at(uint32(i)))
		if !ok {
			return
		}
		numbers[i] = n
	}
	slices.SortStableFunc(g.nodes, func(a, b rawNode) int { return cmp.Compare(numbers[a.name], numbers[b.name]) })
	for v, node := range g.nodes {
		g.at[node.name] = uint32(v)
	}
}

// wholeNumber parses a number that consists of digits and fits 64 bits.
func wholeNumber(text []byte) (uint64, bool) {
	const most = 20 // digits of 64 bits
	if len(text) == 0 || len(text) > most || digits(string(text)) < len(text) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text), 10, 64)
	return n, err == nil
}

// readLabels reads the file of node labels, if there is one. Nodes in it that have no edge
// become isolated nodes.
func (d *edgeList) readLabels() error {
	path := d.env.opt.LabelFile
	if path == "" {
		return nil
	}
	in, err := openFile(path)
	if err != nil {
		return err
	}
	defer in.close()
	pieces := newLines(in.r, d.env, splitLines)
	for {
		text, line, err := pieces.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, line, err)
		}
		fields := edgeFields(nil, strings.TrimSpace(string(text)))
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 {
			return fmt.Errorf("%s:%d: expected \"NODE LABEL\", found %d fields", path, line, len(fields))
		}
		number := d.raw.mention(fields[0])
		if d.raw.at[number] == undeclared {
			if err := d.raw.addNode(number, 0, noAttrs); err != nil {
				return err
			}
		}
		node := &d.raw.nodes[d.raw.at[number]]
		if node.attrs != noAttrs {
			return fmt.Errorf("%s:%d: node %s is given twice", path, line, quoted(fields[0]))
		}
		node.attrs = d.raw.nodeAttrs.add(noAttrs, "label", fields[1], guessKind(fields[1]))
	}
	for v, node := range d.raw.nodes {
		if node.attrs == noAttrs {
			return errAt(int(node.line), "node %s has no label in %s, which needs a line for every node",
				quoted(d.raw.nodeName(uint32(v))), path)
		}
	}
	return nil
}
