package server

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/greedgraph/greed/edit"
)

// CostsJSON describes [operation.Costs] to clients.
type CostsJSON struct{}

// TransformSchema describes costs. The schema has no type, so that package edit checks
// them: its messages are better.
func (CostsJSON) TransformSchema(huma.Registry, *huma.Schema) *huma.Schema {
	weight := &huma.Schema{Type: huma.TypeNumber}
	table := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
	return &huma.Schema{
		Description: "Edit costs: " + listed() + ", or an object with weights, which are 1 where not given, and tables",
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
