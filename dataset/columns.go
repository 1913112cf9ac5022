package dataset

import (
	"bytes"
	"slices"
	"strings"

	"github.com/greedgraph/greed/chem"
)

// layout is what the first lines of a table say of its columns.
type layout struct {
	delimiter byte
	quoted    bool // as in a table
	// before is the number of lines before the header that are neither blank nor comments.
	before int
	// molecules says of each column whether its values are SMILES, and best is the one to read.
	molecules []bool
	best      int
}

const (
	mostBefore = 5  // lines before a header
	mostRows   = 20 // that are looked at
	mostText   = 8 << 10
	least      = 3 // characters of a value that no word has by chance
)

// findLayout returns the layout of a table with a header and a column of SMILES, or nil. The header is the first
// line below which a column holds SMILES and that has none itself. Columns are separated by tabs, commas or
// semicolons.
func findLayout(head []byte) *layout {
	var rows []string
	head = wholeLines(head)
	if len(head) > mostText {
		head = head[:bytes.LastIndexByte(head[:mostText], '\n')+1]
	}
	var parser chem.Parser
	for line := range strings.Lines(string(head)) {
		line = strings.TrimRight(plainBlanks(line), "\r\n")
		if rest := strings.TrimSpace(line); rest == "" || rest[0] == '#' {
			continue
		}
		if rows = append(rows, line); len(rows) > mostBefore+mostRows {
			break
		}
	}
	for i, row := range rows[:min(max(0, len(rows)-1), mostBefore+1)] {
		d := guessDelimiter(row, true)
		if d == ' ' {
			if isMolecule(&parser, strings.Fields(row)[0]) {
				return nil
			}
			continue
		}
		t := table{delimiter: d, quoted: allQuoted(row, d)}
		names, err := t.split(nil, row)
		if err != nil {
			return nil
		}
		if l := layoutOf(&parser, &t, names, rows[i+1:min(len(rows), i+1+mostRows)]); l != nil {
			l.before = i
			return l
		}
		if slices.ContainsFunc(names, func(name string) bool { return isMolecule(&parser, name) }) {
			return nil
		}
	}
	return nil
}

// layoutOf returns the layout of the rows below a header, or nil if no column holds SMILES: four of five values,
// and one of some length.
func layoutOf(parser *chem.Parser, t *table, names, rows []string) *layout {
	l := &layout{delimiter: t.delimiter, quoted: t.quoted, molecules: make([]bool, len(names)), best: noColumn}
	good, text, longest, read := make([]int, len(names)), make([]int, len(names)), make([]int, len(names)), 0
	for _, row := range rows {
		fields, err := t.split(nil, row)
		if err != nil {
			continue // a field with a line break
		}
		read++
		for c, f := range fields[:min(len(fields), len(names))] {
			if f = strings.TrimSpace(f); isMolecule(parser, f) {
				good[c]++
				text[c] += len(f)
				longest[c] = max(longest[c], len(f))
			}
		}
	}
	for c := range names {
		l.molecules[c] = good[c] > 0 && 5*good[c] >= 4*read && longest[c] >= least &&
			!isMolecule(parser, strings.TrimSpace(names[c]))
		if l.molecules[c] && (l.best == noColumn || usualColumn(names[c]) && !usualColumn(names[l.best]) ||
			usualColumn(names[c]) == usualColumn(names[l.best]) && text[c] > text[l.best]) {
			l.best = c
		}
	}
	if l.best == noColumn {
		return nil
	}
	return l
}

// usualColumn reports whether people call a column of SMILES so.
func usualColumn(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	return strings.Contains(name, "smi") ||
		slices.Contains([]string{"mol", "molecule", "structure", "drug", "compound", "ligand"}, name)
}

// isMolecule reports whether a text is a SMILES, with or without an extension.
func isMolecule(parser *chem.Parser, text string) bool {
	text, _, _ = strings.Cut(text, " |")
	if !smilesLetters(text) {
		return false
	}
	_, err := parser.Parse(text)
	return err == nil
}

// plainBlanks makes blanks of the no-break spaces that spreadsheets and web pages leave.
func plainBlanks(row string) string {
	return strings.ReplaceAll(row, "\u00a0", " ")
}

// splitter returns what cuts the table into rows.
func (l *layout) splitter() splitter {
	if l.delimiter == ' ' || l.delimiter == '\t' && !l.quoted {
		return splitLines
	}
	return splitRows(l.delimiter)
}

// splitRows returns a splitter that ends a record at a newline, but not within a quoted field. A quote that is not
// closed as it should be does not count.
func splitRows(delimiter byte) splitter {
	const mostQuoted = 64 << 10 // bytes of a field
	return func(data []byte) int {
		for at := 0; at < len(data); {
			if data[at] != '"' {
				for at < len(data) && data[at] != delimiter && data[at] != '\n' {
					at++
				}
				if at++; at > len(data) {
					return -1
				}
				if data[at-1] == '\n' {
					return at
				}
				continue
			}
			end := closingQuote(data[at:min(len(data), at+mostQuoted)])
			switch {
			case end < 0 && len(data)-at < mostQuoted:
				return -1
			case end < 0:
				return splitLines(data)
			}
			if at += end; at == len(data) {
				return -1
			}
			switch data[at] {
			case delimiter:
				at++
			case '\n':
				return at + 1
			case '\r': // before a newline
			default:
				return splitLines(data)
			}
		}
		return -1
	}
}
