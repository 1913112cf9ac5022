package dataset

import (
	"bytes"
	"io"
	"strings"
)

func dotFormat() format {
	return format{
		name:       "dot",
		about:      "DOT, the language of Graphviz: graph and digraph",
		extensions: []string{"dot", "gv"},
		sniff:      sniffDOT,
		open: func(in *input, e *env) (decoder, error) {
			return &dotDecoder{in, e, newPieces(in.r, e.opt.maxRecord(), false, splitDOT)}, nil
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
	in     *input
	env    *env
	pieces *pieces
}

func (d *dotDecoder) close() error { return d.in.close() }

func (d *dotDecoder) next() (Record, error) {
	text, line, err := d.env.piece(d.in, d.pieces)
	if err != nil {
		return Record{}, err
	}
	p := dotParser{lex: dotLexer{text: text, line: line}, index: make(map[string]int)}
	err = p.graph()
	if err == nil && p.tok.text == "" && !p.tok.id && p.raw.line == 0 {
		return Record{}, io.EOF // blanks and comments
	}
	if err == nil && p.strict {
		p.raw.dropRepeats(d.env)
	}
	var rec Record
	if err == nil {
		rec, err = d.env.build(&p.raw)
	}
	if err != nil {
		line += bytes.Count(text[:len(text)-len(bytes.TrimLeft(text, " \t\r\n"))], []byte{'\n'})
		return Record{}, d.env.bad(d.in.name, line, p.raw.id, text, err)
	}
	rec.File = d.in.name
	return rec, nil
}
