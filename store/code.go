package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// noCentre is the centre of records that are no neighbourhoods.
const noCentre = -1

// Flags of a stored record.
const (
	hasGraph = 1 << iota
	isDirected
	hasNodeIDs
	hasAttributes
	hasCentre
)

// encode returns the stored form of a record: flags, id, name and SMILES, then what the
// flags announce: attributes as JSON, the centre, the graph (node labels, edges), the
// node ids. Numbers are uvarints; texts follow their length.
func encode(rec dataset.Record, centre int, of *numbering) ([]byte, error) {
	flags := byte(0)
	var attributes []byte
	if len(rec.Attributes) > 0 {
		var err error
		if attributes, err = json.Marshal(rec.Attributes); err != nil {
			return nil, fmt.Errorf("attributes: %w", err)
		}
		flags |= hasAttributes
	}
	if g := rec.Graph; g != nil {
		flags |= hasGraph
		if g.Directed() {
			flags |= isDirected
		}
		if rec.NodeIDs != nil {
			flags |= hasNodeIDs
		}
	}
	if centre != noCentre {
		flags |= hasCentre
	}
	b := []byte{flags}
	for _, s := range []string{rec.ID, rec.Name, rec.SMILES} {
		b = appendText(b, s)
	}
	if attributes != nil {
		b = appendText(b, string(attributes))
	}
	if centre != noCentre {
		b = binary.AppendUvarint(b, uint64(centre))
	}
	if g := rec.Graph; g != nil {
		var err error
		if b, err = appendGraph(b, g, of); err != nil {
			return nil, err
		}
		for _, id := range rec.NodeIDs {
			b = appendText(b, id)
		}
	}
	return b, nil
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// appendGraph appends a graph that shares the vocabulary of of.
func appendGraph(b []byte, g *graph.Graph, of *numbering) ([]byte, error) {
	b = binary.AppendUvarint(b, uint64(g.N()))
	for _, l := range g.Labels() {
		n, err := of.node(l)
		if err != nil {
			return nil, err
		}
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.AppendUvarint(b, uint64(g.M()))
	for e := range g.Edges() {
		n, err := of.edge(e.Label)
		if err != nil {
			return nil, err
		}
		b = binary.AppendUvarint(b, uint64(e.From))
		b = binary.AppendUvarint(b, uint64(e.To))
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b, nil
}

// decodeAbout is decode without the graph.
func decodeAbout(b []byte) (rec dataset.Record, err error) {
	d := decoder{b: b}
	d.about(&rec)
	if d.err != nil {
		return dataset.Record{}, fmt.Errorf("%w: record %q: %w", ErrDamaged, rec.ID, d.err)
	}
	return rec, nil
}

// isMolecule reports whether a stored record has a SMILES.
func isMolecule(b []byte) bool {
	d := decoder{b: b}
	d.byte()
	d.skip()
	d.skip()
	return d.number(len(d.b)) > 0
}

// skip skips a text.
func (d *decoder) skip() {
	n := d.number(len(d.b))
	if n > len(d.b) {
		d.fail(errShort)
		return
	}
	d.b = d.b[n:]
}

// renumber returns a stored record with the labels of its graph in another numbering.
func renumber(b []byte, from labels, to *numbering) ([]byte, error) {
	d := decoder{b: b}
	flags := d.byte()
	for range 3 { // id, name, SMILES
		d.skip()
	}
	if flags&hasAttributes != 0 {
		d.skip()
	}
	if flags&hasCentre != 0 {
		d.number(graph.MaxNodes)
	}
	if flags&hasGraph == 0 || d.err != nil {
		return b, d.err
	}
	out := bytes.Clone(b[:len(b)-len(d.b)])
	copied := func(limit int) int {
		n := d.number(limit)
		out = binary.AppendUvarint(out, uint64(n))
		return n
	}
	label := func(known numbered, number func(graph.Label) (int, error)) {
		n, err := number(d.label(known))
		if err != nil {
			d.fail(err)
		}
		out = binary.AppendUvarint(out, uint64(n))
	}
	for range copied(len(d.b)) {
		label(from.nodes, to.node)
	}
	for range copied(len(d.b)) {
		copied(graph.MaxNodes)
		copied(graph.MaxNodes)
		label(from.edges, to.edge)
	}
	return append(out, d.b...), d.err
}

// about reads everything before the graph.
func (d *decoder) about(rec *dataset.Record) (flags byte, centre int) {
	flags = d.byte()
	rec.ID, rec.Name, rec.SMILES = d.text(), d.text(), d.text()
	centre = noCentre
	if flags&hasAttributes != 0 {
		text := d.text()
		if d.err == nil {
			d.err = json.Unmarshal([]byte(text), &rec.Attributes)
		}
	}
	if flags&hasCentre != 0 {
		centre = d.number(graph.MaxNodes)
	}
	return flags, centre
}

// decode reads what encode wrote. Errors wrap [ErrDamaged].
func decode(b []byte, l labels) (rec dataset.Record, centre int, err error) {
	d := decoder{b: b}
	flags, centre := d.about(&rec)
	if flags&hasGraph != 0 {
		rec.Graph = d.graph(l, flags&isDirected != 0)
	}
	if flags&hasNodeIDs != 0 && d.err == nil {
		if rec.Graph == nil {
			d.err = errors.New("ids of nodes without a graph")
		} else {
			rec.NodeIDs = make([]string, rec.Graph.N())
			for i := range rec.NodeIDs {
				rec.NodeIDs[i] = d.text()
			}
		}
	}
	if d.err == nil && len(d.b) > 0 {
		d.err = fmt.Errorf("%d bytes too many", len(d.b))
	}
	if d.err != nil {
		return dataset.Record{}, noCentre, fmt.Errorf("%w: record %q: %w", ErrDamaged, rec.ID, d.err)
	}
	return rec, centre, nil
}

// decoder takes values from the front of b until the first error.
type decoder struct {
	b   []byte
	err error
}

var errShort = errors.New("cut short")

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err, d.b = err, nil
	}
}

func (d *decoder) byte() byte {
	if len(d.b) == 0 {
		d.fail(errShort)
		return 0
	}
	x := d.b[0]
	d.b = d.b[1:]
	return x
}

// number reads a number and fails if it is greater than limit.
func (d *decoder) number(limit int) int {
	x, size := binary.Uvarint(d.b)
	if size <= 0 || x > uint64(limit) {
		d.fail(errShort)
		return 0
	}
	d.b = d.b[size:]
	return int(x)
}

func (d *decoder) text() string {
	n := d.number(len(d.b))
	if n > len(d.b) {
		d.fail(errShort)
		return ""
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

// label reads the number of a label.
func (d *decoder) label(known numbered) graph.Label { return known.labels[d.number(known.len())] }

func (d *decoder) graph(known labels, directed bool) *graph.Graph {
	build := graph.NewBuilder(known.vocab, directed)
	for range d.number(len(d.b)) { // a node takes at least one byte
		build.AddNodeLabel(d.label(known.nodes))
	}
	for range d.number(len(d.b)) {
		u, v := d.number(graph.MaxNodes), d.number(graph.MaxNodes)
		l := d.label(known.edges)
		if d.err != nil {
			return nil
		}
		if err := build.AddEdgeLabel(u, v, l); err != nil {
			d.fail(err)
			return nil
		}
	}
	g, err := build.Build()
	if err != nil {
		d.fail(err)
	}
	return g
}
