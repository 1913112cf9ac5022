package server

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/greedgraph/greed/internal/jsonwalk"
)

// plainQuery returns a problem unless each parameter of the address is known and has
// exactly one value that is not empty. Of two values, one would be ignored.
func plainQuery(raw string, known, several []string) error {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return problem(http.StatusUnprocessableEntity, "the parameters in the address cannot be read: %v", err)
	}
	for name, list := range values {
		switch {
		case !slices.Contains(known, name):
			return problem(http.StatusUnprocessableEntity, "there is no parameter %q; there are %s", name,
				cmp.Or(strings.Join(known, ", "), "none"))
		case slices.Contains(list, ""):
			return problem(http.StatusUnprocessableEntity, "the parameter %q is empty; give it a value or leave it out",
				name)
		case len(list) > 1 && !slices.Contains(several, name):
			return problem(http.StatusUnprocessableEntity, "the parameter %q is given %d times; give it once", name,
				len(list))
		}
	}
	return nil
}

// plainConditions returns a problem if a request has a condition that is empty, or that is none of
// its operation: a change would be made without it.
func plainConditions(header http.Header, known []string) error {
	for _, name := range []string{"If-Match", "If-None-Match"} {
		switch values, given := header[name]; {
		case !given:
		case !slices.Contains(known, name):
			return problem(http.StatusUnprocessableEntity, "%s does not apply here: leave it out", name)
		case strings.TrimSpace(strings.Join(values, "")) == "":
			return problem(http.StatusUnprocessableEntity, "the header %s is empty; give it a value or leave it out",
				name)
		}
	}
	return nil
}

// plainBody returns a problem if a JSON text is not Unicode, or if an object in it has a member
// twice, one that differs from a known one by case alone, or an empty text where the schema wants
// one: encoding/json reads all that is not Unicode as one character, and takes the last member, and
// any case. The same goes for members of another type in objects that allow any member, such as graphs:
// a label that is a number would be read as no label. Unknown members are refused elsewhere, and so are
// other types and invalid JSON.
func plainBody(text []byte, schema *huma.Schema, schemas huma.Registry) error {
	switch {
	case !utf8.Valid(text):
		return problem(http.StatusUnprocessableEntity, "the body is not UTF-8")
	case !json.Valid(text):
		return nil
	}
	w := walk{Walk: jsonwalk.Walk{Text: text}, schemas: schemas}
	if err := w.value(schema); err != nil || w.half == "" {
		return err
	}
	return problem(http.StatusUnprocessableEntity, "%s is half of a surrogate pair, which is no character", w.half)
}

// walk goes through a JSON text.
type walk struct {
	jsonwalk.Walk
	schemas huma.Registry
	names   []string // members so far of the objects that are open, the innermost last
	half    string   // an escape that is half of a surrogate pair
}

// few is how many members are compared one by one. A set would cost more.
const few = 16

// value goes past the next value.
func (w *walk) value(schema *huma.Schema) error {
	for schema != nil && schema.Ref != "" {
		schema = w.schemas.SchemaFromRef(schema.Ref)
	}
	switch w.Next() {
	case '{':
		return w.object(schema)
	case '[':
		var items *huma.Schema
		if schema != nil {
			items = schema.Items
		}
		return w.Each(func() error { return w.value(items) })
	case '"':
		w.whole(w.Value())
	default:
		w.Value()
	}
	return nil
}

// whole looks for halves of surrogate pairs in a string.
func (w *walk) whole(text []byte) {
	for {
		at := bytes.IndexByte(text, '\\')
		if at < 0 {
			return
		}
		text = text[at:]
		switch first := unit(text); {
		case !utf16.IsSurrogate(first):
			text = text[2:]
		case utf16.DecodeRune(first, unit(text[escape:])) == utf8.RuneError:
			w.half = cmp.Or(w.half, string(text[:escape]))
			text = text[2:]
		default:
			text = text[2*escape:]
		}
	}
}

// escape is the length of an escaped UTF-16 unit, such as \u00e9.
const escape = 6

// unit returns the UTF-16 unit that a text begins with, escaped, or -1.
func unit(text []byte) rune {
	if !bytes.HasPrefix(text, []byte(`\u`)) {
		return -1
	}
	n, _ := strconv.ParseUint(string(text[2:escape]), 16, 16) // it is valid
	return rune(n)
}

func (w *walk) object(schema *huma.Schema) error {
	first := len(w.names)
	var many map[string]bool
	err := w.Each(func() error {
		written := w.Name()
		w.whole(written)
		name := jsonwalk.String(written)
		twice := many[name]
		if many == nil {
			twice = slices.Contains(w.names[first:], name)
		}
		if twice {
			return problem(http.StatusUnprocessableEntity, "the member %q is given twice; give it once", name)
		}
		if w.names = append(w.names, name); many != nil {
			many[name] = true
		} else if len(w.names)-first > few {
			many = make(map[string]bool)
			for _, n := range w.names[first:] {
				many[n] = true
			}
		}
		inner, err := member(schema, name)
		if err != nil {
			return err
		}
		kind := kindOf(w.Next())
		if bytes.HasPrefix(w.Text[w.At:], []byte(`""`)) && inner != nil && inner.MinLength != nil {
			return problem(http.StatusUnprocessableEntity, "the member %q is empty; give it a value or leave it out",
				name)
		}
		if schema != nil && schema.AdditionalProperties == true && inner != nil &&
			inner.Type != "" && kind != inner.Type && kind != none {
			return problem(http.StatusUnprocessableEntity, "the member %q is of the type %s, and not %s", name, kind,
				inner.Type)
		}
		return w.value(inner)
	})
	w.names = w.names[:first]
	return err
}

// none is the type of null.
const none = "null"

// kindOf returns the type of the value that begins with a byte.
func kindOf(first byte) string {
	switch first {
	case '"':
		return huma.TypeString
	case '{':
		return huma.TypeObject
	case '[':
		return huma.TypeArray
	case 't', 'f':
		return huma.TypeBoolean
	case 'n':
		return none
	}
	return huma.TypeNumber
}

// member returns the schema of a member. Names in objects that allow any member, such
// as attributes, may differ by case.
func member(schema *huma.Schema, name string) (*huma.Schema, error) {
	if schema == nil {
		return nil, nil
	}
	if known := schema.Properties[name]; known != nil {
		return known, nil
	}
	if closed, ok := schema.AdditionalProperties.(bool); ok && !closed {
		for known := range schema.Properties {
			if strings.EqualFold(known, name) {
				return nil, problem(http.StatusUnprocessableEntity, "there is no member %q; it is written %q", name,
					known)
			}
		}
	}
	return nil, nil
}

// contentOf returns the schema of an operation's body, the parameters of its address, those that
// may be there several times, and its headers.
func contentOf(api huma.API, op *huma.Operation) (body *huma.Schema, known, several, headers []string) {
	item := api.OpenAPI().Paths[op.Path]
	described := map[string]*huma.Operation{
		http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPut: item.Put, http.MethodDelete: item.Delete,
	}[op.Method]
	if described.RequestBody != nil && described.RequestBody.Content[typeJSON] != nil {
		body = described.RequestBody.Content[typeJSON].Schema
	}
	for _, p := range described.Parameters {
		if p.In == "header" {
			headers = append(headers, p.Name)
		}
		if p.In != "query" {
			continue
		}
		if known = append(known, p.Name); p.Schema.Type == huma.TypeArray {
			several = append(several, p.Name)
		}
	}
	return body, known, several, headers
}
