package dataset

import (
	"bytes"
	"io"
)

// maxXMLDepth bounds the nesting of elements, of which no format here needs much, and
// maxXMLAttrs the attributes in a tag.
const (
	maxXMLDepth = 256
	maxXMLAttrs = 256
)

// xmlScan reads XML element by element, with line numbers and within the limit of a
// record. It accepts what package encoding/xml accepts in strict mode. It allocates a
// tenth of that: names once, and otherwise only the values of attributes.
type xmlScan struct {
	in    *input
	src   *xmlSource
	names map[string]string
	open  []xmlOpen
	attrs []xmlAttr // of the elements that are open
	// scratch holds texts with entities.
	scratch []byte
	// closing says that the element just opened has no end tag.
	closing bool
	// broken says that an error was met after which nothing can be read.
	broken bool
}

// xmlToken is what a text is cut into.
type xmlToken int8

const (
	xmlStart xmlToken = iota
	xmlEnd
	xmlChars // text between tags
)

func newXMLScan(in *input, e *env) *xmlScan {
	return &xmlScan{in: in, src: newXMLSource(in.r, e), names: make(map[string]string)}
}

func (x *xmlScan) line() int { return x.src.line() }

// syntax is an error of the text.
func (x *xmlScan) syntax(format string, args ...any) error {
	return errAt(x.line(), "XML: "+format, args...)
}

// cut is the error of a text that ends too early, or that of the stream.
func (x *xmlScan) cut() error {
	if x.src.err == io.EOF {
		return x.syntax("unexpected EOF")
	}
	return x.src.err
}

// token returns the next start tag, end tag or text, and skips comments, instructions
// and declarations. Texts are valid until the next call, tags until their element ends.
// Mistakes in the text are lineErrors; io.EOF comes after the last element.
func (x *xmlScan) token() (what xmlToken, tag xmlTag, chars []byte, err error) {
	what, tag, chars, err = x.next()
	x.broken = x.broken || err != nil
	return what, tag, chars, err
}

func (x *xmlScan) next() (what xmlToken, tag xmlTag, chars []byte, err error) {
	if x.closing {
		x.closing = false
		x.pop()
		return xmlEnd, tag, nil, nil
	}
	for {
		if n := x.src.i - x.src.start; n > x.src.limit {
			return 0, tag, nil, x.src.oversized()
		}
		if !x.src.has(1) {
			if x.src.err == io.EOF && len(x.open) > 0 {
				return 0, tag, nil, x.cut()
			}
			return 0, tag, nil, x.src.err
		}
		if x.src.at(0) != '<' {
			chars, err = x.chars()
			return xmlChars, tag, chars, err
		}
		if !x.src.has(2) {
			return 0, tag, nil, x.cut()
		}
		switch x.src.at(1) {
		case '/':
			return xmlEnd, tag, nil, x.endTag()
		case '?':
			err = x.instruction()
		case '!':
			var section bool
			if chars, section, err = x.declaration(); section && err == nil {
				return xmlChars, tag, chars, nil
			}
		default:
			tag, err = x.startTag()
			return xmlStart, tag, nil, err
		}
		if err != nil {
			return 0, tag, nil, err
		}
	}
}

// chars reads text up to the next tag.
func (x *xmlScan) chars() ([]byte, error) {
	n := x.src.find("<", 0)
	if n < 0 {
		if x.src.err != io.EOF {
			return nil, x.src.err
		}
		n = len(x.src.buf) - x.src.i
	}
	raw := x.take(n)
	if bytes.Contains(raw, []byte("]]>")) {
		return nil, x.syntax("found ]]> outside a CDATA section")
	}
	if len(x.open) == 0 {
		return nil, x.check(raw)
	}
	return x.unescape(raw)
}

// take consumes n bytes.
func (x *xmlScan) take(n int) []byte {
	raw := x.src.buf[x.src.i : x.src.i+n]
	x.src.i += n
	return raw
}
