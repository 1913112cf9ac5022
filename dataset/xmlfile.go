package dataset

import (
	"encoding/xml"
	"errors"
	"io"
)

// xmlFile is what the decoders of XML share: the walk from graph to graph, and
// how a graph read, or half read, becomes a record or a bad record.
type xmlFile struct {
	env  *env
	x    *xmlScan
	over bool
}

func (f *xmlFile) close() error { return f.x.in.close() }

// nextGraph passes the next <graph> below the root element to graph, which
// fills the rawGraph and must read the element to its end. Other elements go to
// other, which must do so too. Broken XML, or what graph takes for it, ends the
// file.
func (f *xmlFile) nextGraph(graph func(xml.StartElement, *rawGraph) error, other func(xml.StartElement) error) (Record, error) {
	for !f.over {
		f.x.tape.mark()
		tok, err := f.x.token()
		if err == io.EOF {
			break
		}
		raw := &rawGraph{line: f.x.line()}
		if err != nil {
			return f.broken(raw, err)
		}
		tag, ok := tok.(xml.StartElement)
		if !ok || f.x.depth == 1 {
			continue
		}
		if tag.Name.Local != "graph" {
			if err := other(tag); err != nil {
				return f.broken(raw, err)
			}
			continue
		}
		if err := graph(tag, raw); err != nil {
			return f.broken(raw, err)
		}
		rec, err := f.env.build(raw)
		if err != nil {
			return Record{}, f.env.bad(f.x.in.name, raw.line, raw.id, f.x.tape.kept, err)
		}
		rec.File = f.x.in.name
		return rec, nil
	}
	return Record{}, io.EOF
}

// broken ends the file with a bad record, or with an error of the stream.
func (f *xmlFile) broken(raw *rawGraph, err error) (Record, error) {
	f.over = true
	var at *lineError
	if !errors.As(err, &at) {
		return Record{}, err
	}
	return Record{}, f.env.bad(f.x.in.name, raw.line, raw.id, f.x.tape.kept, err)
}
