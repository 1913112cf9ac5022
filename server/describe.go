package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/help"
	"github.com/greedgraph/greed/operation"
)

// schemaName returns the name of a type's schema, which generated clients use.
func schemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if plain, ok := plainNames[t.String()]; ok {
		return plain
	}
	return strings.TrimSuffix(huma.DefaultSchemaNamer(t, hint), "JSON")
}

// plainNames are the names of schemas that differ from those of their types.
var plainNames = map[string]string{
	"edit.Default": "CostsDefault", "diff.Change": "DiffChange", "diff.Group": "DiffGroup", "edit.Operation": "Edit",
	"edit.Part": "CostsPart", "edit.Table": "CostsTable",
	"greed.Comparison": "Distance", "greed.Difference": "Diff", "greed.Plane": "Map",
	"operation.VectorAnswers": "Vectors",
	"greed.Seconds":           "SearchSeconds", "search.Stats": "SearchStats", "huma.ErrorDetail": "ProblemDetail",
	"server.Checked": "CheckedAnswer", "server.CostsJSON": "CostsChoice", "server.Info": "Collection",
	"greed.ModelInfo": "Model", "greed.Parsed": "ParsedGraph", "greed.IndexInfo": "Index",
	"greed.EmbeddingInfo": "IndexEmbedding",
}

// enumerations are the names of schemas for values that occur in many places.
var enumerations = map[string]string{
	"ged,sed":                       "Task",
	"proven,checked,predicted":      "Mode",
	"proven,open,checked,predicted": "Status",
	"delete edge,delete node,substitute node,substitute edge,insert node,insert edge": "EditKind",
}

// variants are the schemas of which exactly one of several members is required. Each
// becomes a choice of schemas with one of them, named by the form and the suffix.
var variants = []struct {
	schema, suffix string
	forms          []string
}{
	{"Query", "Query", append(slices.Clone(forms), "id")},
	{"PutGraph", "Put", forms},
	{"BatchGraph", "Record", forms},
}

// formNames maps the forms of a graph to the start of a schema's name.
var formNames = map[string]string{"smiles": "Smiles", "mol": "Mol", "tve": "Tve", "graph": "Graph", "text": "Text",
	"id": "Id"}

// object is an object of a JSON text.
type object = map[string]any

// describe returns the description of the API in OpenAPI 3.1. It changes what huma
// derives from the handlers' types so that generators make good clients from it.
func describe(api huma.API) ([]byte, error) {
	text, err := api.OpenAPI().MarshalJSON()
	if err != nil {
		return nil, err
	}
	var tree object
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	schemas := tree["components"].(object)["schemas"].(object)
	name(tree, schemas, help.All())
	for _, v := range variants {
		divide(schemas, v.schema, v.suffix, v.forms)
	}
	schemas["Deletion"] = object{
		"type": "object", "properties": object{"id": object{"type": "string"}, "delete": object{"const": true}},
		"required": []any{"id", "delete"}, "additionalProperties": false,
	}
	weights := maps.Clone(schemas["Costs"].(object))
	delete(weights, "required") // what is not given is 1, and so it is in a table's default
	delete(schemas["CostsDefault"].(object), "required")
	schemas["CostsWeights"] = weights
	schemas["CostsName"] = object{"type": "string", "enum": edit.Names()}
	schemas["CostsChoice"] = object{
		"description": schemas["CostsChoice"].(object)["description"],
		"oneOf": []any{object{"$ref": "#/components/schemas/CostsName"},
			object{"$ref": "#/components/schemas/CostsWeights"}},
	}
	lines := schemas["BatchGraph"].(object)["oneOf"].([]any)
	schemas["BatchLine"] = object{"oneOf": append(slices.Clone(lines), object{"$ref": "#/components/schemas/Deletion"})}
	for path, item := range tree["paths"].(object) {
		for method, operation := range item.(object) {
			tidy(operation.(object), examples[strings.ToUpper(method)+" "+path])
		}
	}
	return json.Marshal(tree)
}

// name replaces known enumerations by references, and defaults and the names of texts by words, everywhere in v.
func name(v any, schemas object, texts help.Texts) {
	switch v := v.(type) {
	case []any:
		for _, inner := range v {
			name(inner, schemas, texts)
		}
	case object:
		for _, inner := range v {
			name(inner, schemas, texts)
		}
		if said, ok := v["description"].(string); ok {
			v["description"] = texts.Expand(said)
		}
		if without, ok := v["default"].(string); ok { // else it is a member of that name
			// Generators require members that have a default.
			delete(v, "default")
			said, _ := v["description"].(string)
			v["description"] = strings.TrimPrefix(fmt.Sprintf("%s; by default %v", said, without), "; ")
		}
		values, _ := v["enum"].([]any)
		var texts []string
		for _, value := range values {
			texts = append(texts, fmt.Sprint(value))
		}
		if known := enumerations[strings.Join(texts, ",")]; known != "" {
			schemas[known] = object{"type": "string", "enum": values}
			delete(v, "type")
			delete(v, "enum")
			v["$ref"] = "#/components/schemas/" + known
		}
	}
}

