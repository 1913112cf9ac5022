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
	quoted     bool // the header quotes every name: so may fields be that tabs separate
	smiles, id int  // columns, from 0; id may be noColumn
	names      []string
	columns    int // of the first row
	// titled is set if blanks separate the columns, and none were chosen or the header names only
	// the SMILES and then the id. Then everything after the SMILES is a title, including blanks.
	titled bool
	env    *env
	// extended is set by a row with a CXSMILES extension, which is dropped.
	extended bool
}

// newTable detects the layout from the first row, the options and what the rows below say, and
// whether that row is a header.
func newTable(row string, found *layout, e *env) (t *table, header bool, err error) {
	t = &table{env: e, id: 1}
	header = found != nil || namesColumns(row, &e.opt)
	if t.delimiter, err = delimiter(e.opt.Delimiter, row, header); err != nil {
		return nil, false, err
	}
	t.quoted = header && allQuoted(row, t.delimiter)
	t.titled = t.delimiter == ' ' && e.opt.SMILESColumn == "" && e.opt.IDColumn == "" && !header
	fields, err := t.split(nil, row)
	if err != nil {
		return nil, false, err
	}
	t.columns = len(fields)
	if header {
		t.names = trimAll(fields)
		t.sayRepeated()
		t.chooseByName()
		if found != nil && !found.molecules[t.smiles] {
			t.smiles = found.best
		}
	}
	if option := e.opt.SMILESColumn; option != "" {
		if t.smiles, err = t.column(option); err != nil {
			return nil, false, Errorf("%v: %v", Setting{"smiles_column", option}, err)
		}
		if !header && t.id == t.smiles {
			t.id = 0
		}
	}
	switch option := e.opt.IDColumn; option {
	case "":
	case NoLabel:
		t.id = noColumn
	default:
		if t.id, err = t.column(option); err != nil {
			return nil, false, Errorf("%v: %v", Setting{"id_column", option}, err)
		}
	}
	if t.id == t.smiles && e.opt.IDColumn == "" {
		t.id = noColumn
	}
	t.titled = t.titled || header && t.delimiter == ' ' && t.columns == 2 && t.smiles == 0 && t.id == 1
	t.say(header)
	return t, header, nil
}

// sayRepeated notes the names that several columns have.
func (t *table) sayRepeated() {
	var seen, said names
	for _, name := range t.names {
		if name == "" {
			continue
		}
		if _, added := seen.get(name); added {
			continue
		}
		if _, added := said.get(name); added {
			t.env.notes.say("several columns are named %s: of each row the last value counts", quoted(name))
		}
	}
}

// say notes what was chosen.
func (t *table) say(header bool) {
	switch {
	case header && t.id == noColumn:
		t.env.notes.say("table with a header: SMILES in column %s; no column is named like an id, so ids are "+
			"positions from 0 (%v and %v choose others)",
			t.title(t.smiles), Setting{Option: "smiles_column"}, Setting{Option: "id_column"})
	case header:
		t.env.notes.say("table with a header: SMILES in column %s, ids in column %s (%v and %v choose others, %v none)",
			t.title(t.smiles), t.title(t.id), Setting{Option: "smiles_column"}, Setting{Option: "id_column"},
			Setting{"id_column", NoLabel})
	case !t.titled && t.columns > 2:
		t.env.notes.say("table without a header: SMILES in column %d, ids in column %d; the other columns have no "+
			"names and were dropped (%v takes names from the first line)",
			t.smiles, t.id, Setting{"header", "yes"})
	}
}

// namesColumns reports whether the first row is a header. Unless an option says so, it must
// contain the word SMILES and not begin with a molecule.
func namesColumns(row string, opt *Options) bool {
	switch opt.Header {
	case HeaderPresent:
		return true
	case HeaderAbsent:
		return false
	}
	for _, option := range []string{opt.SMILESColumn, opt.IDColumn} {
		if _, err := strconv.Atoi(option); err != nil && option != "" && option != NoLabel {
			return true
		}
	}
	if !strings.Contains(strings.ToLower(row), "smiles") {
		return false
	}
	first := unquote(row[:firstSeparator(row)])
	_, err := chem.ParseSMILES(first)
	return err != nil
}

