package edit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// ParseCosts reads the JSON form of [Costs]; weights that are not given are 1. An
// error wraps [ErrCosts]. A byte order mark, which some editors write, is no part of the text.
func ParseCosts(text []byte) (Costs, error) {
	costs := Uniform()
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&costs); err != nil {
		return Costs{}, fmt.Errorf("%w: %w", ErrCosts, costsFault(err))
	}
	if _, err := d.Token(); err != io.EOF {
		return Costs{}, fmt.Errorf("%w: more text after the JSON object", ErrCosts)
	}
	if err := ambiguous(text); err != nil {
		return Costs{}, fmt.Errorf("%w: %w", ErrCosts, err)
	}
	return costs, costs.Check()
}

// ambiguous returns an error if a valid JSON text is or has a null, or an object that names a member twice. The
// decoder of costs passes over the one and takes the last of the other without a word, and in either case of letters,
// unless members are labels.
func ambiguous(text []byte) error {
	w := jsonWalk{text: text}
	return w.value(false)
}

// jsonWalk goes through a valid JSON text, of which at is the next byte.
type jsonWalk struct {
	text []byte
	at   int
}

// value goes past the next value. labels says that the members of objects are labels.
func (w *jsonWalk) value(labels bool) error {
	switch start := w.next(); start {
	case 'n':
		return errors.New("null is no cost: leave out what is not given")
	case '"':
		w.string()
	case '{', '[':
		w.at++
		return w.members(start == '{', labels)
	default: // a number or a truth value
		for w.at < len(w.text) && !strings.ContainsRune(",]} \t\r\n", rune(w.text[w.at])) {
			w.at++
		}
	}
	return nil
}

// members goes to the end of an object or a list.
func (w *jsonWalk) members(object, labels bool) error {
	name := func(raw []byte) string {
		if labels {
			return textOf(raw)
		}
		return strings.ToLower(strings.ToUpper(textOf(raw)))
	}
	var first []byte // most objects of a table have one member
	var names map[string]bool
	for n := 0; ; n++ {
		switch w.next() {
		case '}', ']':
			w.at++
			return nil
		case ',':
			w.at++
			w.next()
		}
		within := labels
		if object {
			raw := w.string()
			switch {
			case n == 0:
				first = raw
			case n == 1:
				names = map[string]bool{name(first): true}
				fallthrough
			default:
				if names[name(raw)] {
					return fmt.Errorf("%q is given twice in one object; give it once", textOf(raw))
				}
				names[name(raw)] = true
			}
			if !labels {
				within = slices.Contains([]string{"insert", "delete", "substitute"}, name(raw))
			}
			w.next()
			w.at++ // the colon
		}
		if err := w.value(within); err != nil {
			return err
		}
	}
}

// next goes past blanks and returns the byte there.
func (w *jsonWalk) next() byte {
	for w.text[w.at] <= ' ' {
		w.at++
	}
	return w.text[w.at]
}

// string goes past a text and returns it, with its quotes.
func (w *jsonWalk) string() []byte {
	begin := w.at
	for w.at++; w.text[w.at] != '"'; w.at++ {
		if w.text[w.at] == '\\' {
			w.at++
		}
	}
	w.at++
	return w.text[begin:w.at]
}

// textOf returns what a valid JSON string says.
func textOf(raw []byte) (text string) {
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1 : len(raw)-1])
	}
	_ = json.Unmarshal(raw, &text) // it is valid
	return text
}

// costsFault says what is wrong with the text of costs in words of the text.
func costsFault(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the text is empty, want a JSON object")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the JSON object has no end")
	case errors.As(err, &kind):
		if text, ok := strings.CutPrefix(kind.Value, "number "); ok {
			return fmt.Errorf("%s is %s, want at most %v", kind.Field, text, float64(MaxCost))
		}
		want := "a JSON object"
		if kind.Type.Kind() == reflect.Float64 {
			want = "a number"
		}
		if kind.Field == "" {
			return fmt.Errorf("a JSON %s, want %s", kind.Value, want)
		}
		return fmt.Errorf("%s is a JSON %s, want %s", kind.Field, kind.Value, want)
	}
	return err
}
