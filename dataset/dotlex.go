package dataset

import (
	"bytes"
	"strings"
)

// dotToken is a token of the DOT language: an ID, or a punctuation mark or edge
// operator as its own text.
type dotToken struct {
	text string
	// id distinguishes an ID from punctuation; quoted says that it cannot be a keyword, and named
	// that it has \N or the like, for which Graphviz draws a name. glued says that it follows a
	// number or a name without anything between.
	id, quoted, named, glued bool
	line                     int
}

// dotLexer cuts DOT text into tokens (graphviz.org/doc/info/lang.html).
type dotLexer struct {
	text []byte
	i    int
	line int
	bare int // the end of the unquoted ID before
	// mute leaves the texts of IDs empty, where only their ends matter.
	mute bool
}

// token returns the next token, or one with no text at the end.
func (l *dotLexer) token() (dotToken, error) {
	if err := l.blank(); err != nil {
		return dotToken{}, err
	}
	tok := dotToken{line: l.line}
	if l.i == len(l.text) {
		return tok, nil
	}
	rest := l.text[l.i:]
	switch c := rest[0]; {
	case c == '"':
		return l.quotedID()
	case c == '<':
		return l.html()
	case bytes.HasPrefix(rest, []byte("->")), bytes.HasPrefix(rest, []byte("--")):
		tok.text = string(rest[:2])
	case strings.IndexByte("{}[]=;,:+", c) >= 0:
		tok.text = string(c)
	case dotBare(rest) > 0:
		n := dotBare(rest)
		tok.id, tok.glued = true, l.i > 0 && l.i == l.bare
		if !l.mute {
			tok.text = string(rest[:n])
		}
		l.i += n
		l.bare = l.i
		return tok, nil
	default:
		return tok, errAt(l.line, "found %s, expected a name, a brace, a bracket or an edge operator; names with "+
			"other characters need quotes", quoted(rest[:1]))
	}
	l.i += len(tok.text)
	return tok, nil
}

// dotBare returns the length of the unquoted ID at the start of a text: letters, digits, _ and
// bytes beyond ASCII that do not begin with a digit, or a number, which ends where it cannot go on.
func dotBare(text []byte) int {
	n := 0
	if dotLetter(text[0]) {
		for n < len(text) && (dotLetter(text[n]) || dotDigit(text[n])) {
			n++
		}
		return n
	}
	if text[0] == '-' {
		n++
	}
	start, point := n, 0
	for ; n < len(text) && (dotDigit(text[n]) || text[n] == '.' && point == 0); n++ {
		if text[n] == '.' {
			point = 1
		}
	}
	if n-start == point {
		return 0 // no digits
	}
	return n
}

func dotLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func dotDigit(c byte) bool { return c >= '0' && c <= '9' }

// blank skips blanks and comments. Those that begin with # are output of a preprocessor, but people
// write them anywhere, and Graphviz reads over them.
func (l *dotLexer) blank() error {
	for l.i < len(l.text) {
		rest := l.text[l.i:]
		switch {
		case rest[0] == '\n':
			l.line++
			l.i++
		case rest[0] <= ' ':
			l.i++
		case bytes.HasPrefix(rest, []byte("//")), rest[0] == '#':
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.i += n
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return errAt(l.line, "found /* without the */ that ends the comment")
			}
			l.line += bytes.Count(rest[:n], []byte{'\n'})
			l.i += n + 4
		default:
			return nil
		}
	}
	return nil
}

// quotedID reads a quoted string. In it, \" is a quote, \\ a backslash, and a backslash at
// the end of a line joins lines; other backslashes stay.
func (l *dotLexer) quotedID() (dotToken, error) {
	tok := dotToken{id: true, quoted: true, line: l.line}
	var s strings.Builder
	for i := l.i + 1; i < len(l.text); i++ {
		c := l.text[i]
		switch {
		case c == '"':
			tok.text = s.String()
			l.i = i + 1
			return tok, nil
		case c == '\\' && i+1 < len(l.text) && strings.IndexByte("\"\\\n", l.text[i+1]) >= 0:
			i++
			if l.text[i] == '\n' {
				l.line++
			} else if !l.mute {
				s.WriteByte(l.text[i])
			}
		default:
			if c == '\n' {
				l.line++
			}
			tok.named = tok.named || c == '\\' && i+1 < len(l.text) && strings.IndexByte("NGEHTL", l.text[i+1]) >= 0
			if !l.mute {
				s.WriteByte(c)
			}
		}
	}
	return tok, errAt(tok.line, "found an opening quote without the one that closes it")
}

// html reads a string in angle brackets, which nest.
func (l *dotLexer) html() (dotToken, error) {
	tok := dotToken{id: true, quoted: true, line: l.line}
	depth := 0
	for i := l.i; i < len(l.text); i++ {
		switch l.text[i] {
		case '\n':
			l.line++
		case '<':
			depth++
		case '>':
			depth--
			if depth == 0 {
				if !l.mute {
					tok.text = string(l.text[l.i+1 : i])
				}
				l.i = i + 1
				return tok, nil
			}
		}
	}
	return tok, errAt(tok.line, "found < without the > that closes it")
}

// splitDOT ends a record after the brace that closes a graph.
func splitDOT(data []byte) int {
	l := dotLexer{text: data, mute: true}
	depth := 0
	for {
		tok, err := l.token()
		if err != nil {
			// Either more text follows, or the parser reports the error; a stray character
			// does not hide the end.
			if l.i >= len(data) || strings.IndexByte("\"<", data[l.i]) >= 0 ||
				bytes.HasPrefix(data[l.i:], []byte("/*")) {
				return -1
			}
			l.i++
			continue
		}
		switch {
		case !tok.id && tok.text == "":
			return -1
		case !tok.id && tok.text == "{":
			depth++
		case !tok.id && tok.text == "}":
			depth--
			if depth <= 0 {
				return l.i
			}
		}
	}
}
