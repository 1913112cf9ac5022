package dataset

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/chem"
)

func smilesFormat() format {
	return format{
		name:       "smiles",
		about:      "SMILES: one molecule and its name per line, or a table with a SMILES column",
		extensions: []string{"smi", "smiles", "ism", "can", "csv", "tsv", "tab"},
		sniff:      sniffSMILES,
		open: func(in *input, e *env) (decoder, error) {
			d := &smilesFile{input: in, env: e, pieces: newLines(in.r, e, splitLines), converter: e.converter()}
			if e.opt.Header == HeaderAuto && e.opt.SMILESColumn == "" && e.opt.Delimiter == "" {
				d.layout = findLayout(in.head)
			}
			if d.layout != nil {
				d.pieces.split = d.layout.splitter()
			}
			return d, nil
		},
		write: func(w io.Writer) encoder { return &smilesEncoder{w: w} },
		bare:  true,

		single: true, molecular: true, undirected: true,
	}
}

func (e *env) converter() *chem.Converter {
	return chem.NewConverter(e.vocab, e.opt.Molecular())
}

// sniffSMILES reports whether the first line is a header with a column of SMILES, or the
// first lines begin with possible SMILES, at least one of them valid.
func sniffSMILES(head []byte) bool {
	const looked = 10
	if findLayout(head) != nil {
		return true
	}
	good, lines := 0, 0
	for line := range strings.Lines(string(wholeLines(head))) {
		line = strings.TrimSpace(plainBlanks(line))
		if line == "" || line[0] == '#' {
			continue
		}
		if lines++; lines > looked {
			break
		}
		if lines == 1 && strings.Contains(strings.ToLower(line), "smiles") {
			return true
		}
		text := unquote(line[:firstSeparator(line)])
		if !smilesLetters(text) {
			return false
		}
		if _, err := chem.ParseSMILES(text); err == nil {
			good++
		}
	}
	return good > 0
}

// smilesLetters reports whether a text consists of the characters of SMILES and, outside
// brackets, has only atoms of its organic subset.
func smilesLetters(text string) bool {
	inside := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '[' || c == ']':
			inside = c == '['
		case c <= ' ' || c >= 0x7f || c == '"' || c == ',' || c == ';':
			return false
		case inside:
		case c == 'l' && i > 0 && text[i-1] == 'C', c == 'r' && i > 0 && text[i-1] == 'B':
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			if strings.IndexByte("BCNOPSFIbcnops", c) < 0 {
				return false
			}
		}
	}
	return text != "" && strings.IndexByte("0123456789-=#$:~/\\.(){}|<>@+?!'&_", text[0]) < 0
}

// smilesFile decodes lines of SMILES.
type smilesFile struct {
	*input
	env       *env
	pieces    *pieces
	table     *table // nil before the first line
	layout    *layout
	before    int // lines before the header
	parser    chem.Parser
	converter *chem.Converter
	fragment  chem.Parser // of the text of one
	writer    moleculeWriter
	fields    []string
}

func (d *smilesFile) next() (Record, error) {
	for {
		text, line, err := d.env.piece(d.input, d.pieces)
		if err != nil {
			return Record{}, err
		}
		row := plainBlanks(strings.TrimRight(string(text), "\r\n"))
		if blank := strings.TrimLeft(row, " \t"); blank == "" || blank[0] == '#' {
			continue
		}
		first := d.table == nil
		if first && d.layout != nil && d.before < d.layout.before {
			if d.before++; d.before == d.layout.before {
				d.env.notes.count(d.before, "line before the header of a table was left out",
					"lines before the header of a table were left out")
			}
			continue
		}
		if first {
			header := false
			d.table, header, err = newTable(row, d.layout, d.env)
			if err != nil {
				return Record{}, fmt.Errorf("%s:%d: %w", d.name, line, err)
			}
			d.pieces.split = (&layout{delimiter: d.table.delimiter, quoted: d.table.quoted}).splitter()
			if header {
				continue
			}
		}
		rec, err := d.record(row)
		if err != nil && first && len(d.fields) > 1 {
			err = d.hint(err)
		}
		if err != nil {
			return Record{}, d.env.bad(d.name, line, rec.ID, text, err)
		}
		rec.File, rec.Line = d.name, line
		return rec, nil
	}
}

