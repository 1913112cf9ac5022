package dataset

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// matrixBanner begins every file of a matrix.
const matrixBanner = "%%MatrixMarket"

func matrixFormat() format {
	return format{
		name: "mtx", about: "MatrixMarket: the graph of a sparse matrix, an edge for every entry",
		extensions: []string{"mtx"},
		sniff:      func(head []byte) bool { return bytes.HasPrefix(head, []byte(matrixBanner)) },
		open: func(in *input, e *env) (decoder, error) {
			return &matrix{input: in, env: e}, nil
		},
	}
}

// matrix decodes a matrix in coordinates (Boisvert, Pozo and Remington, NIST 1996). A square one is a graph of its
// rows, undirected if the matrix is symmetric. Any other is an undirected graph between its rows and its columns.
type matrix struct {
	*input
	env           *env
	raw           rawGraph
	done          bool
	kind          string // of values
	rows, columns int
	entries       int // still to come
	size          int
}

func (d *matrix) next() (Record, error) {
	if d.done {
		return Record{}, io.EOF
	}
	d.done = true
	d.raw.reset(d.env, 1)
	d.raw.first = 1
	err := d.read()
	var rec Record
	if err == nil {
		rec, err = d.env.build(&d.raw)
	}
	if _, ok := err.(*lineError); ok {
		return Record{}, d.env.bad(d.name, 1, "", nil, err)
	}
	rec.File = d.name
	return rec, err
}

func (d *matrix) read() error {
	lines := newLines(d.r, d.env, splitLines)
	first, sized := true, false
	for {
		text, line, err := lines.next()
		switch {
		case err == io.EOF && !sized:
			return errAt(line, "found no line of sizes, expected ROWS COLUMNS ENTRIES: the file is cut short")
		case err == io.EOF && d.entries > 0:
			return errAt(line, "%d entries are missing: the file is cut short", d.entries)
		case err == io.EOF:
			return d.nodes()
		case err != nil:
			return err
		}
		if d.size += len(text); d.size > d.env.opt.maxRecord() {
			return errAt(line, "%w", tooLarge(d.env.opt.maxRecord()))
		}
		row := strings.Fields(string(text))
		switch {
		case first:
			err = d.banner(row)
		case len(row) == 0 || row[0][0] == '%':
		case !sized:
			sized, err = true, d.sizes(row)
		default:
			err = d.entry(row, line)
		}
		if err != nil {
			return errAt(line, "%w", err)
		}
		first = false
	}
}

// banner reads "%%MatrixMarket matrix coordinate KIND SYMMETRY".
func (d *matrix) banner(row []string) error {
	if len(row) != 5 || row[0] != matrixBanner {
		return fmt.Errorf("found %s, expected %s matrix coordinate KIND SYMMETRY", quoted(strings.Join(row, " ")),
			matrixBanner)
	}
	for i := range row[1:] {
		row[i+1] = strings.ToLower(row[i+1])
	}
	d.kind = row[3]
	d.raw.directed = row[4] == "general"
	switch {
	case row[1] != "matrix" || row[2] != "coordinate":
		return fmt.Errorf("found a %s of form %s, expected a matrix in coordinates: write it as a sparse one", row[1],
			row[2])
	case !slices.Contains([]string{"pattern", "integer", "real", "complex"}, d.kind):
		return fmt.Errorf("found values of kind %s, expected pattern, integer, real or complex", quoted(d.kind))
	case !d.raw.directed && row[4] != "symmetric" && row[4] != "hermitian":
		return fmt.Errorf("found the symmetry %s, expected general, symmetric or hermitian", quoted(row[4]))
	}
	return nil
}

// sizes reads "ROWS COLUMNS ENTRIES".
func (d *matrix) sizes(row []string) error {
	sizes := make([]int, len(row))
	for i, field := range row {
		n, ok := wholeNumber([]byte(field))
		if !ok || n > 1<<31 {
			return fmt.Errorf("found the size %s, expected a number", quoted(field))
		}
		sizes[i] = int(n)
	}
	if len(sizes) != 3 {
		return fmt.Errorf("found %d sizes, expected ROWS COLUMNS ENTRIES", len(sizes))
	}
	d.rows, d.columns, d.entries = sizes[0], sizes[1], sizes[2]
	if d.rows != d.columns {
		d.raw.directed = false
		d.env.notes.say("the matrix has %d rows and %d columns: it is a graph between rows and columns, which are "+
			"labelled so", d.rows, d.columns)
	}
	return nil
}

// nodes makes a node for every row and, unless the matrix is square, for every column. They are made last, when it
// is known how much text the file has for them.
func (d *matrix) nodes() error {
	n, square := d.rows, d.rows == d.columns
	if !square {
		n += d.columns
	}
	if !d.env.declare(n, d.size) {
		return errAt(1, "found %d rows and columns in %d bytes: more nodes without an edge than are read", n, d.size)
	}
	chain := noAttrs
	for v := range n {
		if !square && (v == 0 || v == d.rows) {
			side := "row"
			if v == d.rows {
				side = "column"
			}
			chain = d.raw.nodeAttrs.add(noAttrs, "type", side, textKind)
		}
		if err := d.raw.number(1, chain); err != nil {
			return err
		}
	}
	return nil
}

// entry reads "ROW COLUMN VALUE", numbered from 1.
func (d *matrix) entry(row []string, line int) error {
	values := map[string]int{"pattern": 0, "complex": 2}
	want, ok := values[d.kind]
	if !ok {
		want = 1
	}
	if len(row) != 2+want {
		return fmt.Errorf("found %d fields, expected ROW COLUMN and %d values, as the banner says", len(row), want)
	}
	if d.entries--; d.entries < 0 {
		return fmt.Errorf("found more entries than the line of sizes states")
	}
	i, errI := strconv.Atoi(row[0])
	j, errJ := strconv.Atoi(row[1])
	if errI != nil || errJ != nil || i < 1 || i > d.rows || j < 1 || j > d.columns {
		return fmt.Errorf("found the entry %s %s, expected a row from 1 to %d and a column from 1 to %d",
			shorten(row[0]), shorten(row[1]), d.rows, d.columns)
	}
	if d.rows != d.columns {
		j += d.rows
	}
	chain := noAttrs
	switch want {
	case 1:
		chain = d.raw.edgeAttrs.add(chain, "weight", row[2], guessKind(row[2]))
	case 2:
		chain = d.raw.edgeAttrs.add(chain, "weight", row[2]+" "+row[3], otherKind)
	}
	return d.raw.join(uint32(i-1), uint32(j-1), line, chain)
}
