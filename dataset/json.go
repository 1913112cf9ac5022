package dataset

import (
	"bytes"
	"io"
	"regexp"
	"slices"
)

func jsonFormat() format {
	return format{
		name:       "json",
		named:      true,
		about:      "node-link JSON of NetworkX: an object, several, or a list of them",
		extensions: []string{"json"},
		sniff:      sniffJSON,
		open: func(in *input, e *env) (decoder, error) {
			split := splitJSON
			if flatList.Match(in.head) {
				split = wholeText
			}
			return &jsonDecoder{input: in, env: e, pieces: newPieces(in.r, e, false, split)}, nil
		},
		write: func(w io.Writer) encoder { return &jsonEncoder{w: w} },
	}
}

func ndjsonFormat() format {
	return format{
		name:       "ndjson",
		named:      true,
		about:      "node-link JSON, one object a line",
		extensions: []string{"ndjson", "jsonl"},
		sniff:      sniffNDJSON,
		open: func(in *input, e *env) (decoder, error) {
			return &jsonDecoder{input: in, env: e, pieces: newPieces(in.r, e, true, splitLines)}, nil
		},
		write: func(w io.Writer) encoder { return &jsonEncoder{w: w, lines: true} },
	}
}

// flatList matches the beginning of a list of Cytoscape's elements, which is one graph.
var flatList = regexp.MustCompile(`^\s*\[\s*\{\s*"(data|group)"\s*:`)

// wholeText makes one record of a text.
func wholeText([]byte) int { return -1 }

// sniffJSON distinguishes { or [{ from the [ that a SMILES may begin with.
func sniffJSON(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	if rest, ok := bytes.CutPrefix(head, []byte{'['}); ok {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		return len(rest) == 0 || rest[0] == '{' || rest[0] == ']'
	}
	return bytes.HasPrefix(head, []byte{'{'})
}

// sniffNDJSON reports whether the first line is a complete object.
func sniffNDJSON(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	if !bytes.HasPrefix(head, []byte{'{'}) {
		return false
	}
	end := splitJSON(head)
	return end > 0 && !bytes.Contains(head[:end], []byte{'\n'})
}

// jsonDecoder reads both forms. They differ in where a record ends, and so in whether reading
// can continue after invalid JSON.
type jsonDecoder struct {
	*input
	env    *env
	pieces *pieces
	ahead  []Record // of the object read last
}

func (d *jsonDecoder) next() (Record, error) {
	for {
		if len(d.ahead) > 0 {
			rec := d.ahead[0]
			d.ahead = d.ahead[1:]
			return rec, nil
		}
		text, line, err := d.env.piece(d.input, d.pieces)
		if err != nil {
			return Record{}, err
		}
		body := bytes.TrimLeft(text, " \t\r\n")
		if flat := flatList.Match(body); flat && !d.pieces.resync {
			body = slices.Concat([]byte(`{"elements":`), body, []byte{'}'})
		} else if !d.pieces.resync {
			body = bytes.TrimLeft(text, "[], \t\r\n")
		}
		line += bytes.Count(text[:max(0, len(text)-len(body))], []byte{'\n'})
		body = bytes.TrimRight(body, " \t\r\n")
		if len(body) > 0 {
			if d.ahead, err = d.env.jsonRecords(d.name, body, line, true); err != nil {
				return Record{}, err
			}
		}
	}
}

// jsonEncoder writes a single object, a list of objects, or an object per line.
type jsonEncoder struct {
	w     io.Writer
	lines bool
	first []byte // held back until it is known whether it is the only one
	count int
}

func (j *jsonEncoder) encode(rec Record) error {
	link, err := NewNodeLink(rec)
	if err != nil {
		return err
	}
	if j.lines {
		return j.put(link.text, "\n")
	}
	j.count++
	switch j.count {
	case 1:
		j.first = link.text
		return nil
	case 2:
		if err := j.put([]byte{'['}, string(j.first)); err != nil {
			return err
		}
		j.first = nil
	}
	return j.put([]byte(",\n"), string(link.text))
}

func (j *jsonEncoder) finish() error {
	switch {
	case j.lines:
		return nil
	case j.count == 0:
		return j.put(nil, "[]\n")
	case j.count == 1:
		return j.put(j.first, "\n")
	}
	return j.put(nil, "]\n")
}

func (j *jsonEncoder) put(text []byte, and string) error {
	if _, err := j.w.Write(text); err != nil {
		return err
	}
	_, err := io.WriteString(j.w, and)
	return err
}
