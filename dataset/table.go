package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/chem"
)

// table is the layout of a file of SMILES.
type table struct {
	delimiter  byte // ' ' for a run of blanks and tabs
	smiles, id int  // columns, from 0
	names      []string
	// titled is set where no columns were asked for and blanks separate: what
	// follows the SMILES is one title, blanks and all.
	titled bool
	env    *env
}

// newTable tells the layout by the first row and the options, and whether that
// row is a header.
func newTable(row string, e *env) (t *table, header bool, err error) {
	t = &table{env: e, id: 1}
	if t.delimiter, err = delimiter(e.opt.Delimiter, row); err != nil {
		return nil, false, err
	}
	t.titled = t.delimiter == ' ' && e.opt.SMILESColumn == "" && e.opt.IDColumn == "" && e.opt.Header != HeaderPresent
	fields, err := t.split(nil, row)
	if err != nil {
		return nil, false, err
	}
	if header = t.isHeader(fields); header {
		if t.titled {
			t.titled = false
			if fields, err = t.split(nil, row); err != nil {
				return nil, false, err
			}
		}
		t.names = trimAll(fields)
		t.chooseByName()
	}
	for _, c := range []struct {
		option, flag string
		column       *int
	}{{e.opt.SMILESColumn, "--smiles-column", &t.smiles}, {e.opt.IDColumn, "--id-column", &t.id}} {
		if c.option == "" {
			continue
		}
		if *c.column, err = t.column(c.option); err != nil {
			return nil, false, fmt.Errorf("%s %s: %w", c.flag, c.option, err)
		}
	}
	if header {
		e.notes.say("table with a header: SMILES in column %s, ids in column %s (--smiles-column and --id-column choose others)", t.title(t.smiles), t.title(t.id))
	}
	return t, header, nil
}

// delimiter returns the byte that separates columns: as the option says, else
// the first that could in the first row.
func delimiter(option, row string) (byte, error) {
	switch option {
	case "":
		i := firstSeparator(row)
		if i == len(row) {
			return ' ', nil
		}
		return row[i], nil
	case "tab", `\t`:
		return '\t', nil
	case "comma":
		return ',', nil
	case "semicolon":
		return ';', nil
	case "blank", "space":
		return ' ', nil
	}
	if len(option) == 1 {
		return option[0], nil
	}
	return 0, fmt.Errorf("--delimiter %s: expected one character, or tab, comma, semicolon or blank", quoted(option))
}

// firstSeparator returns where the first field of a row ends: at a tab or blank,
// or at a comma or semicolon outside quotes and brackets. A SMILES has none of
// these; SMARTS, which deserves a better error, has some in brackets.
func firstSeparator(row string) int {
	inQuotes, inBrackets := false, false
	for i := 0; i < len(row); i++ {
		switch row[i] {
		case '"':
			inQuotes = !inQuotes
		case '[', ']':
			inBrackets = row[i] == '['
		case '\t', ' ':
			if !inQuotes {
				return i
			}
		case ',', ';':
			if !inQuotes && !inBrackets {
				return i
			}
		}
	}
	return len(row)
}

// isHeader tells whether the first row names the columns.
func (t *table) isHeader(fields []string) bool {
	switch t.env.opt.Header {
	case HeaderPresent:
		return true
	case HeaderAbsent:
		return false
	}
	for _, option := range []string{t.env.opt.SMILESColumn, t.env.opt.IDColumn} {
		if _, err := strconv.Atoi(option); err != nil && option != "" {
			return true
		}
	}
	column := 0
	if n, err := strconv.Atoi(t.env.opt.SMILESColumn); err == nil {
		column = n
	}
	if column < 0 || column >= len(fields) {
		return false
	}
	if _, err := chem.ParseSMILES(fields[column]); err == nil && fields[column] != "" {
		return false
	}
	return slices.ContainsFunc(fields, func(f string) bool { return strings.Contains(strings.ToLower(f), "smiles") })
}

