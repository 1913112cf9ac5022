package operation

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
)

// Decode reads an object of JSON, each member into the field of its name of one of some structs, to which
// the values are pointers. A member that none of them has, or that comes twice, is an [Error] that names it,
// and so is one of another type.
func Decode(text []byte, into ...any) error {
	err := decode(text, membersOf(into))
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func decode(text []byte, members map[string]reflect.Value) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	first, err := d.Token()
	if err != nil {
		return Misread(err)
	}
	if first != json.Delim('{') {
		return errors.New("want an object")
	}
	seen := make(map[string]bool)
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return Misread(err)
		}
		name := token.(string) // of a member
		field, ok := members[name]
		switch {
		case !ok:
			return unknownMember(name, members)
		case seen[name]:
			return wrong(name, "it is given twice; give it once")
		}
		seen[name] = true
		if err := d.Decode(field.Addr().Interface()); err != nil {
			err = Misread(err)
			if _, named := errors.AsType[*Error](err); !named && !errors.Is(err, io.ErrUnexpectedEOF) {
				err = wrong(name, "%v", err)
			}
			return err
		}
	}
	if _, err = d.Token(); err != nil {
		return Misread(err)
	}
	if _, err = d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one JSON object")
	}
	return nil
}

// unknownMember says that there is no member of a name, and how it is written if that differs by case alone.
func unknownMember(name string, members map[string]reflect.Value) error {
	for known := range members {
		if strings.EqualFold(known, name) {
			return wrong(name, "there is no such member; it is written %q", known)
		}
	}
	return wrong(name, "there is no such member")
}

// membersOf returns the fields of structs by their names in JSON. Of two of the same name the first counts.
func membersOf(structs []any) map[string]reflect.Value {
	members := make(map[string]reflect.Value)
	for _, s := range structs {
		addMembers(members, reflect.ValueOf(s).Elem())
	}
	return members
}

func addMembers(members map[string]reflect.Value, v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			addMembers(members, v.Field(i))
		case !f.IsExported() || name == "" || name == "-":
		case !members[name].IsValid():
			members[name] = v.Field(i)
		}
	}
}