// delimiter returns the byte that separates columns: the option's, or one found in the first
// row. Names of columns may contain blanks, so in a header tabs, commas and semicolons take
// precedence. A SMILES contains none of these, so in other rows the first one separates.
func delimiter(option, row string, header bool) (byte, error) {
	switch option {
	case "":
		return guessDelimiter(row, header), nil
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
	return 0, Errorf("%v: expected one character, or tab, comma, semicolon or blank",
		Setting{"delimiter", quoted(option)})
}

func guessDelimiter(row string, header bool) byte {
	if header {
		best, most := byte(' '), 0
		for _, c := range []byte("\t,;") {
			if n := countOutsideQuotes(row, c); n > most {
				best, most = c, n
			}
		}
		return best
	}
	i := firstSeparator(row)
	if i == len(row) {
		return ' '
	}
	// A blank before another separator pads the SMILES.
	if rest := strings.TrimLeft(row[i:], " "); rest != "" && strings.IndexByte("\t,;", rest[0]) >= 0 {
		return rest[0]
	}
	return row[i]
}

// countOutsideQuotes counts a byte in a row, except in double quotes.
func countOutsideQuotes(row string, c byte) int {
	n, inQuotes := 0, false
	for i := range len(row) {
		switch {
		case row[i] == '"':
			inQuotes = !inQuotes
		case row[i] == c && !inQuotes:
			n++
		}
	}
	return n
}

// firstSeparator returns the end of the first field of a row: at a tab or blank, or at a
// comma or semicolon outside quotes and brackets. A SMILES contains none of these; SMARTS,
// which deserves a better error, has some in brackets.
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

// noColumn is the number of a column that a table does not have.
const noColumn = -1

// ChooseColumns returns which of a table's columns has the SMILES and which the ids, by their names as a table with a
// header is read; id is -1 if none is named like an id.
func ChooseColumns(names []string) (smiles, id int) {
	t := &table{names: names}
	t.chooseByName()
	return t.smiles, max(t.id, -1)
}

// chooseByName chooses the columns by a header: SMILES from "smiles" or the first name that
// contains it, ids from the first column whose name is that of an id. Other columns may have
// repeated values, and graphs with the same id replace each other.
func (t *table) chooseByName() {
	find := func(fits func(name string) bool) int {
		return slices.IndexFunc(t.names, func(name string) bool { return fits(strings.ToLower(name)) })
	}
	t.smiles = find(func(name string) bool { return name == "smiles" })
	if t.smiles < 0 {
		t.smiles = max(0, find(func(name string) bool { return strings.Contains(name, "smiles") }))
	}
	for _, fits := range []func(string) bool{
		func(name string) bool { return name == "id" || name == "identifier" },
		namesID,
		func(name string) bool { return name == "name" || name == "title" },
		func(name string) bool {
			return strings.HasSuffix(name, "name") && namesThing(strings.TrimSuffix(name, "name"))
		},
	} {
		if t.id = find(fits); t.id >= 0 {
			return
		}
	}
	t.id = noColumn
}

// namesID reports whether a lower-case name is that of an id of molecules: "Compound ID",
// "mol_id", "CMPD_CHEMBLID", "CID". The id of something else, such as "target_id", may
// repeat.
func namesID(name string) bool {
	thing, ok := strings.CutSuffix(name, "id")
	return ok && namesThing(thing) && strings.Trim(thing, separators) != ""
}

// separators separate the words of a name.
const separators = " _-.:#/"

// namesThing reports whether all words name what rows are about, or databases and notations
// that number them.
func namesThing(name string) bool {
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(separators, r) })
	for _, word := range words {
		switch word {
		case "mol", "molecule", "molecular", "molregno", "compound", "cmpd", "cpd", "structure", "substance", "ligand",
			"drug", "chemical",
			"entry", "record", "row", "sample", "chembl", "zinc", "pubchem", "drugbank", "chebi", "cas", "nsc", "c",
			"s", "dtx", "dtxs", "dtxc", "iupac", "common":
		default:
			return false
		}
	}
	return true
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

// title describes a column in a note.
func (t *table) title(column int) string {
	if column < len(t.names) {
		return quoted(t.names[column])
	}
	return strconv.Itoa(column)
}

