package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/varint"
)

// noCentre is the centre of records that are not neighbourhoods.
const noCentre = -1

// Flags of a stored record.
const (
	hasGraph = 1 << iota
	isDirected
	hasNodeIDs
	hasAttributes
	hasCentre
	hasBlock // in the bucket of MOL blocks
)

// encode returns the stored form of a record: flags, id, name and SMILES, then what the
// flags announce: attributes as JSON, the centre, the graph (node labels, edges), the
// node ids. Numbers are uvarints; texts follow their length. The MOL block is not in it.
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
	if rec.Block != "" {
		flags |= hasBlock
	}
	b := []byte{flags}
	for _, s := range []string{rec.ID, rec.Name, rec.SMILES} {
		b = varint.AppendText(b, s)
	}
	if attributes != nil {
		b = varint.AppendText(b, string(attributes))
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
			b = varint.AppendText(b, id)
		}
	}
	return b, nil
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
	d := decoder{varint.Reader{Rest: b}}
	d.about(&rec)
	if d.Err != nil {
		return dataset.Record{}, fmt.Errorf("%w: record %q: %w", ErrDamaged, rec.ID, d.Err)
	}
	return rec, nil
}

// isMolecule reports whether a stored record has a SMILES.
func isMolecule(b []byte) bool {
	d := decoder{varint.Reader{Rest: b}}
	d.Byte()
	d.Skip()
	d.Skip()
	return d.Count() > 0
}

// renumber returns a stored record with the labels of its graph in another numbering.
func renumber(b []byte, from labels, to *numbering) ([]byte, error) {
	d := decoder{varint.Reader{Rest: b}}
	flags := d.skipAbout()
	if flags&hasGraph == 0 || d.Err != nil {
		return b, d.Err
	}
	out := bytes.Clone(b[:len(b)-len(d.Rest)])
	copied := func(limit int) int {
		n := d.Number(limit)
		out = binary.AppendUvarint(out, uint64(n))
		return n
	}
	label := func(known numbered, number func(graph.Label) (int, error)) {
		n, err := number(d.label(known))
		if err != nil {
			d.Fail(err)
		}
		out = binary.AppendUvarint(out, uint64(n))
	}
	for range copied(len(d.Rest)) {
		label(from.nodes, to.node)
	}
	for range copied(len(d.Rest)) {
		copied(graph.MaxNodes)
		copied(graph.MaxNodes)
		label(from.edges, to.edge)
	}
	return append(out, d.Rest...), d.Err
}

// skipAbout skips everything before the graph.
func (d *decoder) skipAbout() (flags byte) {
	flags = d.Byte()
	for range 3 { // id, name, SMILES
		d.Skip()
	}
	if flags&hasAttributes != 0 {
		d.Skip()
	}
	if flags&hasCentre != 0 {
		d.Number(graph.MaxNodes)
	}
	return flags
}

// about reads everything before the graph.
func (d *decoder) about(rec *dataset.Record) (flags byte, centre int) {
	flags = d.Byte()
	rec.ID, rec.Name, rec.SMILES = d.Text(), d.Text(), d.Text()
	centre = noCentre
	if flags&hasAttributes != 0 {
		text := d.Bytes()
		if d.Err == nil {
			d.Err = dataset.UnmarshalAttributes(text, &rec.Attributes)
		}
	}
	if flags&hasCentre != 0 {
		centre = d.Number(graph.MaxNodes)
	}
	return flags, centre
}

// attributeText reads the attributes of the record that follows, and nothing else of it.
func (d *decoder) attributeText() []byte {
	if d.Byte()&hasAttributes == 0 {
		return nil
	}
	for range 3 { // id, name, SMILES
		d.Skip()
	}
	return d.Bytes()
}

// decode reads what encode wrote. Errors wrap [ErrDamaged].
func decode(b []byte, l labels) (rec dataset.Record, centre int, err error) {
	d := decoder{varint.Reader{Rest: b}}
	flags, centre := d.about(&rec)
	if flags&hasGraph != 0 {
		rec.Graph = d.graph(l, flags&isDirected != 0)
	}
	if flags&hasNodeIDs != 0 && d.Err == nil {
		if rec.Graph == nil {
			d.Err = errors.New("ids of nodes without a graph")
		} else {
			rec.NodeIDs = make([]string, rec.Graph.N())
			for i := range rec.NodeIDs {
				rec.NodeIDs[i] = d.Text()
			}
		}
	}
	if d.Err == nil && len(d.Rest) > 0 {
		d.Err = fmt.Errorf("%d bytes follow its end", len(d.Rest))
	}
	if d.Err != nil {
		return dataset.Record{}, noCentre, fmt.Errorf("%w: record %q: %w", ErrDamaged, rec.ID, d.Err)
	}
	return rec, centre, nil
}

// decoder reads stored records.
type decoder struct{ varint.Reader }

// label reads the number of a label.
func (d *decoder) label(known numbered) graph.Label { return known.labels[d.Number(known.len())] }

func (d *decoder) graph(known labels, directed bool) *graph.Graph {
	return d.graphIn(new(graph.Scratch), known, directed)
}

// graphIn is graph in memory that is used again.
func (d *decoder) graphIn(in *graph.Scratch, known labels, directed bool) *graph.Graph {
	d.formIn(in.Builder(known.vocab, directed), known)
	if d.Err != nil {
		return nil
	}
	g, err := in.Build()
	if err != nil {
		d.Fail(err)
	}
	return g
}

// form reads a graph and does not build it. Its edges come in the order of [graph.Graph.Edges].
func (d *decoder) form(known labels, directed bool) *graph.Builder {
	build := graph.NewBuilder(known.vocab, directed)
	d.formIn(build, known)
	if d.Err != nil {
		return nil
	}
	return build
}

// formIn reads a graph into a builder, which is empty.
func (d *decoder) formIn(build *graph.Builder, known labels) {
	nodes := d.Count() // a node takes at least one byte
	build.Grow(nodes, 0)
	for range nodes {
		build.AddNodeLabel(d.label(known.nodes))
	}
	edges := d.Count()
	build.Grow(0, edges)
	for range edges {
		u, v := d.Number(graph.MaxNodes), d.Number(graph.MaxNodes)
		l := d.label(known.edges)
		if d.Err != nil {
			return
		}
		if err := build.AddEdgeLabel(u, v, l); err != nil {
			d.Fail(err)
			return
		}
	}
}
