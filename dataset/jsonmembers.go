package dataset

import (
	"errors"
	"fmt"

	"github.com/greedgraph/greed/internal/jsonwalk"
)

// jsonRecords decodes the object in text, which begins at a line of a file, into its graphs:
// one or, where there may be several, those of a list of them.
func (e *env) jsonRecords(file string, text []byte, line int, several bool) ([]Record, error) {
	read := nodeLinkReader{text: text, line: line, raw: &e.raw}
	read.raw.reset(e, line)
	top, err := read.top()
	var list []Record
	switch {
	case err != nil:
	case several && top["graphs"].text != nil && top[nodesMember].text == nil:
		list, err = read.several(top["graphs"])
	default:
		list = make([]Record, 1)
		list[0], err = read.record(top)
	}
	if err != nil {
		return nil, e.bad(file, line, read.raw.id, text, err)
	}
	for i := range list {
		list[i].File = file
	}
	return list, nil
}

// elements calls visit for every value of a list.
func (r *nodeLinkReader) elements(name string, list jsonMember, visit func(value []byte, line int) error) error {
	if len(list.text) == 0 || list.text[0] != '[' {
		return errAt(r.lineAt(list.at), "JSON: expected a list %q", name)
	}
	walk := jsonwalk.Walk{Text: list.text}
	return walk.Elements(func(value []byte, at int) error { return visit(value, r.lineAt(list.at+at)) })
}

// jsonTop holds the members of an object that represent graphs.
type jsonTop map[string]jsonMember

// jsonMember is the value of a member and its offset in the text.
type jsonMember struct {
	text []byte
	at   int
}

func (r *nodeLinkReader) top() (top jsonTop, err error) {
	if err := checkJSON(r.text, r.line); err != nil {
		return top, err
	}
	if r.text[0] != '{' {
		return top, fmt.Errorf("JSON: found %s, expected an object with lists \"nodes\" and \"edges\"",
			jsonTypeName(r.text))
	}
	top = make(jsonTop)
	return top, top.read(jsonMember{r.text, 0})
}

// read takes the members of an object.
func (t jsonTop) read(object jsonMember) error {
	walk := jsonwalk.Walk{Text: object.text}
	return walk.Members(func(name, value []byte, at int) error {
		switch key := jsonString(name); key {
		case "directed", "graph", idMember, nodesMember, edgesMember, linksMember, "elements", "options", "attributes",
			namesMember, "graphs", "adjacency", "label", "metadata", "hyperedges":
			t[key] = jsonMember{value, object.at + at}
		}
		return nil
	})
}

// errNoGraph is the error of an object in none of the forms.
var errNoGraph = errors.New(`expected an object with "nodes" and "edges" (or "links"), as NetworkX writes`)
