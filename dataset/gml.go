package dataset

import (
	"bytes"
	"html"
	"strings"
)

func gmlFormat() format {
	return format{
		name:       "gml",
		named:      true,
		about:      "GML, the Graph Modelling Language, as NetworkX, igraph and Gephi write it",
		extensions: []string{"gml"},
		sniff:      sniffGML,
		open: func(in *input, e *env) (decoder, error) {
			return &gml{in: in, env: e, pieces: newPieces(in.r, e, false, splitGML)}, nil
		},
	}
}

// gmlToken is a key, a value or a bracket.
type gmlToken struct {
	text   string
	quoted bool
	line   int
}

// gmlLexer cuts GML into tokens (Himsolt 1997). Lines that start with # are
// comments. Strings have no escapes but the entities of HTML.
type gmlLexer struct {
	text []byte
	i    int
	line int
	mute bool // texts are not wanted
}

// token returns the next token, or one with no text at the end.
func (l *gmlLexer) token() (tok gmlToken, err error) {
	for l.i < len(l.text) {
		c := l.text[l.i]
		switch {
		case c == '\n':
			l.line++
			l.i++
		case c <= ' ':
			l.i++
		case c == '#':
			if n := bytes.IndexByte(l.text[l.i:], '\n'); n >= 0 {
				l.i += n
			} else {
				l.i = len(l.text)
			}
		case c == '[' || c == ']':
			l.i++
			return gmlToken{text: string(c), line: l.line}, nil
		case c == '"':
			tok = gmlToken{quoted: true, line: l.line}
			n := bytes.IndexByte(l.text[l.i+1:], '"')
			if n < 0 {
				return tok, errAt(l.line, "found an opening quote without the one that closes it")
			}
			raw := l.text[l.i+1 : l.i+1+n]
			l.line += bytes.Count(raw, []byte{'\n'})
			l.i += n + 2
			if l.mute {
				return tok, nil
			}
			tok.text = string(raw)
			if bytes.IndexByte(raw, '&') >= 0 {
				tok.text = html.UnescapeString(tok.text)
			}
			return tok, nil
		default:
			n := 1
			for l.i+n < len(l.text) && l.text[l.i+n] > ' ' && strings.IndexByte("[]\"", l.text[l.i+n]) < 0 {
				n++
			}
			tok = gmlToken{text: "a word", line: l.line}
			if !l.mute {
				tok.text = string(l.text[l.i : l.i+n])
			}
			l.i += n
			return tok, nil
		}
	}
	return gmlToken{line: l.line}, nil
}

func (t gmlToken) is(mark string) bool { return !t.quoted && t.text == mark }

func (t gmlToken) end() bool { return !t.quoted && t.text == "" }

// sniffGML requires the key graph and a bracket, perhaps after keys with values.
func sniffGML(head []byte) bool {
	l := gmlLexer{text: head}
	const most = 20 // keys before the graph
	for range most {
		key, err := l.token()
		if err != nil || key.quoted || key.end() {
			return false
		}
		value, err := l.token()
		if err != nil || value.end() {
			return false
		}
		if value.is("[") || value.is("]") {
			return key.text == "graph" && value.text == "["
		}
	}
	return false
}

// splitGML ends a record after the bracket that closes a top-level list.
func splitGML(data []byte) int {
	l := gmlLexer{text: data, mute: true}
	depth := 0
	for {
		tok, err := l.token()
		switch {
		case err != nil || tok.end():
			return -1
		case tok.is("["):
			depth++
		case tok.is("]"):
			if depth--; depth <= 0 {
				return l.i
			}
		}
	}
}
