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

// ambiguous returns an error if a valid JSON text is or has a null, or an object that names a member twice, but for
// the labels of tables, which [Table.UnmarshalJSON] reads. The decoder of costs passes over the one and takes the last
// of the other without a word, and in either case of letters.
func ambiguous(text []byte) error {
	w := costsWalk{jsonwalk.Walk{Text: text}}
	return w.value()
}

// costsWalk goes through the text of costs.
type costsWalk struct{ jsonwalk.Walk }

// value goes past the next value.
func (w *costsWalk) value() error {
	switch w.Next() {
	case 'n':
		return errNull
	case '[':
		return w.Each(w.value)
	case '{':
		return w.members()
	}
	w.Value()
	return nil
}

// members goes past an object.
func (w *costsWalk) members() error {
	names := make(map[string]bool)
	return w.Each(func() error {
		raw := w.Name()
		name, n := memberName(raw, false), len(names)
		if names[name] = true; len(names) == n {
			return twice(raw)
		}
		if slices.Contains([]string{"insert", "delete", "substitute"}, name) && w.Next() == '{' {
			w.Value() // of labels
			return nil
		}
		return w.value()
	})
}

// memberName returns what decoding takes a written name for: a label as it is, other names in either case of letters.
// Each byte that is not Unicode becomes U+FFFD.
func memberName(raw []byte, label bool) string {
	text := jsonwalk.String(raw)
	if !utf8.ValidString(text) {
		text = string([]rune(text))
	}
	if label {
		return text
	}
	return strings.ToLower(strings.ToUpper(text))
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
