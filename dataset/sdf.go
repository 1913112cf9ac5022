package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/chem"
)

func sdfFormat() format {
	return format{
		name:       "sdf",
		about:      "MOL and SDF, V2000 and V3000",
		extensions: []string{"sdf", "sd", "mol", "mdl"},
		sniff:      sniffSDF,
		open: func(in *input, e *env) (decoder, error) {
			reader := chem.NewSDFReader(in.r)
			reader.MaxRecord = e.opt.maxRecord()
			return &sdf{input: in, env: e, reader: reader, converter: e.converter()}, nil
		},
		write: func(w io.Writer) encoder { return &sdfEncoder{w: w} },

		single: true, molecular: true, undirected: true,
	}
}

// sniffSDF looks for a version at the end of the fourth line, and for the end of a MOL block.
func sniffSDF(head []byte) bool {
	lines := bytes.SplitN(head, []byte{'\n'}, 5)
	if len(lines) < 4 {
		return false
	}
	counts := bytes.TrimSpace(lines[3])
	return bytes.HasSuffix(counts, []byte("V2000")) || bytes.HasSuffix(counts, []byte("V3000")) ||
		bytes.Contains(head, []byte("\nM  END"))
}

// sdf decodes an SDF file, or a MOL file, which is a single record. The name of a molecule is
// its id unless a property is chosen. Properties become Record.Attributes, and the numbers of
// the atoms Record.NodeIDs.
type sdf struct {
	*input
	env       *env
	reader    *chem.SDFReader
	converter *chem.Converter
	spelling  chem.Parser // of the SMILES in items
	writer    moleculeWriter
}

func (d *sdf) next() (Record, error) {
	m, err := d.reader.Next()
	var format *chem.FormatError
	if err != nil && !errors.As(err, &format) {
		return Record{}, err // io.EOF or the stream's
	}
	if format != nil {
		return Record{}, d.env.bad(d.name, format.Line, "", d.reader.Record(), sdfReason{format})
	}
	rec, err := d.record(m, d.reader.Record())
	if err != nil {
		return Record{}, d.env.bad(d.name, d.reader.Line(), rec.ID, d.reader.Record(), err)
	}
	rec.File, rec.Line = d.name, d.reader.Line()
	return rec, nil
}

// molBlock returns the MOL block at the beginning of an SDF record.
func molBlock(record []byte) string {
	var b strings.Builder
	for line := range strings.Lines(string(record)) {
		line = strings.TrimRight(line, "\r\n")
		b.WriteString(line + "\n")
		if strings.HasPrefix(line, "M  END") {
			break
		}
	}
	return b.String()
}

// record makes the record of a molecule, whose text begins with its MOL block. An error comes with the id.
func (d *sdf) record(m *chem.Molecule, text []byte) (rec Record, err error) {
	rec.ID, rec.Name = m.Name, m.Name
	if property := d.env.opt.IDColumn; property != "" {
		rec.ID = ""
		for _, p := range m.Properties {
			if p.Name == property {
				rec.ID = p.Value
			}
		}
		if rec.ID == "" {
			return rec, Errorf("expected a property %s, which %v names; found none or an empty one", quoted(property),
				Setting{Option: "id_column"})
		}
	}
	for _, p := range m.Properties {
		if rec.Attributes == nil {
			rec.Attributes = make(map[string]any, len(m.Properties))
		}
		if _, twice := rec.Attributes[p.Name]; twice {
			d.env.notes.count(1, "data item was dropped: a later one has its name",
				"data items were dropped: later ones have their names")
		}
		rec.Attributes[p.Name] = p.Value
	}
	if m, err := d.spelled(&rec, m, text); m != nil || err != nil {
		return rec, err
	}
	if d.env.opt.Stereo && !m.Placed() && m.Notes&chem.NoteChirality != 0 {
		return rec, advise(
			errors.New("the MOL block has wedges but no coordinates, so it says no stereochemistry, which is compared"),
			"write the molecule as SMILES, or leave out %v", Setting{"stereo", "true"})
	}
	if len(m.Atoms) == 0 {
		if d.env.opt.Strict {
			return rec, fmt.Errorf("%w: expected at least one atom", ErrNoNodes)
		}
		d.env.notes.count(1, "MOL block has no atoms", "MOL blocks have no atoms")
	}
	if d.env.opt.Blocks && !d.env.opt.LargestFragment && !d.env.opt.Neutralise {
		rec.Block = molBlock(text)
	}
	err = d.writer.numbered(&rec, m, d.converter, d.env)
	return rec, err
}

// smilesItem is the data item in which the writer states the SMILES of a molecule, with its stereochemistry.
const smilesItem = "SMILES"

// spelled makes the record of a molecule by its SMILES, as it was written: with the SMILES in an item. It returns the
// molecule of the SMILES, or nil if there is no item, or it does not say the same as the MOL block, atom by atom, and
// with coordinates in their configurations. Without coordinates the item is no attribute, and there is no block: it
// says less, and the item would be lost.
func (d *sdf) spelled(rec *Record, m *chem.Molecule, block []byte) (*chem.Molecule, error) {
	text, ok := rec.Attributes[smilesItem].(string)
	if !ok || d.env.opt.LargestFragment && strings.Contains(text, ".") {
		return nil, nil
	}
	own, err := d.spelling.Parse(text)
	if err != nil || !own.Same(m) || m.Placed() && !m.Drawn(own) {
		return nil, nil
	}
	if m.Placed() {
		if d.env.opt.Blocks && !d.env.opt.LargestFragment && !d.env.opt.Neutralise {
			rec.Block = molBlock(block)
		}
	} else if delete(rec.Attributes, smilesItem); len(rec.Attributes) == 0 {
		rec.Attributes = nil
	}
	order := make([]int32, len(m.Atoms))
	for v := range order {
		order[v] = int32(v)
	}
	if rec.SMILES = text; d.converter.Reduce(own) { // of charges alone: there is one piece
		order, err = d.writer.written(rec, own, d.converter)
	} else {
		rec.Graph, err = d.converter.Graph(own)
	}
	if err != nil {
		return own, err
	}
	for _, v := range order {
		rec.NodeIDs = append(rec.NodeIDs, strconv.Itoa(int(m.Atoms[v].Number)))
	}
	d.env.remark(rec, own)
	return own, nil
}

// numbered sets the graph and the SMILES of a record to those of m, and the ids of its nodes
// to the file's numbers of the atoms.
func (w *moleculeWriter) numbered(rec *Record, m *chem.Molecule, c *chem.Converter, e *env) error {
	e.remark(rec, m)
	c.Reduce(m)
	order, err := w.written(rec, m, c)
	if err != nil {
		return err
	}
	rec.NodeIDs = make([]string, len(order))
	for i, v := range order {
		rec.NodeIDs[i] = strconv.Itoa(int(m.Atoms[v].Number))
	}
	return nil
}

// sdfReason is an error of package chem without its line, which is in the BadRecord.
type sdfReason struct{ *chem.FormatError }

func (r sdfReason) Error() string { return r.Message }

func (r sdfReason) Unwrap() error { return r.FormatError }
