package server

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/greedgraph/greed/chem"
)

// Names is a table of names of graphs and of CAS numbers: queries may be given by them, and
// answers have them. A nil table is empty.
type Names struct {
	queries map[string]Query // by name and by CAS number, in small letters
	byID    map[string]string
	byForm  map[string]string // by canonical SMILES
}

// ReadNames reads a table as CSV, or with tabs between its columns. The first line names the
// columns, in any order: name; smiles, id or both; and cas, if there is one. Others are left
// out. Of rows that have the same name the first counts.
func ReadNames(r io.Reader, file string) (*Names, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	lines := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	lines.FieldsPerRecord, lines.ReuseRecord = -1, true
	if head, _, _ := bytes.Cut(text, []byte("\n")); bytes.ContainsRune(head, '\t') {
		lines.Comma, lines.LazyQuotes = '\t', true
	}
	head, err := lines.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: the table of names has no first line with the names of its columns: %w", file, err)
	}
	head = slices.Clone(head)
	column := func(name string) int {
		return slices.IndexFunc(head, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
	}
	name, smiles, id, cas := column("name"), column("smiles"), column("id"), column("cas")
	if name < 0 || smiles < 0 && id < 0 {
		return nil, fmt.Errorf("%s:1: a table of names needs a column name, and smiles or id; it has %s", file,
			strings.Join(head, ", "))
	}
	n := &Names{make(map[string]Query), make(map[string]string), make(map[string]string)}
	for {
		row, err := lines.Read()
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		cell := func(at int) string {
			if at < 0 || at >= len(row) {
				return ""
			}
			return strings.TrimSpace(row[at])
		}
		line, _ := lines.FieldPos(0)
		if err := n.add(cell(name), cell(cas), cell(smiles), cell(id)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
	}
}

func (n *Names) add(name, cas, smiles, id string) error {
	if name == "" || smiles == "" && id == "" {
		return nil
	}
	title := name
	if cas != "" {
		title += ", CAS " + cas
	}
	q := Query{SMILES: smiles}
	if smiles == "" {
		q.ID = id
	} else {
		form, err := canonical(smiles)
		if err != nil {
			return err
		}
		first(n.byForm, form, title)
	}
	if id != "" {
		first(n.byID, id, title)
	}
	for _, key := range []string{name, cas} {
		if key != "" {
			first(n.queries, strings.ToLower(key), q)
		}
	}
	return nil
}

func first[V any](m map[string]V, key string, value V) {
	if _, known := m[key]; !known {
		m[key] = value
	}
}

// query returns what a text names, if anything.
func (n *Names) query(text string) (Query, bool) {
	if n == nil {
		return Query{}, false
	}
	q, ok := n.queries[strings.ToLower(strings.TrimSpace(text))]
	return q, ok
}

// longestForm is the greatest length of a SMILES whose canonical form is computed to name answers: that
// of a large molecule may take long.
const longestForm = 200

// of returns the name of a graph, or "".
func (n *Names) of(id, smiles string) string {
	if n == nil {
		return ""
	}
	if name := n.byID[id]; name != "" || smiles == "" || len(smiles) > longestForm || len(n.byForm) == 0 {
		return name
	}
	form, err := canonical(smiles)
	if err != nil {
		return ""
	}
	return n.byForm[form]
}

func canonical(smiles string) (string, error) {
	m, err := chem.ParseSMILES(smiles)
	if err != nil {
		return "", err
	}
	var w chem.SMILESWriter
	text, _, err := w.Canonical(m)
	return text, err
}
