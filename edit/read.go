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
	if err := ambiguous(json.NewDecoder(bytes.NewReader(text)), false); err != nil {
		return Costs{}, fmt.Errorf("%w: %w", ErrCosts, err)
	}
	return costs, costs.Check()
}

// ambiguous returns an error if the next value of a valid JSON text is null, or has a null or an object
// that names a member twice. The decoder of costs passes over the one and takes the last of the other
// without a word, and in either case of letters, unless members are labels.
func ambiguous(d *json.Decoder, labels bool) error {
	start, _ := d.Token()
	switch start {
	case nil:
		return errors.New("null is no cost: leave out what is not given")
	case json.Delim('{'), json.Delim('['):
	default:
		return nil
	}
	named := make(map[string]bool)
	for d.More() {
		within := labels
		if start == json.Delim('{') {
			member, _ := d.Token()
			name := member.(string)
			if !labels {
				name = strings.ToLower(strings.ToUpper(name))
				within = name == "insert" || name == "delete" || name == "substitute"
			}
			if named[name] {
				return fmt.Errorf("%q is given twice in one object; give it once", member)
			}
			named[name] = true
		}
		if err := ambiguous(d, within); err != nil {
			return err
		}
	}
	_, _ = d.Token()
	return nil
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
