package dataset

import (
	"bytes"
	"math"
	"slices"
	"strings"
)

// pajek decodes networks of Pajek, whose vertices are numbered from 1. It ignores
// positions, shapes and colours.
type pajek struct {
	in     *input
	env    *env
	pieces *pieces
	raw    rawGraph

	section           string
	hasEdges, hasArcs bool // one at least, or the section alone where there is neither
}

func (d *pajek) close() error { return d.in.close() }

func (d *pajek) next() (Record, error) {
	for {
		text, line, err := d.env.piece(d.in, d.pieces)
		if err != nil {
			return Record{}, err
		}
		word, begin := firstSection(text)
		switch {
		case begin < 0:
			continue // comments only
		case word != "*network" && slices.Contains(pajekObjects, word):
			d.env.notes.count("partitions, vectors and others that are no networks were passed over", 1)
			continue
		}
		d.raw.reset(d.env, line+bytes.Count(text[:begin], []byte{'\n'}))
		d.section, d.hasEdges, d.hasArcs = "", false, false
		err = d.read(text[begin:])
		var rec Record
		if err == nil {
			rec, err = d.env.build(&d.raw)
		}
		if err != nil {
			return Record{}, d.env.bad(d.in.name, d.raw.line, d.raw.id, text, err)
		}
		rec.File = d.in.name
		return rec, nil
	}
}

// firstSection returns the word of the first line that is no comment, and where
// the line begins, or -1.
func firstSection(text []byte) (word string, begin int) {
	for line := range bytes.Lines(text) {
		if row := bytes.TrimSpace(line); len(row) > 0 && row[0] != '%' {
			word, _ = pajekSection(row)
			return word, begin
		}
		begin += len(line)
	}
	return "", -1
}

// read takes the lines of a network.
func (d *pajek) read(text []byte) error {
	at := d.raw.line - 1
	for row := range bytes.Lines(text) {
		at++
		row = bytes.TrimSpace(row)
		if len(row) == 0 || row[0] == '%' {
			continue
		}
		word, rest := pajekSection(row)
		var err error
		switch {
		case word == "*network":
			d.raw.id = rest
		case word == "*vertices":
			d.section = word
			err = d.vertices(rest, len(text), at)
		case d.section == "":
			err = errAt(at, "found %s, expected *Vertices", quoted(row))
		case word == "":
			err = d.row(string(row), at)
		case slices.Contains([]string{"*arcs", "*edges", "*arcslist", "*edgeslist"}, word):
			d.section = word
		default:
			err = errAt(at, "found the section %s, expected *Arcs, *Edges, *Arcslist or *Edgeslist", quoted(word))
		}
		if err != nil {
			return err
		}
	}
	if d.hasArcs && d.hasEdges {
		return errAt(d.raw.line, "the network has arcs and edges: the edges of a graph must all be directed or all be undirected")
	}
	d.raw.directed = d.hasArcs || !d.hasEdges && strings.HasPrefix(d.section, "*arcs")
	return nil
}

// vertices adds as many vertices as the line says. A second number, which counts the
// first of two modes, is ignored.
func (d *pajek) vertices(rest string, size, at int) error {
	number, _, _ := strings.Cut(rest, " ")
	n, ok := wholeNumber([]byte(number))
	if !ok || n > math.MaxInt32 || !d.env.declare(int(n), size) { // vertices need no line
		return errAt(at, "found %s, expected the number of vertices", quoted(rest))
	}
	for range n {
		if err := d.raw.number(at, noAttrs); err != nil {
			return err
		}
	}
	d.raw.first = 1
	return nil
}

// row takes a line of a section.
func (d *pajek) row(row string, at int) error {
	line := pajekLine{row, at}
	first, _, err := line.next()
	if err != nil {
		return err
	}
	second, more, err := line.next()
	switch {
	case err != nil:
		return err
	case d.section == "*vertices":
		return d.vertex(first, second, at)
	case d.section == "*arcs" || d.section == "*edges":
		chain, err := d.edgeAttrs(&line)
		if err != nil {
			return err
		}
		return d.edge(first, second, chain, at)
	}
	for more {
		if err := d.edge(first, second, noAttrs, at); err != nil {
			return err
		}
		if second, more, err = line.next(); err != nil {
			return err
		}
	}
	return nil
}

// vertex labels a vertex: NUMBER LABEL. A label that repeats the number is no label.
func (d *pajek) vertex(number, label pajekField, at int) error {
	v, err := d.end(number, at)
	if err != nil || label.text == "" || label.text == number.text {
		return err
	}
	node := &d.raw.nodes[v]
	if node.attrs != noAttrs {
		return errAt(at, "vertex %s is given twice", quoted(number.text))
	}
	node.line = uint32(at)
	node.attrs = d.raw.nodeAttrs.add(noAttrs, "label", label.text, label.kind())
	return nil
}

// edgeAttrs reads what follows the ends of an edge: its value, if that is a
// number, then parameters with a value each, of which l is the label.
func (d *pajek) edgeAttrs(line *pajekLine) (uint32, error) {
	chain := noAttrs
	for i := 0; ; i++ {
		name, ok, err := line.next()
		if err != nil || !ok {
			return chain, err
		}
		if i == 0 && name.kind() != textKind {
			chain = d.raw.edgeAttrs.add(chain, "weight", name.text, name.kind())
			continue
		}
		value, _, err := line.next()
		if err != nil {
			return chain, err
		}
		if name.text == "l" {
			chain = d.raw.edgeAttrs.add(chain, "label", value.text, value.kind())
		}
	}
}

func (d *pajek) edge(from, to pajekField, chain uint32, at int) error {
	a, err := d.end(from, at)
	if err != nil {
		return err
	}
	b, err := d.end(to, at)
	if err != nil {
		return err
	}
	if strings.HasPrefix(d.section, "*arcs") {
		d.hasArcs = true
	} else {
		d.hasEdges = true
	}
	return d.raw.join(a, b, at, chain)
}

// end returns the node that a vertex is.
func (d *pajek) end(f pajekField, at int) (uint32, error) {
	n, ok := wholeNumber([]byte(f.text))
	if !ok || n < 1 || n > uint64(len(d.raw.nodes)) {
		return 0, errAt(at, "found %s, expected a vertex of 1 to %d", quoted(f.text), len(d.raw.nodes))
	}
	return uint32(n - 1), nil
}
