package dataset

import (
	"errors"
	"io"
	"strings"

	"github.com/greedgraph/greed/chem/chemname"
)

// ErrSeveral means that a text holds more than one graph; [ReadOne] returns it.
var ErrSeveral = errors.New("more than one graph")

// ReadOne reads the graph of a text, with the reader's notes. A SMILES text has no header; it
// ends at a blank or tab, and the rest is its name. The error is [ErrEmpty] or [ErrSeveral] if
// the text does not hold exactly one graph, and a [*BadRecord] if the graph cannot be read.
//
// What is no SMILES may be a name that package chemname knows: then the record is that molecule. A name that is not
// known is a [*BadRecord] that wraps [chemname.ErrUnknown].
func ReadOne(text string, opt Options) (Record, error) {
	rec, err := readOne(text, opt)
	var bad *BadRecord
	if opt.Format != "smiles" || !errors.As(err, &bad) {
		return rec, err
	}
	c, unresolved := chemname.Resolve(text, bad.Err)
	if unresolved != nil {
		bad.Err = unresolved
		return rec, err
	}
	if rec, err = readOne(c.SMILES, opt); err == nil {
		rec.Name = c.String()
		rec.Notes = append(rec.Notes, Note{Text: c.Remark(text)})
	}
	return rec, err
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
