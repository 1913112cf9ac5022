package dataset

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/chemname"
)

// ErrSeveral means that a text holds more than one graph; [ReadOne] returns it.
var ErrSeveral = errors.New("more than one graph")

// ReadOne reads the graph of a text, with the reader's notes. A SMILES text has no header; it
// ends at a blank or tab, and the rest is its name. The error is [ErrEmpty] or [ErrSeveral] if
// the text does not hold exactly one graph, and a [*BadRecord] if the graph cannot be read.
//
// What is no SMILES may be a name that package chemname knows: then the record is that molecule. A name that is not
// known is a [*BadRecord] that wraps [ErrName].
func ReadOne(text string, opt Options) (Record, error) {
	rec, err := readOne(text, opt)
	var bad *BadRecord
	if opt.Format != "smiles" || !errors.As(err, &bad) || !chemname.Plausible(text) {
		return rec, err
	}
	c, known := chemname.Find(text)
	if !known {
		bad.Err = unknownName(text, bad.Err)
		return rec, bad
	}
	if rec, err = readOne(c.SMILES, opt); err == nil {
		rec.Name = c.String()
		text = quoted(strings.TrimSpace(text))
		rec.Notes = append(rec.Notes, Remark("%s is read as %s: %s", text, c.String(), c.SMILES))
	}
	return rec, err
}

// unknownName is the error for what looks like a name and is not known. It says where the text ceases to be a SMILES,
// but does not call it a SMARTS, as the letters of a name may be.
func unknownName(text string, why error) error {
	hint := ""
	if near := chemname.Near(text); near != "" {
		hint = ": is it " + near + "?"
	}
	if bad, ok := errors.AsType[*chem.SyntaxError](why); ok && bad.Err == nil {
		hint += " (as a SMILES, column " + fmt.Sprint(bad.Column) + ": " + bad.Message + ")"
	}
	return fmt.Errorf("%s %w%s", quoted(strings.TrimSpace(text)), ErrName, hint)
}

// readOne is [ReadOne] without names.
func readOne(text string, opt Options) (Record, error) {
	if opt.Format == "smiles" {
		opt.Header = HeaderAbsent
		if opt.Delimiter == "" {
			opt.Delimiter = "blank"
			if strings.Contains(strings.TrimSpace(text), "\t") {
				opt.Delimiter = "tab"
			}
		}
	}
	r, err := NewReader(strings.NewReader(text), "text", opt)
	if err != nil {
		return Record{}, err
	}
	rec, err := r.Next()
	switch {
	case errors.Is(err, io.EOF):
		return Record{}, ErrEmpty
	case err != nil:
		return Record{}, err
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		return Record{}, ErrSeveral
	}
	rec.Notes, rec.File = r.Notes(), "" // a text is no file
	return rec, nil
}
