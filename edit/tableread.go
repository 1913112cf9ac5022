package edit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/greedgraph/greed/internal/jsonwalk"
)

// errNull says that a null stands where a cost should.
var errNull = errors.New("null is no cost: leave out what is not given")

// UnmarshalJSON reads a table. Its maps, which may name as many labels as a text has room for, are read in one walk;
// the decoder of JSON takes twice the time. A label that is given twice, and a null, are errors.
func (t *Table) UnmarshalJSON(text []byte) error {
	type plain Table // all but the maps
	read := tableReader{jsonwalk.Walk{Text: text}}
	if kind := read.kind(); kind != "object" {
		return json.Unmarshal(text, (*plain)(t))
	}
	others := []byte{'{'}
	err := read.Each(func() (err error) {
		raw := read.Name()
		switch name := memberName(raw, false); name {
		case "insert":
			t.Insert, err = read.labels(name)
		case "delete":
			t.Delete, err = read.labels(name)
		case "substitute":
			t.Substitute, err = read.pairs(name)
		default:
			if len(others) > 1 {
				others = append(others, ',')
			}
			others = append(append(append(others, raw...), ':'), read.Value()...)
		}
		return err
	})
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(append(others, '}')))
	d.DisallowUnknownFields()
	return d.Decode((*plain)(t))
}

// tableReader goes through the text of a table.
type tableReader struct{ jsonwalk.Walk }

// kind names the kind of the next value, as the decoder of JSON does.
func (r *tableReader) kind() string {
	switch r.Next() {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "bool"
	case 'n':
		return "null"
	}
	return "number"
}

// labels reads the costs of labels.
func (r *tableReader) labels(member string) (map[string]float64, error) {
	return readMembers(r, member, func() (float64, error) {
		if kind := r.kind(); kind != "number" {
			return 0, wrongKind(kind, member, reflect.TypeFor[float64]())
		}
		raw := r.Value()
		x, err := strconv.ParseFloat(string(raw), 64)
		if err != nil {
			err = wrongKind("number "+string(raw), member, reflect.TypeFor[float64]())
		}
		return x, err
	})
}

// pairs reads the costs of pairs of labels.
func (r *tableReader) pairs(member string) (map[string]map[string]float64, error) {
	return readMembers(r, member, func() (map[string]float64, error) { return r.labels(member) })
}

// readMembers reads the object that is next.
func readMembers[T any](r *tableReader, member string, value func() (T, error)) (map[string]T, error) {
	if kind := r.kind(); kind != "object" {
		return nil, wrongKind(kind, member, reflect.TypeFor[map[string]T]())
	}
	all := make(map[string]T)
	return all, r.Each(func() error {
		raw := r.Name()
		x, err := value()
		if err != nil {
			return err
		}
		n := len(all)
		if all[memberName(raw, true)] = x; len(all) == n {
			return twice(raw)
		}
		return nil
	})
}

// wrongKind says that a member of a table has a value of a wrong kind; the decoder of JSON adds of which table.
func wrongKind(kind, member string, want reflect.Type) error {
	if kind == "null" {
		return errNull
	}
	return &json.UnmarshalTypeError{Value: kind, Type: want, Field: member}
}

func twice(name []byte) error {
	return fmt.Errorf("%q is given twice in one object; give it once", jsonwalk.String(name))
}
