package dataset

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// check returns an error if text holds what XML cannot hold.
func (x *xmlScan) check(text []byte) error {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= ' ' && c < utf8.RuneSelf || c == '\n' || c == '\t' || c == '\r' {
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return x.syntax("invalid UTF-8")
		}
		if !xmlRune(r) {
			return x.syntax("illegal character code %U", r)
		}
		i += n - 1
	}
	return nil
}

// xmlRune reports whether XML can hold a character (section 2.2 of XML 1.0).
func xmlRune(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= 0x10FFFF
}

// unescape checks text and replaces entities and the line ends of Windows. The
// result is valid until the next call.
func (x *xmlScan) unescape(text []byte) ([]byte, error) {
	if err := x.check(text); err != nil {
		return nil, err
	}
	if bytes.IndexByte(text, '&') < 0 && bytes.IndexByte(text, '\r') < 0 {
		return text, nil
	}
	out := x.scratch[:0]
	for len(text) > 0 {
		i := bytes.IndexAny(text, "&\r")
		if i < 0 {
			out = append(out, text...)
			break
		}
		out = append(out, text[:i]...)
		if text[i] == '\r' {
			out = append(out, '\n')
			text = bytes.TrimPrefix(text[i+1:], []byte{'\n'})
			continue
		}
		name, _, ok := bytes.Cut(text[i+1:min(len(text), i+1+longestEntity)], []byte{';'})
		if !ok {
			return nil, x.syntax("found & without an entity and ; behind it: %s", quoted(text[i:]))
		}
		r, ok := entity(name)
		if !ok {
			return nil, x.syntax("the entity %s is not known", quoted(text[i:i+len(name)+2]))
		}
		out = utf8.AppendRune(out, r)
		text = text[i+len(name)+2:]
	}
	x.scratch = out
	return out, nil
}

// longestEntity is longer than any entity that is known, with leading zeros.
const longestEntity = 32

// entity returns the character that an entity stands for: one of the five of
// XML, or one by its number.
func entity(name []byte) (rune, bool) {
	switch string(name) {
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "amp":
		return '&', true
	case "apos":
		return '\'', true
	case "quot":
		return '"', true
	}
	digits, ok := bytes.CutPrefix(name, []byte{'#'})
	base := 10
	if hex, ok := bytes.CutPrefix(digits, []byte{'x'}); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(string(digits), base, 32)
	return rune(n), ok && err == nil && n <= utf8.MaxRune && xmlRune(rune(n))
}
