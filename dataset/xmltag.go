package dataset

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

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
