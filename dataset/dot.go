package dataset

import (
	"bytes"
	"io"
	"strings"
)

func dotFormat() format {
	return format{
		name:       "dot",
		named:      true,
		about:      "DOT, the language of Graphviz: graph and digraph",
		extensions: []string{"dot", "gv"},
		sniff:      sniffDOT,
		open: func(in *input, e *env) (decoder, error) {
			return &dotDecoder{input: in, env: e, pieces: newPieces(in.r, e, false, splitDOT)}, nil
		},
		write: func(w io.Writer) encoder { return &dotEncoder{w: w} },
	}
}

func sniffDOT(head []byte) bool {
	l := dotLexer{text: head}
	tok, err := l.token()
	if err == nil && strings.EqualFold(tok.text, "strict") {
		tok, err = l.token()
	}
	if err != nil || tok.quoted || !strings.EqualFold(tok.text, "graph") && !strings.EqualFold(tok.text, "digraph") {
		return false
	}
	tok, err = l.token()
	if err == nil && tok.id {
		tok, err = l.token()
	}
	return err == nil && tok.text == "{" && !tok.id
}

type dotDecoder struct {
	*input
	env    *env
	pieces *pieces
	raw    rawGraph
}

func (d *dotDecoder) next() (Record, error) {
	text, line, err := d.env.piece(d.input, d.pieces)
	if err != nil {
		return Record{}, err
	}
	raw := &d.raw
	raw.reset(d.env, 0)
	raw.nodeAttrs.drawn, raw.edgeAttrs.drawn = drawnDOT, drawnDOT
	p := dotParser{lex: dotLexer{text: text, line: line}, raw: raw}
	err = p.graph()
	if err == nil && p.tok.text == "" && !p.tok.id && raw.line == 0 {
		return Record{}, io.EOF // blanks and comments
	}
	var rec Record
	if err == nil {
		if p.strict {
			raw.dropRepeats()
		}
		rec, err = d.env.build(raw)
	}
	if err != nil {
		line += bytes.Count(text[:len(text)-len(bytes.TrimLeft(text, " \t\r\n"))], []byte{'\n'})
		return Record{}, d.env.bad(d.name, line, raw.id, text, err)
	}
	rec.File = d.name
	return rec, nil
}
