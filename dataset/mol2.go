package dataset

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/greedgraph/greed/chem"
)

func mol2Format() format {
	return format{
		name:       "mol2",
		about:      "Tripos MOL2, one molecule or several a file",
		extensions: []string{"mol2"},
		sniff: func(head []byte) bool {
			return bytes.HasPrefix(head, []byte(chem.TriposMolecule)) || bytes.Contains(head, []byte("\n"+chem.TriposMolecule))
		},
		open: func(in *input, e *env) (decoder, error) {
			return &mol2{in: in, env: e, pieces: newPieces(in.r, e, true, splitMol2), converter: e.converter()}, nil
		},
	}
}

// splitMol2 ends a record before a line that begins a molecule.
func splitMol2(data []byte) int {
	if i := bytes.Index(data, []byte("\n"+chem.TriposMolecule)); i >= 0 {
		return i + 1
	}
	return -1
}

// mol2 decodes molecules, each a record.
type mol2 struct {
	in        *input
	env       *env
	pieces    *pieces
	parser    chem.Mol2Parser
	converter *chem.Converter
	writer    moleculeWriter
}

func (d *mol2) close() error { return d.in.close() }

func (d *mol2) next() (Record, error) {
	text, line, err := d.env.piece(d.in, d.pieces)
	for err == nil && !bytes.Contains(text, []byte(chem.TriposMolecule)) { // comments before the first molecule
		text, line, err = d.env.piece(d.in, d.pieces)
	}
	if err != nil {
		return Record{}, err
	}
	m, err := d.parser.Parse(text, line)
	var format *chem.FormatError
	if errors.As(err, &format) {
		return Record{}, d.env.bad(d.in.name, format.Line, "", text, sdfReason{format})
	}
	rec := Record{File: d.in.name, Line: line}
	if err == nil && len(m.Atoms) == 0 {
		err = fmt.Errorf("%w: expected at least one atom", ErrNoNodes)
	}
	if err == nil {
		rec.ID, rec.Name = m.Name, m.Name
		err = d.writer.numbered(&rec, m, d.converter, d.env)
	}
	if err != nil {
		return Record{}, d.env.bad(d.in.name, line, rec.ID, text, err)
	}
	return rec, nil
}