// check refuses rows with more fields than the header names: they would be lost, or in columns
// that are not theirs. Without a header, a note counts such rows. Empty fields at the end are none.
func (t *table) check(fields []string) error {
	n := len(fields)
	for n > t.columns && strings.TrimSpace(fields[n-1]) == "" {
		n--
	}
	switch {
	case n <= t.columns || t.titled:
	case t.names != nil:
		err := fmt.Errorf("found %d columns, expected %d as the header has", n, t.columns)
		if t.delimiter == '\t' || t.delimiter == ' ' {
			return err
		}
		return advise(err, "a field may contain %q if it is quoted", t.delimiter)
	case t.columns <= 2: // else say did
		t.env.notes.count(1, "row has more columns than the first one: these were dropped",
			"rows have more columns than the first one: these were dropped")
	}
	return nil
}

// attributes returns the other columns of a row, by their names in the header.
func (t *table) attributes(fields []string) map[string]any {
	var m map[string]any
	for i, name := range t.names[:min(len(t.names), len(fields))] {
		if i == t.smiles || i == t.id || fields[i] == "" || name == "" {
			continue
		}
		if m == nil {
			m = make(map[string]any, min(len(t.names), len(fields)))
		}
		m[name] = fields[i]
	}
	return m
}

// allQuoted reports whether every field of a header is quoted.
func allQuoted(row string, delimiter byte) bool {
	for field := range strings.SplitSeq(strings.TrimRight(row, "\r\n"), string(rune(delimiter))) {
		if field = strings.TrimSpace(field); len(field) < 2 || field[0] != '"' || field[len(field)-1] != '"' {
			return false
		}
	}
	return true
}

// split appends the fields of a row to dst. Quotes are recognised, but where tabs separate the
// fields only if the header is quoted.
func (t *table) split(dst []string, row string) ([]string, error) {
	if t.delimiter == ' ' {
		return t.splitBlanks(dst, row), nil
	}
	dst = slices.Grow(dst, strings.Count(row, string([]byte{t.delimiter}))+1)
	for {
		if strings.HasPrefix(row, `"`) && (t.delimiter != '\t' || t.quoted) {
			end := closingQuote(row)
			if end < 0 {
				return nil, errors.New(`found a quote that is not closed`)
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
		return t.withoutExtension(append(dst, strings.FieldsFunc(row, isBlank)...))
	}
	row = strings.TrimFunc(row, isBlank)
	i := strings.IndexAny(row, " \t")
	if i < 0 {
		return append(dst, row)
	}
	title := strings.TrimLeft(row[i:], " \t")
	if strings.HasPrefix(title, "|") {
		if end := strings.IndexByte(title[1:], '|'); end >= 0 {
			t.noteExtension()
			title = strings.TrimLeft(title[end+2:], " \t")
		}
	}
	return append(dst, row[:i], title)
}

// withoutExtension drops the fields of a CXSMILES extension, which follows the SMILES between
// vertical bars, from a row that blanks separate.
func (t *table) withoutExtension(fields []string) []string {
	from := t.smiles + 1
	if from >= len(fields) || !strings.HasPrefix(fields[from], "|") {
		return fields
	}
	for to := from; to < len(fields); to++ {
		if f := fields[to]; strings.HasSuffix(f, "|") && (to > from || len(f) > 1) {
			t.noteExtension()
			return slices.Delete(fields, from, to+1)
		}
	}
	return fields
}

// smilesOf returns the SMILES of a field, which may be padded and have a CXSMILES extension.
func (t *table) smilesOf(field string) string {
	field = strings.TrimFunc(field, isBlank)
	text, rest, _ := strings.Cut(field, " ")
	if rest = strings.TrimFunc(rest, isBlank); len(rest) > 1 && rest[0] == '|' && rest[len(rest)-1] == '|' {
		t.noteExtension()
		return text
	}
	return field
}

func (t *table) noteExtension() {
	t.extended = true
	t.env.notes.count(1, "CXSMILES extension (between bars) was dropped",
		"CXSMILES extensions (between bars) were dropped")
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' }

// closingQuote returns the offset after the quote that closes the one at the start. Doubled
// quotes inside are text.
func closingQuote[T string | []byte](row T) int {
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
