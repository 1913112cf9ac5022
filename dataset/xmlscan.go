package dataset

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxXMLDepth bounds the nesting of elements, which no format here needs much
// of.
const maxXMLDepth = 256

// xmlScan reads XML element by element, with line numbers and within the limit
// of a record.
type xmlScan struct {
	in    *input
	tape  *tape
	dec   *xml.Decoder
	depth int
}

func newXMLScan(in *input, limit int) *xmlScan {
	t := &tape{r: in.r, limit: limit}
	dec := xml.NewDecoder(t)
	dec.CharsetReader = decodeLatin1
	return &xmlScan{in: in, tape: t, dec: dec}
}

// line returns the line reached.
func (x *xmlScan) line() int {
	line, _ := x.dec.InputPos()
	return line
}

// token returns the next start tag, end tag or text. The syntax errors of
// package xml become lineErrors; errors of the stream stay what they are.
func (x *xmlScan) token() (xml.Token, error) {
	for {
		tok, err := x.dec.Token()
		if err != nil {
			return nil, x.explain(err)
		}
		switch tok.(type) {
		case xml.StartElement:
			if x.depth++; x.depth > maxXMLDepth {
				return nil, errAt(x.line(), "elements are nested more than %d deep", maxXMLDepth)
			}
			return tok, nil
		case xml.EndElement:
			x.depth--
			return tok, nil
		case xml.CharData:
			return tok, nil
		}
	}
}

func (x *xmlScan) explain(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case err == io.EOF:
		return io.EOF
	case errors.As(err, &syntax):
		return errAt(syntax.Line, "XML: %s", syntax.Msg)
	case errors.Is(err, ErrRecordTooLarge):
		return errAt(x.line(), "%w", err)
	case strings.HasPrefix(err.Error(), "xml:"):
		return errAt(x.line(), "XML: %s", strings.TrimPrefix(err.Error(), "xml: "))
	}
	return err
}

// children calls visit for each element inside the current one, whose start
// tag was just read, until its end tag. visit must read the element to its end:
// with children, text or skip. The text in between is passed over.
func (x *xmlScan) children(visit func(xml.StartElement) error) error {
	for {
		tok, err := x.token()
		if err != nil {
			return unexpectedEnd(x, err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if err := visit(t); err != nil {
				return err
			}
		case xml.EndElement:
			return nil
		}
	}
}

// skip reads to the end of the current element.
func (x *xmlScan) skip() error {
	return x.children(func(xml.StartElement) error { return x.skip() })
}

// text returns the text of the current element, without blanks around it, and
// reads to its end. Elements inside are passed to visit, or skipped.
func (x *xmlScan) text(visit func(xml.StartElement) error) (string, error) {
	var s bytes.Buffer
	for {
		tok, err := x.token()
		if err != nil {
			return "", unexpectedEnd(x, err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if visit == nil {
				err = x.skip()
			} else {
				err = visit(t)
			}
			if err != nil {
				return "", err
			}
		case xml.EndElement:
			return s.String(), nil
		case xml.CharData:
			s.Write(t)
		}
	}
}

func unexpectedEnd(x *xmlScan, err error) error {
	if err == io.EOF {
		return errAt(x.line(), "XML: the file ends inside an element")
	}
	return err
}

// attribute returns the value of an attribute of a start tag, or "".
func attribute(tag xml.StartElement, name string) string {
	for _, a := range tag.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// needAttribute is attribute for one that must be there.
func (x *xmlScan) needAttribute(tag xml.StartElement, name string) (string, error) {
	for _, a := range tag.Attr {
		if a.Name.Local == name {
			return a.Value, nil
		}
	}
	return "", errAt(x.line(), "element <%s> has no attribute %q", tag.Name.Local, name)
}

// rootElement returns the name of the first element of a text that starts like
// XML, or "".
func rootElement(head []byte) string {
	if !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte{'<'}) {
		return ""
	}
	dec := xml.NewDecoder(bytes.NewReader(head))
	dec.CharsetReader = decodeLatin1
	for {
		tok, err := dec.Token()
		if err != nil {
			return ""
		}
		if start, ok := tok.(xml.StartElement); ok {
			return start.Name.Local
		}
	}
}

// decodeLatin1 makes package xml read the two encodings that are common besides
// UTF-8.
func decodeLatin1(charset string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(charset) {
	case "us-ascii", "ascii":
		return r, nil
	case "iso-8859-1", "latin1":
		return &latin1{r: r}, nil
	}
	return nil, fmt.Errorf("xml: the encoding %q is not known: convert the file to UTF-8", charset)
}

// latin1 turns ISO 8859-1 into UTF-8.
type latin1 struct {
	r    io.Reader
	rest []byte
}

func (l *latin1) Read(p []byte) (int, error) {
	b, err := l.ReadByte()
	if err != nil || len(p) == 0 {
		return 0, err
	}
	p[0] = b
	return 1, nil
}

func (l *latin1) ReadByte() (byte, error) {
	if len(l.rest) > 0 {
		b := l.rest[0]
		l.rest = l.rest[1:]
		return b, nil
	}
	var one [1]byte
	if _, err := io.ReadFull(l.r, one[:]); err != nil {
		return 0, err
	}
	if one[0] < 0x80 {
		return one[0], nil
	}
	text := []byte(string(rune(one[0])))
	l.rest = text[1:]
	return text[0], nil
}
