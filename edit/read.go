package edit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
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
	if name, is := repeated(json.NewDecoder(bytes.NewReader(text))); is {
		return Costs{}, fmt.Errorf("%w: %q is given twice in one object; give it once", ErrCosts, name)
	}
	for _, t := range []struct {
		name  string
		table *Table
	}{{"nodes", costs.Nodes}, {"edges", costs.Edges}} {
		if t.table == nil {
			continue
		}
		for a, row := range t.table.Substitute {
			if row == nil {
				return Costs{}, fmt.Errorf("%w: %s.substitute of %q is null, want a JSON object", ErrCosts, t.name, a)
			}
		}
	}
	return costs, costs.Check()
}

// repeated returns a member that an object names twice in the next value of a valid JSON text, and
// whether there is one. The decoder of costs takes the last without a word.
func repeated(d *json.Decoder) (name string, is bool) {
	start, _ := d.Token()
	if start != json.Delim('{') && start != json.Delim('[') {
		return "", false
	}
	named := make(map[any]bool)
	for d.More() {
		if start == json.Delim('{') {
			member, _ := d.Token()
			if named[member] {
				return member.(string), true
			}
			named[member] = true
		}
		if name, is := repeated(d); is {
			return name, true
		}
	}
	_, _ = d.Token()
	return "", false
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
