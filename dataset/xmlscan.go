package dataset

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"unicode/utf8"
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

// xmlOpen is an element whose end was not met yet.
type xmlOpen struct {
	name  string // with its prefix
	attrs int    // where its attributes start
}

// xmlTag is a start tag. Prefixes are cut off the names, but for those of
// attributes that declare them, which are left out.
type xmlTag struct {
	name  string
	attrs []xmlAttr
}

type xmlAttr struct{ name, value string }

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

// instruction skips <? ... ?>.
func (x *xmlScan) instruction() error {
	n := x.src.find("?>", 2)
	if n < 0 {
		return x.cut()
	}
	raw := x.take(n + 2)
	body := raw[2:n]
	name := body[:nameLength(body)]
	if len(name) == 0 {
		return x.syntax("expected a name after <?")
	}
	if string(name) != "xml" {
		return nil
	}
	if version := pseudoAttribute(body, "version"); version != "" && version != "1.0" {
		return x.syntax("version %s is not known, only 1.0", quoted(version))
	}
	return x.src.encoding(pseudoAttribute(body, "encoding"))
}

// pseudoAttribute returns a value in an XML declaration, or "".
func pseudoAttribute(body []byte, name string) string {
	_, rest, ok := bytes.Cut(body, []byte(name+"="))
	if !ok || len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	value, _, ok := bytes.Cut(rest[1:], rest[:1])
	if !ok {
		return ""
	}
	return string(value)
}

// declaration skips a comment or a document type, and returns the text of a CDATA
// section. What a document type declares is not used: entities, with which small files
// become large ones, stay unknown.
func (x *xmlScan) declaration() (chars []byte, section bool, err error) {
	switch {
	case x.src.has(4) && string(x.src.buf[x.src.i:x.src.i+4]) == "<!--":
		return nil, false, x.comment()
	case x.src.has(9) && string(x.src.buf[x.src.i:x.src.i+9]) == "<![CDATA[":
		n := x.src.find("]]>", 9)
		if n < 0 {
			return nil, false, x.cut()
		}
		raw := x.take(n + 3)
		return raw[9:n], true, x.check(raw)
	}
	depth, quote := 0, byte(0)
	for i := 3; ; i++ { // the first byte is no quote, as in encoding/xml
		if !x.src.has(i + 1) {
			return nil, false, x.cut()
		}
		switch c := x.src.at(i); {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '<':
			if x.src.has(i+4) && string(x.src.buf[x.src.i+i:x.src.i+i+4]) == "<!--" {
				n := x.src.find("-->", i+4)
				if n < 0 {
					return nil, false, x.cut()
				}
				i = n + 2
				continue
			}
			depth++
		case c == '>' && depth > 0:
			depth--
		case c == '>':
			x.take(i + 1)
			return nil, false, nil
		}
	}
}

func (x *xmlScan) comment() error {
	n := x.src.find("--", 4)
	if n < 0 || !x.src.has(n+3) {
		return x.cut()
	}
	end := x.src.at(n + 2)
	x.take(n + 3)
	if end != '>' {
		return x.syntax("found -- inside a comment")
	}
	return nil
}

// startTag reads <name attribute="value" ...> or the same with />.
func (x *xmlScan) startTag() (tag xmlTag, err error) {
	x.take(1)
	name, err := x.name()
	if err != nil {
		return tag, err
	}
	if len(x.open) == maxXMLDepth {
		return tag, errAt(x.line(), "elements are nested more than %d deep", maxXMLDepth)
	}
	first := len(x.attrs)
	for n := 0; ; n++ {
		if err := x.blanks(); err != nil {
			return tag, err
		}
		switch c := x.src.at(0); {
		case c == '>':
			x.take(1)
		case c == '/':
			if !x.src.has(2) {
				return tag, x.cut()
			}
			if x.src.at(1) != '>' {
				return tag, x.syntax("expected /> in element <%s>", shorten(name))
			}
			x.take(2)
			x.closing = true
		case n == maxXMLAttrs:
			return tag, errAt(x.line(), "found more than %d attributes in a tag", maxXMLAttrs)
		default:
			if err := x.attribute(); err != nil {
				return tag, err
			}
			continue
		}
		x.open = append(x.open, xmlOpen{name, first})
		return xmlTag{local(name), x.attrs[first:len(x.attrs):len(x.attrs)]}, nil
	}
}