// chooseByName sets the columns by a header: SMILES from "smiles" or the first
// name that contains it, ids from "id", "name" or "title", else the first other
// column.
func (t *table) chooseByName() {
	find := func(fits func(name string) bool) int {
		return slices.IndexFunc(t.names, func(name string) bool { return fits(strings.ToLower(name)) })
	}
	t.smiles = find(func(name string) bool { return name == "smiles" })
	if t.smiles < 0 {
		t.smiles = max(0, find(func(name string) bool { return strings.Contains(name, "smiles") }))
	}
	for _, usual := range []string{"id", "name", "title"} {
		if t.id = find(func(name string) bool { return name == usual }); t.id >= 0 {
			return
		}
	}
	t.id = 1
	if t.smiles == 1 {
		t.id = 0
	}
}

// column finds a column by its name in the header or by its number.
func (t *table) column(option string) (int, error) {
	if i := slices.Index(t.names, option); i >= 0 {
		return i, nil
	}
	n, err := strconv.Atoi(option)
	switch {
	case err == nil && n >= 0 && (t.names == nil || n < len(t.names)):
		return n, nil
	case t.names == nil:
		return 0, errors.New("expected a number from 0, since the table has no header")
	}
	return 0, fmt.Errorf("no such column; the header has %s", strings.Join(t.names, ", "))
}

// title names a column for a note.
func (t *table) title(column int) string {
	if column < len(t.names) {
		return quoted(t.names[column])
	}
	return strconv.Itoa(column)
}

// meta returns the other columns of a row by the names in the header.
func (t *table) meta(fields []string) map[string]any {
	var m map[string]any
	for i, name := range t.names {
		if i == t.smiles || i == t.id || i >= len(fields) || fields[i] == "" || name == "" {
			continue
		}
		if m == nil {
			m = make(map[string]any, len(t.names))
		}
		m[name] = fields[i]
	}
	return m
}

// split appends the fields of a row to dst. Quotes around a field count unless
// tabs separate.
func (t *table) split(dst []string, row string) ([]string, error) {
	if t.delimiter == ' ' {
		return t.splitBlanks(dst, row), nil
	}
	for {
		if strings.HasPrefix(row, `"`) && t.delimiter != '\t' {
			end := closingQuote(row)
			if end < 0 {
				return nil, errors.New(`found a quote that is not closed on its line: fields with line ends cannot be read`)
			}
			dst = append(dst, unquote(row[:end]))
			if row = row[end:]; row == "" {
				return dst, nil
			}
			if row[0] != t.delimiter {
				return nil, fmt.Errorf("found %s after a closing quote, expected %q", quoted(row), t.delimiter)
			}
			row = row[1:]
			continue
		}
		i := strings.IndexByte(row, t.delimiter)
		if i < 0 {
			return append(dst, row), nil
		}
		dst = append(dst, row[:i])
		row = row[i+1:]
	}
}

func (t *table) splitBlanks(dst []string, row string) []string {
	if !t.titled {
		return append(dst, strings.FieldsFunc(row, isBlank)...)
	}
	row = strings.TrimFunc(row, isBlank)
	i := strings.IndexAny(row, " \t")
	if i < 0 {
		return append(dst, row)
	}
	title := strings.TrimLeft(row[i:], " \t")
	if strings.HasPrefix(title, "|") {
		if end := strings.IndexByte(title[1:], '|'); end >= 0 {
			t.env.notes.count("CXSMILES extensions (between bars) were dropped", 1)
			title = strings.TrimLeft(title[end+2:], " \t")
		}
	}
	return append(dst, row[:i], title)
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' }

// closingQuote returns the place behind the quote that closes the one at the
// start; doubled quotes inside are text.
func closingQuote(row string) int {
	for i := 1; i < len(row); i++ {
		if row[i] != '"' {
			continue
		}
		if i+1 < len(row) && row[i+1] == '"' {
			i++
			continue
		}
		return i + 1
	}
	return -1
}

func unquote(field string) string {
	if len(field) < 2 || field[0] != '"' || field[len(field)-1] != '"' {
		return field
	}
	return strings.ReplaceAll(field[1:len(field)-1], `""`, `"`)
}

func trimAll(fields []string) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = strings.TrimSpace(f)
	}
	return out
}