// divide turns a schema into a choice of schemas that have one of the forms each.
func divide(schemas object, schema, suffix string, forms []string) {
	whole := schemas[schema].(object)
	properties := whole["properties"].(object)
	var choice []any
	for _, form := range forms {
		own := object{}
		for member, s := range properties {
			switch {
			case member == form:
				filled := maps.Clone(s.(object))
				if filled["type"] == "string" {
					filled["minLength"] = 1
				}
				own[member] = filled
			case !slices.Contains(forms, member) && (member != "id" || schema == "BatchGraph"):
				own[member] = s
			}
		}
		required := append([]any{form}, asList(whole["required"])...)
		called := formNames[form] + suffix
		schemas[called] = object{"type": "object", "properties": own, "required": required,
			"additionalProperties": false}
		choice = append(choice, object{"$ref": "#/components/schemas/" + called})
	}
	schemas[schema] = object{"oneOf": choice}
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

// tidy removes the header Accept from an operation, because the types of its responses
// imply it, and adds examples of its body.
func tidy(operation object, bodies []any) {
	kept := slices.DeleteFunc(asList(operation["parameters"]),
		func(p any) bool { return p.(object)["name"] == "Accept" })
	if len(kept) > 0 {
		operation["parameters"] = kept
	} else {
		delete(operation, "parameters")
	}
	body, _ := operation["requestBody"].(object)
	if body == nil || len(bodies) == 0 {
		return
	}
	shown := object{}
	for i, b := range bodies {
		shown[fmt.Sprintf("example%d", i+1)] = object{"value": b}
	}
	body["content"].(object)[typeJSON].(object)["examples"] = shown
}

// directedGraph and smilesGraph are graphs of the examples.
var (
	smilesGraph   = object{"smiles": "CC(=O)Oc1ccccc1C(=O)O"}
	directedGraph = object{"graph": object{
		"directed": true, "nodes": []any{object{"id": 0, "label": "read"}, object{"id": 1, "label": "write"}},
		"edges": []any{object{"source": 0, "target": 1, "label": "then"}},
	}}
)

// examples are bodies of requests, by method and path.
var examples = map[string][]any{
	"POST /v1/collections/{name}/search": {object{"query": smilesGraph, "k": 5},
		object{"query": directedGraph, "radius": 2, "time_limit": "500ms"}, object{"query": object{"smiles": "CCO"},
			"radius": 5, "limit": 1}, object{"smarts": "[O;H1]-c", "k": 2}},
	"POST /v1/collections/{name}/searches": {object{"queries": []any{smilesGraph, directedGraph, object{"id": "1"}},
		"k": 3, "time_limit": "300ms"}},
	"POST /v1/collections/{name}/distances": {object{"query": smilesGraph, "ids": []any{"1", "2", "none"},
		"time_limit": "200ms"}, object{"query": directedGraph, "ids": []any{"1"}, "task": "sed", "explain": true}},
	"POST /v1/distances": {object{"pairs": []any{object{"query": smilesGraph,
		"target": object{"smiles": "CCO"}}, object{"query": directedGraph, "target": smilesGraph}},
		"time_limit": "200ms"}},
	"POST /v1/distance": {object{"query": smilesGraph, "target": object{"smiles": "CCO"},
		"task": "sed"}, object{"query": directedGraph, "target": directedGraph},
		object{"query": directedGraph, "target": smilesGraph}},
	"POST /v1/diff": {object{"query": smilesGraph, "target": object{"smiles": "CCO"}},
		object{"query": directedGraph, "target": directedGraph}},
	"POST /v1/collections/{name}/embed":      {object{"query": smilesGraph}, object{"query": directedGraph}},
	"POST /v1/parse":                         {smilesGraph, directedGraph},
	"PUT /v1/collections/{name}/graphs/{id}": {object{"smiles": "CCS", "name": "ethanethiol"}, directedGraph},
	"POST /v1/collections/{name}/graphs": {object{"put": []any{object{"id": "a", "smiles": "CCS"}},
		"delete": []any{"b"}}, object{"put": []any{object{"id": "a", "graph": directedGraph["graph"]}}}},
}

// finish declares that arrays of a schema, and of the schemas in it, are never null, and puts in the sentences that
// tags name.
func finish(schemas huma.Registry) {
	texts := help.All()
	var walk func(s *huma.Schema)
	walk = func(s *huma.Schema) {
		if s == nil {
			return
		}
		if s.Type == huma.TypeArray {
			s.Nullable = false
		}
		s.Description = texts.Expand(s.Description)
		walk(s.Items)
		for _, p := range s.Properties {
			walk(p)
		}
		if more, ok := s.AdditionalProperties.(*huma.Schema); ok {
			walk(more)
		}
	}
	for _, s := range schemas.Map() {
		walk(s)
	}
}

// addressOf describes the fields of an operation as parameters of an address.
func addressOf(api huma.API, described any) []*huma.Param {
	var list []*huma.Param
	for _, f := range operation.Fields(described) {
		p := &huma.Param{Name: f.Name, In: "query", Description: f.Doc, Schema: &huma.Schema{Type: huma.TypeString}}
		t := f.Type
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			p.Schema = huma.SchemaFromType(api.OpenAPI().Components.Schemas, t)
		}
		if t.Kind() == reflect.Slice {
			explode := true
			p.Explode = &explode
			p.Schema.Nullable = false
			if most, err := strconv.Atoi(f.Most); err == nil {
				p.Schema.MaxItems = &most
			}
		}
		if least, err := strconv.ParseFloat(f.Least, 64); err == nil {
			p.Schema.Minimum = &least
		}
		for _, v := range f.Values {
			p.Schema.Enum = append(p.Schema.Enum, v)
		}
		if f.Default != "" {
			p.Schema.Default = f.Default
		}
		list = append(list, p)
	}
	return list
}

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
