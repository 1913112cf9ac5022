// Package jsonwalk goes through JSON texts without decoding them. It takes no memory but for the texts that are
// asked for.
package jsonwalk

import (
	"bytes"
	"encoding/json"
)

// Walk is a place in a text that [json.Valid] accepts; for others it panics. It returns values as they are written, as
// parts of the text.
type Walk struct {
	Text []byte
	At   int // the next byte
}

// Next skips blanks and returns the byte there, or 0 at the end.
func (w *Walk) Next() byte {
	for ; w.At < len(w.Text); w.At++ {
		if c := w.Text[w.At]; c > ' ' {
			return c
		}
	}
	return 0
}

// Value takes the next value.
func (w *Walk) Value() []byte {
	first := w.Next()
	start := w.At
	switch first {
	case '"':
		w.skipString()
	case '{', '[':
		var n Nesting
		for n.Step(first); n.Depth > 0; n.Step(w.Text[w.At]) {
			w.At++
		}
		w.At++
	default:
		for w.At < len(w.Text) && w.Text[w.At] > ' ' && bytes.IndexByte([]byte(",]}"), w.Text[w.At]) < 0 {
			w.At++
		}
	}
	return w.Text[start:w.At]
}

func (w *Walk) skipString() {
	for w.At++; w.Text[w.At] != '"'; w.At++ {
		if w.Text[w.At] == '\\' {
			w.At++
		}
	}
	w.At++
}

// Name takes the name of a member, with its quotes, and the colon after it.
func (w *Walk) Name() []byte {
	name := w.Value()
	w.Next()
	w.At++
	return name
}

// Each goes past the list or object that is next. It calls take at each item, up to the first error; take goes
// past a value or, in an object, a name and a value.
func (w *Walk) Each(take func() error) error {
	w.Next()
	w.At++
	for {
		switch w.Next() {
		case ']', '}':
			w.At++
			return nil
		case ',':
			w.At++
			continue
		}
		if err := take(); err != nil {
			return err
		}
	}
}

// Elements calls visit for each value of the list that is next, with its offset in the text, up to the first error.
func (w *Walk) Elements(visit func(value []byte, at int) error) error {
	return w.Each(func() error {
		at := w.At
		return visit(w.Value(), at)
	})
}

// Members calls visit for each member of the object that is next, with the offset of its value in the text, up to the
// first error. Names have their quotes.
func (w *Walk) Members(visit func(name, value []byte, at int) error) error {
	return w.Each(func() error {
		name := w.Name()
		w.Next()
		at := w.At
		return visit(name, w.Value(), at)
	})
}

// String returns what a string says that is written with quotes. Bytes that are not Unicode stay as they are where
// nothing is escaped; elsewhere each becomes U+FFFD.
func String(written []byte) string {
	if bytes.IndexByte(written, '\\') < 0 {
		return string(written[1 : len(written)-1])
	}
	var text string
	_ = json.Unmarshal(written, &text) // it is valid
	return text
}

// Is reports whether a string that is written with quotes says a text, as [String] reads it.
func Is(written []byte, text string) bool {
	if bytes.IndexByte(written, '\\') < 0 {
		return string(written[1:len(written)-1]) == text
	}
	return String(written) == text
}

// Nesting follows how deep a JSON text is nested, byte by byte. The text need not be valid.
type Nesting struct {
	Depth             int // of open objects and lists
	inString, escaped bool
}

// Step takes the next byte and returns +1 if it opens an object or list, -1 if it closes one, else 0.
func (n *Nesting) Step(b byte) int {
	switch {
	case n.escaped:
		n.escaped = false
	case n.inString:
		n.escaped, n.inString = b == '\\', b != '"'
	case b == '"':
		n.inString = true
	case b == '{' || b == '[':
		n.Depth++
		return 1
	case b == '}' || b == ']':
		n.Depth--
		return -1
	}
	return 0
}
