package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/greedgraph/greed/edit"
)

// CostsJSON are edit costs in a request: a name, or an object as in a file.
type CostsJSON struct{ text json.RawMessage }

// UnmarshalJSON keeps a copy of text, which costs reads.
func (c *CostsJSON) UnmarshalJSON(text []byte) error {
	c.text = bytes.Clone(text)
	return nil
}

// TransformSchema describes costs. The schema has no type, so that package edit checks
// them: its messages are better.
func (CostsJSON) TransformSchema(huma.Registry, *huma.Schema) *huma.Schema {
	weight := &huma.Schema{Type: huma.TypeNumber}
	table := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
	return &huma.Schema{
		Description: "Edit costs: " + listed() + ", or an object with weights, which are 1 where not given, and tables; without it uniform",
		Properties: map[string]*huma.Schema{
			"node_insert": weight, "node_delete": weight, "node_substitute": weight,
			"edge_insert": weight, "edge_delete": weight, "edge_substitute": weight,
			"nodes": table, "edges": table,
		},
		AdditionalProperties: false,
	}
}

// listed names the costs that have a name.
func listed() string { return strings.Join(edit.Names(), ", ") }

// read returns the costs: uniform without any.
func (c *CostsJSON) read() (edit.Costs, error) {
	if c == nil {
		return edit.Uniform(), nil
	}
	var name string
	if json.Unmarshal(c.text, &name) == nil {
		costs, known := edit.Named(name)
		if !known {
			return costs, problem(http.StatusUnprocessableEntity, "there are no costs named %q; there are %s", name, listed())
		}
		return costs, nil
	}
	costs, err := edit.ParseCosts(c.text)
	return costs, explain(err)
}
