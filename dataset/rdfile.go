package dataset

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	"github.com/greedgraph/greed/chem"
)

// rdFormat reads RD files ("CTfile Formats", 2020): molecules or reactions, each with data. Reactions are bad
// records.
func rdFormat() format {
	return format{
		name:       "rd",
		about:      "RD files of molecules",
		extensions: []string{"rd"},
		sniff:      func(head []byte) bool { return bytes.HasPrefix(head, []byte("$RDFILE")) },
		open: func(in *input, e *env) (decoder, error) {
			return &rdFile{sdf{input: in, env: e, converter: e.converter()}, newPieces(in.r, e, true, splitRD)}, nil
		},

		single: true, molecular: true, undirected: true,
	}
}

// rdFile decodes an RD file. The records are those of an SDF.
type rdFile struct {
	sdf
	pieces *pieces
}

// rdRecord reports whether a line begins a record: a molecule, a reaction, or a number of either in a registry.
func rdRecord(line []byte) bool {
	for _, key := range []string{"$MFMT", "$RFMT", "$MIREG", "$MEREG", "$RIREG", "$REREG"} {
		if bytes.HasPrefix(line, []byte(key)) {
			return true
		}
	}
	return false
}

// splitRD ends a record before the line that begins the next.
func splitRD(data []byte) int {
	records, at := 0, 0
	for line := range bytes.Lines(data) {
		if rdRecord(line) {
			if records++; records == 2 {
				return at
			}
		}
		at += len(line)
	}
	return -1
}

func (d *rdFile) next() (Record, error) {
	for {
		text, line, err := d.env.piece(d.input, d.pieces)
		if err != nil {
			return Record{}, err
		}
		rest := text
		for len(rest) > 0 && !rdRecord(rest) { // the header of the file
			_, rest, _ = bytes.Cut(rest, []byte{'\n'})
			line++
		}
		if len(rest) == 0 {
			continue
		}
		rec, err := d.molecule(rest, line)
		if err != nil {
			return Record{}, d.env.bad(d.name, line, rec.ID, text, err)
		}
		rec.File, rec.Line = d.name, line
		return rec, nil
	}
}

// molecule reads the record that begins at a line.
func (d *rdFile) molecule(text []byte, line int) (Record, error) {
	head, block, _ := bytes.Cut(text, []byte{'\n'})
	fields := strings.Fields(string(head))
	switch {
	case strings.HasPrefix(fields[0], "$R"):
		return Record{}, errors.New("the record is a reaction: reactions are not supported")
	case fields[0] != "$MFMT":
		return Record{}, errors.New("the record has the number of a molecule in a registry, and no molecule")
	}
	m, err := chem.ParseMol(block)
	if format, ok := errors.AsType[*chem.FormatError](err); ok {
		return Record{}, errAt(line+format.Line, "%w", sdfReason{format})
	}
	m.Properties = rdData(block)
	number := ""
	if len(fields) > 2 {
		number = fields[2] // in a registry
	}
	m.Name = cmp.Or(m.Name, number)
	return d.record(m, block)
}

// rdData returns the data of a record: names after $DTYPE, and values after $DATUM, which go on up to the next
// name. A line of 80 characters that + follows goes on in the next.
func rdData(text []byte) (list []chem.Property) {
	const full = 80
	inValue, goesOn := false, false
	var value strings.Builder // of the last name
	end := func() {
		if len(list) > 0 {
			list[len(list)-1].Value = strings.TrimRight(value.String(), "\n")
		}
		value.Reset()
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		name, isName := strings.CutPrefix(line, "$DTYPE")
		if isName {
			end()
			list = append(list, chem.Property{Name: strings.TrimSpace(name)})
			inValue = false
			continue
		}
		if len(list) == 0 {
			continue
		}
		if text, ok := strings.CutPrefix(line, "$DATUM"); ok {
			line, inValue = strings.TrimPrefix(text, " "), true
		} else if inValue && !goesOn {
			value.WriteByte('\n')
		}
		if inValue {
			goesOn = len(line) > full && line[full] == '+'
			if goesOn {
				line = line[:full]
			}
			value.WriteString(line)
		}
	}
	end()
	return list
}
