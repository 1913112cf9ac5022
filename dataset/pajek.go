package dataset

import (
	"bytes"
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

func pajekFormat() format {
	return format{
		name: "pajek", named: true, about: "networks of Pajek: *Vertices, *Arcs, *Edges",
		extensions: []string{"net", "paj"},
		sniff: func(head []byte) bool {
			for line := range bytes.Lines(head) {
				if word := pajekSection(string(line)); word != "" {
					return word == "network" || word == "vertices"
				}
				if text := bytes.TrimSpace(line); len(text) > 0 && text[0] != '%' {
					return false
				}
			}
			return false
		},
		open: func(in *input, e *env) (decoder, error) {
			return &pajek{input: in, env: e, lines: newLines(in.r, e, splitLines)}, nil
		},
	}
}

// bytesOfVertex is how many bytes a file has at least for a vertex of it, with a line of its own or without.
const bytesOfVertex = 4

// otherObject is the section of an object that is no network, which may have vertices, too.
const otherObject = "other"

// pajek decodes the networks of a file of Pajek (reference manual, "Data objects"). Other objects of a project are
// skipped with a note.
type pajek struct {
	*input
	env   *env
	lines *pieces
	raw   *rawGraph
	ahead []byte // the line of the next network, or nil
	size  int    // bytes of the network so far
	over  bool   // it had too many
	// section, relation and rows say what the lines below the last * are.
	section, relation string
	rows              int
	n                 int
	// undirected counts edges, and arcs those with a direction.
	undirected, arcs int
	// twoWay are the edges without a direction, from and to which.
	twoWay [][2]int
	fields []string
}

// pajekSection returns the word after the * of a line, in lower case, or "".
func pajekSection(line string) string {
	if !strings.HasPrefix(line, "*") {
		return ""
	}
	line = strings.ToLower(line[1:])
	return line[:len(line)-len(strings.TrimLeft(line, "abcdefghijklmnopqrstuvwxyz"))]
}

func (d *pajek) next() (Record, error) {
	for !d.over {
		d.raw = &d.env.raw
		d.raw.reset(d.env, d.lines.line)
		d.raw.closed = true
		d.section, d.n, d.undirected, d.arcs, d.twoWay, d.size = "", -1, 0, 0, d.twoWay[:0], 0
		line := d.raw.line
		err := d.network()
		ended := err == io.EOF
		if ended && d.section == "" {
			return Record{}, io.EOF
		}
		var rec Record
		if err == nil || ended {
			if d.n < 0 && (d.section == "" || d.section == otherObject) {
				continue // what stands before the first network
			}
			err = d.direct()
		}
		if err == nil {
			rec, err = d.env.build(d.raw)
		}
		if err != nil {
			return Record{}, d.env.bad(d.name, line, d.raw.id, nil, err)
		}
		rec.File = d.name
		return rec, nil
	}
	return Record{}, io.EOF
}

// network reads the lines of a network, up to the next one or io.EOF, also after an error in one.
func (d *pajek) network() (failed error) {
	for {
		text, line, err := d.ahead, d.lines.line-1, error(nil)
		if d.ahead = nil; text == nil {
			text, line, err = d.lines.next()
		}
		switch {
		case err == io.EOF:
			return cmp.Or(failed, io.EOF)
		case err != nil:
			return err
		}
		row := strings.TrimSpace(string(d.utf8(text, d.env)))
		if pajekSection(row) == "network" && d.section != "" {
			d.ahead = []byte(row)
			return failed
		}
		if d.size += len(text); d.size > d.env.opt.maxRecord() {
			d.over = true
			return errAt(line, "%w", tooLarge(d.env.opt.maxRecord()))
		}
		if failed == nil {
			failed = d.row(row, line)
		}
	}
}

// row reads a line.
func (d *pajek) row(row string, line int) error {
	if row == "" || row[0] == '%' {
		return nil
	}
	if word := pajekSection(row); word != "" {
		return d.begin(word, strings.TrimSpace(row[1+len(word):]), line)
	}
	switch d.section {
	case "vertices":
		return d.vertex(d.head(row), line)
	case "arcs", "edges":
		fields := d.head(row)
		if len(fields) < 2 {
			return errAt(line, "expected two vertices, found %s", quoted(row))
		}
		chain := noAttrs
		if len(fields) > 2 {
			chain = d.raw.edgeAttrs.add(chain, "weight", fields[2], guessKind(fields[2]))
		}
		for i := 3; i+1 < len(fields); i++ {
			if fields[i] == "l" {
				chain = d.raw.edgeAttrs.add(chain, "label", fields[i+1], textKind)
			}
		}
		return d.join(fields[0], fields[1], line, chain)
	case "arcslist", "edgeslist":
		from, rest := pajekField(row)
		d.raw.edges = slices.Grow(d.raw.edges, len(rest)/2) // two bytes may be an edge
		for rest != "" {
			var to string
			to, rest = pajekField(rest)
			if err := d.join(from, to, line, noAttrs); err != nil {
				return err
			}
		}
	case "matrix":
		d.rows++
		for i := 0; row != ""; i++ {
			var value string
			value, row = pajekField(row)
			if x, err := strconv.ParseFloat(value, 64); err == nil && x == 0 {
				continue
			}
			chain := d.raw.edgeAttrs.add(noAttrs, "weight", value, guessKind(value))
			if err := d.join(strconv.Itoa(d.rows), strconv.Itoa(i+1), line, chain); err != nil {
				return err
			}
		}
	case "":
		return errAt(line, "found %s, expected *Vertices", quoted(row))
	}
	return nil
}

// begin reads a line that begins with *.
func (d *pajek) begin(word, rest string, line int) error {
	if d.section == otherObject && word != "network" {
		return nil
	}
	d.section, d.relation, d.rows = word, "", 0
	fields := d.head(rest)
	switch word {
	case "network":
		d.raw.id = rest
	case "vertices":
		if d.n >= 0 {
			return errAt(line, "*Vertices is given twice, expected *Network before the second")
		}
		if len(fields) == 0 {
			return errAt(line, "*Vertices states no number")
		}
		n, err := strconv.Atoi(fields[0])
		if err != nil || n < 0 || n > math.MaxInt32 {
			return errAt(line, "found %s vertices, expected a number", quoted(fields[0]))
		}
		d.n = n
	case "arcs", "edges", "arcslist", "edgeslist", "matrix":
		if d.n < 0 {
			return errAt(line, "found *%s, expected *Vertices first", word)
		}
		if len(fields) > 0 && strings.HasPrefix(fields[0], ":") {
			d.relation = cmp.Or(strings.Join(fields[1:], " "), fields[0][1:])
		}
	default:
		d.section = otherObject
		d.env.notes.say("%s: *%s is no network and was skipped", d.name, word)
	}
	return nil
}

// vertex reads the number and the label of a vertex. Coordinates and shapes are how it is drawn.
func (d *pajek) vertex(fields []string, line int) error {
	number, err := d.end(fields[0], line)
	if err != nil {
		return err
	}
	chain := noAttrs
	if len(fields) > 1 {
		chain = d.raw.nodeAttrs.add(chain, "label", fields[1], textKind)
	}
	return d.raw.declare(number, line, chain)
}

// complete adds the vertices that have no line of their own. They are added last, when it is known how much text the
// network has for them.
func (d *pajek) complete() error {
	if !d.env.declare(bytesOfVertex*d.n, d.size) {
		return errAt(d.raw.line, "found %d vertices in %d bytes: more than are read of those that have no line of "+
			"their own", d.n, d.size)
	}
	for v := 1; v <= d.n && len(d.raw.nodes) < d.n; v++ {
		number := d.raw.mention(strconv.Itoa(v))
		if d.raw.at[number] == undeclared {
			if err := d.raw.addNode(number, d.raw.line, noAttrs); err != nil {
				return err
			}
		}
	}
	d.raw.sortByNumber()
	return nil
}

// end checks the number of a vertex.
func (d *pajek) end(field string, line int) (string, error) {
	number, ok := wholeNumber([]byte(field))
	if !ok || number < 1 || number > uint64(d.n) {
		return "", errAt(line, "found vertex %s, expected a number from 1 to %d", quoted(field), d.n)
	}
	if field[0] == '0' {
		field = strconv.FormatUint(number, 10)
	}
	return field, nil
}

// join adds an edge or an arc.
func (d *pajek) join(from, to string, line int, chain uint32) error {
	from, err := d.end(from, line)
	if err == nil {
		to, err = d.end(to, line)
	}
	if err != nil {
		return err
	}
	if d.relation != "" {
		chain = d.raw.edgeAttrs.add(chain, "relation", d.relation, guessKind(d.relation))
	}
	if at := len(d.raw.edges); strings.HasPrefix(d.section, "arcs") || d.section == "matrix" {
		d.arcs++
	} else {
		if last := len(d.twoWay) - 1; last >= 0 && d.twoWay[last][1] == at {
			d.twoWay[last][1]++
		} else {
			d.twoWay = append(d.twoWay, [2]int{at, at + 1})
		}
		d.undirected++
	}
	return d.raw.connect(from, to, line, chain)
}

// direct decides whether the graph is directed. Beside arcs an edge is two of them, as it is for Pajek.
func (d *pajek) direct() error {
	if d.n < 0 {
		return errAt(d.raw.line, "found no *Vertices")
	}
	if err := d.complete(); err != nil {
		return err
	}
	d.raw.directed = d.arcs > 0
	if d.arcs == 0 || d.undirected == 0 {
		return nil
	}
	d.env.notes.count(d.undirected, "edge beside arcs is read as an arc in either direction",
		"edges beside arcs are read as arcs in either direction")
	d.raw.edges = slices.Grow(d.raw.edges, d.undirected)
	for _, some := range d.twoWay {
		for _, edge := range d.raw.edges[some[0]:some[1]] {
			if err := d.raw.join(edge.to, edge.from, int(edge.line), edge.attrs); err != nil {
				return err
			}
		}
	}
	return nil
}

// head returns the first fields of a line, which no line has more of that are read.
func (d *pajek) head(row string) []string {
	const most = 32
	d.fields = d.fields[:0]
	for row != "" && len(d.fields) < most {
		var field string
		field, row = pajekField(row)
		d.fields = append(d.fields, field)
	}
	return d.fields
}

// pajekField returns the first field of a line, which blanks outside quotation marks end, and what follows it.
func pajekField(row string) (field, rest string) {
	end := strings.IndexAny(row, " \t")
	if strings.HasPrefix(row, `"`) {
		if close := strings.IndexByte(row[1:], '"'); close >= 0 {
			return row[1 : close+1], strings.TrimLeft(row[close+2:], " \t")
		}
	}
	if end < 0 {
		return row, ""
	}
	return row[:end], strings.TrimLeft(row[end:], " \t")
}
