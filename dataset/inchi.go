package dataset

import (
	"fmt"
	"strings"

	"github.com/greedgraph/greed/chem"
)

func inchiFormat() format {
	return format{
		name:       "inchi",
		about:      "InChI a line, then its name if there is one",
		extensions: []string{"inchi", "ich"},
		sniff:      sniffInChI,
		open: func(in *input, env *env) (decoder, error) {
			return &inchiFile{in: in, env: env, pieces: newPieces(in.r, env, true, splitLines), converter: env.converter()}, nil
		},
	}
}

// sniffInChI reports whether the first line that is not empty begins as an InChI.
func sniffInChI(head []byte) bool {
	return chem.IsInChI(strings.TrimLeft(string(head), " \t\r\n"))
}

// inchiFile decodes lines of InChI.
type inchiFile struct {
	in        *input
	env       *env
	pieces    *pieces
	converter *chem.Converter
	writer    moleculeWriter
}

func (d *inchiFile) close() error { return d.in.close() }

func (d *inchiFile) next() (Record, error) {
	for {
		text, line, err := d.env.piece(d.in, d.pieces)
		if err != nil {
			return Record{}, err
		}
		inchi, name, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
		if tabbed, rest, ok := strings.Cut(inchi, "\t"); ok {
			inchi, name = tabbed, rest+" "+name
		}
		if inchi == "" || inchi[0] == '#' {
			continue
		}
		rec := Record{ID: strings.TrimSpace(name), File: d.in.name, Line: line}
		rec.Name = rec.ID
		if err := d.read(&rec, inchi); err != nil {
			return Record{}, d.env.bad(d.in.name, line, rec.ID, text, err)
		}
		return rec, nil
	}
}

// read gives a record its graph, and a SMILES in whose order its nodes are.
func (d *inchiFile) read(rec *Record, inchi string) error {
	m, err := chem.ParseInChI(inchi)
	if err != nil {
		return fmt.Errorf("%s: %w", quoted(inchi), err)
	}
	d.env.remark(m)
	d.converter.Reduce(m)
	_, err = d.writer.written(rec, m, d.converter)
	return err
}
