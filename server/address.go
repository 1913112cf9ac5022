package server

import (
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/greedgraph/greed/operation"
)

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
