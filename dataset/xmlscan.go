package dataset

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// maxXMLDepth limits the nesting of elements, of which no format here needs much, and
// maxXMLAttrs the attributes of a tag.
const (
	maxXMLDepth = 256
	maxXMLAttrs = 256
)

// xmlScan reads XML element by element, with line numbers and within the limit of a record.
// It ignores declarations in the document type: entities, by which small files become large,
// stay unknown.
type xmlScan struct {
	in  *input
	src *xmlSource
	dec *xml.Decoder
	// depth is the number of open elements.
	depth int
	// broken says that an error occurred after which nothing can be read.
	broken bool
}

// xmlToken is a token of XML.
type xmlToken int8

const (
	xmlStart xmlToken = iota
	xmlEnd
	xmlChars // text between tags
)

// xmlTag is a start tag, its name without the prefix.
type xmlTag struct {
	name  string
	attrs []xml.Attr
}

func newXMLScan(in *input, e *env) *xmlScan {
	x := &xmlScan{in: in, src: &xmlSource{env: e, in: in.r, limit: e.opt.maxRecord()}}
	x.dec = xml.NewDecoder(x.src)
	x.dec.CharsetReader = x.charset
	x.src.line = x.line
	return x
}

func (x *xmlScan) line() int {
	line, _ := x.dec.InputPos()
	return line
}

// mark starts a new record: it discards what was read.
func (x *xmlScan) mark() { x.src.forget(x.dec.InputOffset()) }

// sinceMark returns what was read since the mark.
func (x *xmlScan) sinceMark() []byte { return x.src.held[:x.dec.InputOffset()-x.src.from] }

// token returns the next start tag, end tag or text. It skips comments, processing
// instructions and declarations. Texts are valid until the next call. Errors in the text are
// lineErrors; io.EOF comes after the last element.
func (x *xmlScan) token() (what xmlToken, tag xmlTag, chars []byte, err error) {
	for {
		x.src.begin(x.dec.InputOffset())
		token, err := x.dec.Token()
		if err != nil {
			x.broken = true
			return 0, tag, nil, x.explain(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if x.depth++; x.depth > maxXMLDepth {
				x.broken = true
				return 0, tag, nil, errAt(x.line(), "elements are nested more than %d deep", maxXMLDepth)
			}
			return xmlStart, xmlTag{token.Name.Local, token.Attr}, nil, nil
		case xml.EndElement:
			x.depth--
			return xmlEnd, tag, nil, nil
		case xml.CharData:
			return xmlChars, tag, token, nil
		}
	}
}

// explain returns a lineError for an error in the text.
func (x *xmlScan) explain(err error) error {
	var syntax *xml.SyntaxError
	var at *lineError
	switch {
	case errors.As(err, &syntax):
		return errAt(syntax.Line, "XML: %s", syntax.Msg)
	case errors.Is(err, ErrRecordTooLarge):
		return errAt(x.line(), "%w", err)
	case errors.As(err, &at): // what encoding/xml says before it is superfluous
		return at
	case err == io.EOF:
		return err
	case strings.HasPrefix(err.Error(), "xml: "):
		return errAt(x.line(), "XML: %s", strings.TrimPrefix(err.Error(), "xml: "))
	}
	return err
}

// charset decodes the two encodings besides UTF-8 that are common in declarations.
func (x *xmlScan) charset(name string, _ io.Reader) (io.Reader, error) {
	switch strings.ToLower(name) {
	case "utf8", "us-ascii", "ascii":
	case "iso-8859-1", "latin1":
		x.src.latin1 = true
	default:
		return nil, errAt(x.line(), "XML: the encoding %s is not known: convert the file to UTF-8", quoted(name))
	}
	return x.src, nil
}

// attribute returns the value of an attribute of a start tag, or "".
func (t xmlTag) attribute(name string) string {
	value, _ := t.lookup(name)
	return value
}

func (t xmlTag) lookup(name string) (value string, ok bool) {
	for _, a := range t.attrs {
		if a.Name.Local == name && a.Name.Space != "xmlns" {
			return a.Value, true
		}
	}
	return "", false
}

// ends returns the values of the attributes that name the ends of an edge.
func (x *xmlScan) ends(tag xmlTag, source, target string) (from, to string, err error) {
	if from, err = x.needAttribute(tag, source); err == nil {
		to, err = x.needAttribute(tag, target)
	}
	return from, to, err
}

// needAttribute is attribute for a required one.
func (x *xmlScan) needAttribute(tag xmlTag, name string) (string, error) {
	value, ok := tag.lookup(name)
	if !ok {
		return "", errAt(x.line(), "element <%s> has no attribute %q", shorten(tag.name), name)
	}
	return value, nil
}

// children calls visit for each child of the current element, whose start tag was just read,
// up to its end tag. visit must read the child to its end, with children, text or skip. Text
// between children is ignored.
func (x *xmlScan) children(visit func(xmlTag) error) error {
	for {
		what, tag, _, err := x.token()
		if err != nil {
			return err
		}
		switch what {
		case xmlStart:
			if err := visit(tag); err != nil {
				return err
			}
		case xmlEnd:
			return nil
		}
	}
}

// skip reads to the end of the current element.
func (x *xmlScan) skip() error {
	return x.children(func(xmlTag) error { return x.skip() })
}

// leave reads to the end of the element at depth, unless an error has ended reading.
func (x *xmlScan) leave(depth int) error {
	for !x.broken && x.depth >= depth {
		if _, _, _, err := x.token(); err != nil {
			return err
		}
	}
	return nil
}

// content returns the text of the current element and reads to its end. It leaves out the
// text of elements inside.
func (x *xmlScan) content() (string, error) {
	var text string // the first piece, which mostly is the only one
	var more []byte
	for {
		what, _, chars, err := x.token()
		switch {
		case err != nil:
			return "", err
		case what == xmlStart:
			if err := x.skip(); err != nil {
				return "", err
			}
		case what == xmlEnd && more != nil:
			return string(more), nil
		case what == xmlEnd:
			return text, nil
		case text == "":
			text = string(chars)
		default:
			if more == nil {
				more = []byte(text)
			}
			more = appendTo(more, string(chars))
		}
	}
}

// rootElement returns the name of the first element of a text that begins like XML, or "".
func rootElement(head []byte) string {
	if !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte{'<'}) {
		return ""
	}
	x := newXMLScan(&input{r: bufio.NewReaderSize(bytes.NewReader(head), 16)}, newEnv(Options{}))
	for {
		what, tag, _, err := x.token()
		if err != nil {
			return ""
		}
		if what == xmlStart {
			return tag.name
		}
	}
}