// attribute reads name="value".
func (x *xmlScan) attribute() error {
	name, err := x.name()
	if err != nil {
		return err
	}
	if err := x.blanks(); err != nil {
		return err
	}
	if x.src.at(0) != '=' {
		return x.syntax("attribute %s has no value", shorten(name))
	}
	x.take(1)
	if err := x.blanks(); err != nil {
		return err
	}
	quote := x.src.at(0)
	if quote != '"' && quote != '\'' {
		return x.syntax("the value of attribute %s has no quotes", shorten(name))
	}
	n := x.src.find(string(quote), 1)
	if n < 0 {
		return x.cut()
	}
	raw := x.take(n + 1)[1:n]
	if bytes.IndexByte(raw, '<') >= 0 {
		return x.syntax("found < inside the value of attribute %s", shorten(name))
	}
	value, err := x.unescape(raw)
	if err != nil || name == "xmlns" || strings.HasPrefix(name, "xmlns:") {
		return err
	}
	x.attrs = append(x.attrs, xmlAttr{local(name), string(value)})
	return nil
}

// endTag reads </name>.
func (x *xmlScan) endTag() error {
	x.take(2)
	name, err := x.name()
	if err != nil {
		return err
	}
	if err := x.blanks(); err != nil {
		return err
	}
	if x.src.at(0) != '>' {
		return x.syntax("expected > at the end of </%s", shorten(name))
	}
	if len(x.open) == 0 {
		return x.syntax("found </%s>, but no element is open", shorten(name))
	}
	if want := x.open[len(x.open)-1].name; want != name {
		return x.syntax("element <%s> closed by </%s>", shorten(want), shorten(name))
	}
	x.take(1)
	x.pop()
	return nil
}

// pop closes the innermost element.
func (x *xmlScan) pop() {
	last := x.open[len(x.open)-1]
	x.open = x.open[:len(x.open)-1]
	x.attrs = x.attrs[:last.attrs]
}

// blanks skips blanks. Something must follow.
func (x *xmlScan) blanks() error {
	for {
		if !x.src.has(1) {
			return x.cut()
		}
		if c := x.src.at(0); c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return nil
		}
		x.take(1)
	}
}

// name reads the name of an element or an attribute.
func (x *xmlScan) name() (string, error) {
	n := 0
	for {
		n += nameLength(x.src.buf[x.src.i+n:])
		if x.src.i+n < len(x.src.buf) {
			break
		}
		if !x.src.more() {
			return "", x.cut()
		}
	}
	raw := x.take(n)
	if name, ok := x.names[string(raw)]; ok {
		return name, nil
	}
	if n == 0 || raw[0] >= '0' && raw[0] <= '9' || raw[0] == '-' || raw[0] == '.' {
		return "", x.syntax("expected a name, found %s", quoted(x.src.buf[x.src.i-n:min(x.src.i+1, len(x.src.buf))]))
	}
	if !utf8.Valid(raw) {
		return "", x.syntax("the name %s is not UTF-8", quoted(raw))
	}
	name := string(raw)
	if len(x.names) < maxXMLNames {
		x.names[name] = name
	}
	return name, nil
}

// maxXMLNames is how many names are kept.
const maxXMLNames = 1 << 12

// nameLength returns how many bytes of a name text starts with.
func nameLength(text []byte) int {
	for i, c := range text {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == ':' || c == '-' || c == '.' || c >= 0x80) {
			return i
		}
	}
	return len(text)
}

// local cuts the prefix off a name.
func local(name string) string {
	if i := strings.IndexByte(name, ':'); i > 0 && i+1 < len(name) {
		return name[i+1:]
	}
	return name
}

// children calls visit for each element inside the current one, whose start tag was
// just read, until its end tag. visit must read the element to its end, with children,
// text or skip. Text in between is ignored.
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

// leave reads to the end of the element that made the depth, unless an error has ended
// reading.
func (x *xmlScan) leave(depth int) error {
	for !x.broken && len(x.open) >= depth {
		if _, _, _, err := x.token(); err != nil {
			return err
		}
	}
	return nil
}

// content returns the text of the current element and reads to its end. The text
// of elements inside is left out.
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

// attribute returns the value of an attribute of a start tag, or "".
func (t xmlTag) attribute(name string) string {
	value, _ := t.lookup(name)
	return value
}

func (t xmlTag) lookup(name string) (value string, ok bool) {
	for _, a := range t.attrs {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

// needAttribute is attribute for one that must be there.
func (x *xmlScan) needAttribute(tag xmlTag, name string) (string, error) {
	value, ok := tag.lookup(name)
	if !ok {
		return "", errAt(x.line(), "element <%s> has no attribute %q", shorten(tag.name), name)
	}
	return value, nil
}

// rootElement returns the name of the first element of a text that starts like
// XML, or "".
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
