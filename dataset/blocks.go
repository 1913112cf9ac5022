package dataset

import (
	"errors"
	"fmt"

	"github.com/greedgraph/greed/chem"
)

// blocks decodes texts of molecules, each a record.
type blocks struct {
	in        *input
	env       *env
	pieces    *pieces
	parser    chem.BlockParser
	parse     func(p *chem.BlockParser, block []byte, line int) (*chem.Molecule, error)
	converter *chem.Converter
	writer    moleculeWriter
	// passes, if not nil, reports that a text is no record.
	passes func(text []byte) bool
}

func (d *blocks) close() error { return d.in.close() }

func (d *blocks) next() (Record, error) {
	text, line, err := d.env.piece(d.in, d.pieces)
	for err == nil && d.passes != nil && d.passes(text) {
		text, line, err = d.env.piece(d.in, d.pieces)
	}
	if err != nil {
		return Record{}, err
	}
	m, err := d.parse(&d.parser, text, line)
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

// splitNever makes one record of a whole file.
func splitNever([]byte) int { return -1 }
