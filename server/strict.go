package server

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
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
			return problem(http.StatusUnprocessableEntity, "there is no parameter %q; there are %s", name, strings.Join(known, ", "))
		case slices.Contains(list, ""):
			return problem(http.StatusUnprocessableEntity, "the parameter %q is empty; give it a value or leave it out", name)
		case len(list) > 1 && !slices.Contains(several, name):
			return problem(http.StatusUnprocessableEntity, "the parameter %q is given %d times; give it once", name, len(list))
		}
	}
	return nil
}

// plainBody returns a problem if an object in a JSON text has a member twice, one that
// differs from a known one by case alone, or a form of a query that is empty:
// encoding/json takes the last, and any case. Unknown members are refused elsewhere, and so is invalid JSON.
func plainBody(text []byte, schema *huma.Schema, schemas huma.Registry) error {
	if !json.Valid(text) {
		return nil
	}
	w := walk{text: string(text), schemas: schemas}
	return w.value(schema)
}

// walk goes through a JSON text that [json.Valid] accepts.
type walk struct {
	text    string
	at      int
	schemas huma.Registry
	names   []string // members so far of the objects that are open, the innermost last
}

// few is how many members are compared one by one. A set would cost more.
const few = 16

func (w *walk) space() {
	for strings.IndexByte(" \t\r\n", w.text[w.at]) >= 0 {
		w.at++
	}
}

// value skips a value and the space before it.
func (w *walk) value(schema *huma.Schema) error {
	for schema != nil && schema.Ref != "" {
		schema = w.schemas.SchemaFromRef(schema.Ref)
	}
	w.space()
	switch w.text[w.at] {
	case '{':
		return w.object(schema)
	case '[':
		return w.array(schema)
	case '"':
		w.quoted()
	default:
		for w.at < len(w.text) && strings.IndexByte(",]} \t\r\n", w.text[w.at]) < 0 {
			w.at++
		}
	}
	return nil
}

// quoted skips a string and returns it as written, between the quotes.
func (w *walk) quoted() string {
	w.at++
	begin := w.at
	for ; w.text[w.at] != '"'; w.at++ {
		if w.text[w.at] == '\\' {
			w.at++
		}
	}
	w.at++
	return w.text[begin : w.at-1]
}

func (w *walk) array(schema *huma.Schema) error {
	var items *huma.Schema
	if schema != nil {
		items = schema.Items
	}
	for w.at++; ; w.at++ {
		if w.space(); w.text[w.at] == ']' {
			break
		}
		if err := w.value(items); err != nil {
			return err
		}
		if w.space(); w.text[w.at] == ']' {
			break
		}
	}
	w.at++
	return nil
}

func (w *walk) object(schema *huma.Schema) error {
	first := len(w.names)
	var many map[string]bool
	for w.at++; ; w.at++ {
		if w.space(); w.text[w.at] == '}' {
			break
		}
		name := w.quoted()
		if strings.IndexByte(name, '\\') >= 0 {
			_ = json.Unmarshal([]byte(`"`+name+`"`), &name) // it is valid
		}
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
		w.space()
		w.at++ // the colon
		if w.space(); strings.HasPrefix(w.text[w.at:], `""`) && isForm(schema, name) {
			return problem(http.StatusUnprocessableEntity, "the member %q is empty; give it a value or leave it out", name)
		}
		if err := w.value(inner); err != nil {
			return err
		}
		if w.space(); w.text[w.at] == '}' {
			break
		}
	}
	w.at++
	w.names = w.names[:first]
	return nil
}

// isForm reports whether a member is one of the forms of a query, of which exactly one is
// required: an empty one beside another would be ignored.
func isForm(schema *huma.Schema, name string) bool {
	return schema != nil && schema.Properties["smiles"] != nil && (name == "id" || slices.Contains(forms, name))
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
				return nil, problem(http.StatusUnprocessableEntity, "there is no member %q; it is written %q", name, known)
			}
		}
	}
	return nil, nil
}

// contentOf returns the schema of an operation's body, the parameters of its address, and
// those that may be there several times.
func contentOf(api huma.API, op *huma.Operation) (body *huma.Schema, known, several []string) {
	item := api.OpenAPI().Paths[op.Path]
	described := map[string]*huma.Operation{
		http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPut: item.Put, http.MethodDelete: item.Delete,
	}[op.Method]
	if described.RequestBody != nil && described.RequestBody.Content[typeJSON] != nil {
		body = described.RequestBody.Content[typeJSON].Schema
	}
	for _, p := range described.Parameters {
		if p.In != "query" {
			continue
		}
		if known = append(known, p.Name); p.Schema.Type == huma.TypeArray {
			several = append(several, p.Name)
		}
	}
	return body, known, several
}
