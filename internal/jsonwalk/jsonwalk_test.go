package jsonwalk

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// texts draws a valid JSON text with blanks at random places, and what encoding/json makes of it.
func texts(t *rapid.T) ([]byte, any) {
	var value func(depth int) any
	text := rapid.StringOf(rapid.SampledFrom([]rune("ab\"\\/{}[],: \n\té€\U0001F600\u2028")))
	value = func(depth int) any {
		kinds := 6
		if depth == 0 {
			kinds = 4
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return nil
		case 1:
			return rapid.Bool().Draw(t, "truth")
		case 2:
			return rapid.Float64Range(-1e9, 1e9).Draw(t, "number")
		case 3:
			return text.Draw(t, "text")
		case 4:
			list := make([]any, rapid.IntRange(0, 3).Draw(t, "length"))
			for i := range list {
				list[i] = value(depth - 1)
			}
			return list
		}
		object := make(map[string]any)
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			object[text.Draw(t, "name")] = value(depth - 1)
		}
		return object
	}
	want := value(4)
	written, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "indented") {
		var b bytes.Buffer
		if err := json.Indent(&b, written, "\r\n", "\t "); err != nil {
			t.Fatal(err)
		}
		written = append([]byte("\n "), b.Bytes()...)
	}
	return written, want
}

// decode makes of the next value what encoding/json does.
func decode(t *rapid.T, w *Walk) (value any) {
	switch w.Next() {
	case '{':
		object := make(map[string]any)
		if err := w.Each(func() error {
			name := String(w.Name())
			object[name] = decode(t, w)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return object
	case '[':
		list := []any{}
		if err := w.Each(func() error { list = append(list, decode(t, w)); return nil }); err != nil {
			t.Fatal(err)
		}
		return list
	case '"':
		return String(w.Value())
	}
	if err := json.Unmarshal(w.Value(), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestWalkSeesWhatDecodingDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, want := texts(t)
		w := Walk{Text: text}
		if got := decode(t, &w); !reflect.DeepEqual(got, want) || w.Next() != 0 {
			t.Fatalf("%s: walked %v to byte %d, want %v", text, got, w.At, want)
		}
		whole := Walk{Text: text}
		if got := whole.Value(); string(got) != strings.TrimSpace(string(text)) {
			t.Fatalf("%q: the value is %q", text, got)
		}
	})
}

// TestElementsAndMembers: offsets are those of values.
func TestElementsAndMembers(t *testing.T) {
	var got []string
	list := Walk{Text: []byte(` [ 1, "a]" , [2,3],{}]`)}
	visit := func(w *Walk) func(value []byte, at int) error {
		return func(value []byte, at int) error {
			if string(w.Text[at:at+len(value)]) != string(value) {
				t.Errorf("%q is not at %d", value, at)
			}
			got = append(got, string(value))
			return nil
		}
	}
	err := list.Elements(visit(&list))
	object := Walk{Text: []byte(`{"a" : true,"b\"":{"c": [{}]} }`)}
	if err == nil {
		err = object.Members(func(name, value []byte, at int) error {
			got = append(got, string(name))
			return visit(&object)(value, at)
		})
	}
	want := []string{"1", `"a]"`, "[2,3]", "{}", `"a"`, "true", `"b\""`, `{"c": [{}]}`}
	if err != nil || !reflect.DeepEqual(got, want) || list.At != len(list.Text) || object.At != len(object.Text) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