// hint adds advice to the error of the first row.
func (d *smilesFile) hint(err error) error {
	for i, f := range d.fields {
		if i == d.table.smiles || !smilesLetters(f) {
			continue
		}
		if _, bad := d.parser.Parse(f); bad == nil {
			return advise(err, "column %d looks like SMILES: %v", i, Setting{"smiles_column", strconv.Itoa(i)})
		}
	}
	if d.env.opt.Header == HeaderAuto {
		return advise(err, "if this line names the columns: %v", Setting{"header", "yes"})
	}
	return err
}

// record reads a row. An error comes with the id if that was found.
func (d *smilesFile) record(row string) (rec Record, err error) {
	t := d.table
	t.extended = false
	if d.fields, err = t.split(d.fields[:0], row); err != nil {
		return rec, err
	}
	if t.id >= 0 && t.id < len(d.fields) {
		rec.ID = strings.TrimSpace(d.fields[t.id])
		rec.Name = rec.ID
	}
	if t.smiles < len(d.fields) {
		rec.SMILES = t.smilesOf(d.fields[t.smiles])
	}
	if rec.SMILES == "" {
		return rec, fmt.Errorf("expected a SMILES in column %d, found %d columns and nothing there", t.smiles,
			len(d.fields))
	}
	if err := t.check(d.fields); err != nil {
		return rec, err
	}
	rec.Attributes = t.attributes(d.fields)
	m, err := d.parser.Parse(rec.SMILES)
	if err != nil && strings.HasPrefix(rec.SMILES, "InChI=") {
		return rec, errors.New(elsewhere("inchi"))
	}
	if errors.Is(err, chem.ErrSMARTS) {
		err = advise(err, "to search for it: %v", Setting{"smarts", rec.SMILES})
	}
	if err != nil {
		return rec, fmt.Errorf("SMILES %s: %w", quoted(rec.SMILES), err)
	}
	if len(m.Atoms) == 0 {
		return rec, fmt.Errorf("SMILES %s: %w: expected at least one atom", quoted(rec.SMILES), ErrNoNodes)
	}
	if d.converter.Reduce(m) {
		err = d.reduced(&rec, m)
	} else {
		rec.Graph, err = d.converter.Graph(m)
	}
	rec.Unread.Extensions = d.table.extended
	d.env.remark(&rec, m) // with what the graph lacks
	return rec, err
}

// reduced sets the graph of a record to that of m, the largest piece of its molecule, and its SMILES
// to the part of the text that spells the piece, with its stereochemistry. A piece that is spelt
// here and there, as in C1.O1, is written anew.
func (d *smilesFile) reduced(rec *Record, m *chem.Molecule) (err error) {
	if rec.Graph, err = d.converter.Graph(m); err != nil {
		return err
	}
	for text := range strings.SplitSeq(rec.SMILES, ".") {
		p, err := d.fragment.Parse(text)
		if err != nil || !slices.Equal(p.Atoms, m.Atoms) {
			continue
		}
		if g, err := d.converter.Graph(p); err == nil && same(g, rec.Graph) {
			rec.SMILES = text
			return nil
		}
	}
	_, err = d.writer.written(rec, m, d.converter)
	return err
}

// moleculeWriter writes the SMILES of molecules that came without one.
type moleculeWriter struct{ chem.SMILESWriter }

// written replaces the SMILES of a record by one written from m, and its graph by that of m
// with the nodes in the order of the text. It returns the atom of m for each node. If no
// SMILES is read as m, the order stays.
func (w *moleculeWriter) written(rec *Record, m *chem.Molecule, c *chem.Converter) (order []int32, err error) {
	rec.SMILES, order, err = w.Write(m)
	if err != nil {
		order = make([]int32, len(m.Atoms))
		for v := range order {
			order[v] = int32(v)
		}
	}
	g, err := c.Graph(m)
	if err != nil {
		return nil, err
	}
	if !slices.IsSorted(order) {
		node := make([]int, len(order))
		for i, v := range order {
			node[v] = i
		}
		g = g.Permute(node)
	}
	rec.Graph = g
	return order, nil
}
