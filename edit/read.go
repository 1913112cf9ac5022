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

	"github.com/greedgraph/greed/internal/jsonwalk"
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
	w := costsWalk{jsonwalk.Walk{Text: text}}
	return w.value(false)
}

// costsWalk goes through the text of costs.
type costsWalk struct{ jsonwalk.Walk }

// value goes past the next value. labels says that the members of objects are labels.
func (w *costsWalk) value(labels bool) error {
	switch w.Next() {
	case 'n':
		return errors.New("null is no cost: leave out what is not given")
	case '[':
		return w.Each(func() error { return w.value(labels) })
	case '{':
		return w.members(labels)
	}
	w.Value()
	return nil
}

// members goes past an object.
func (w *costsWalk) members(labels bool) error {
	name := func(raw []byte) string {
		text := string([]rune(jsonwalk.String(raw))) // decoding makes U+FFFD of each byte that is not Unicode
		if labels {
			return text
		}
		return strings.ToLower(strings.ToUpper(text))
	}
	var first []byte // most objects of a table have one member
	var names map[string]bool
	return w.Each(func() error {
		raw := w.Name()
		switch {
		case first == nil:
			first = raw
		case names == nil:
			names = map[string]bool{name(first): true}
			fallthrough
		default:
			if names[name(raw)] {
				return fmt.Errorf("%q is given twice in one object; give it once", jsonwalk.String(raw))
			}
			names[name(raw)] = true
		}
		return w.value(labels || slices.Contains([]string{"insert", "delete", "substitute"}, name(raw)))
	})
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
