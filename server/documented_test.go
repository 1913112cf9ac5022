package server_test

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// description is what /openapi.json says of operations: the statuses by method and
// path.
type description struct {
	Paths map[string]map[string]struct {
		OperationID string
		Responses   map[string]struct{ Content map[string]any }
	}
}

// described has what the first service described. All describe the same answers.
var described struct {
	sync.Once
	description
}

// documented fails unless the description has the status that a request to the API
// was answered with, and the form of the answer.
func (s *service) documented(t testing.TB, method, address string, r reply) {
	t.Helper()
	described.Do(func() {
		if err := json.Unmarshal([]byte(s.whole(t, "GET", "/openapi.json", "").body), &described.description); err != nil {
			t.Fatal(err)
		}
	})
	path, _, _ := strings.Cut(address, "?")
	template, parts := "", strings.Split(path, "/")
	for known := range described.Paths {
		if fits(strings.Split(known, "/"), parts) {
			template = known
		}
	}
	operation, ok := described.Paths[template][strings.ToLower(method)]
	if !ok {
		return // there is no such path or method, which is no operation's
	}
	answer, ok := operation.Responses[strconv.Itoa(r.status)]
	if !ok {
		t.Errorf("%s %s is answered with %d, of which the description of %s says nothing", method, template, r.status, operation.OperationID)
		return
	}
	kind, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	if _, ok := answer.Content[kind]; !ok && r.body != "" {
		t.Errorf("%s %s is answered with %d as %s; described are %v", method, template, r.status, kind, answer.Content)
	}
}

// fits reports whether a path is one of a template, {…} being any text.
func fits(template, path []string) bool {
	if len(template) != len(path) {
		return false
	}
	for i, part := range template {
		text, err := url.PathUnescape(path[i])
		if err != nil || part != text && !strings.HasPrefix(part, "{") {
			return false
		}
	}
	return true
}

// TestDescription is whole: what generators and linters want of operations.
func TestDescription(t *testing.T) {
	s := start(t, nil)
	var api struct {
		OpenAPI string
		Info    struct{ Title, Description, Version string }
		Servers []struct{ URL string }
		Paths   map[string]map[string]struct {
			OperationID, Summary string
			Tags                 []string
			Security             []map[string][]string
			Responses            map[string]any
			Parameters           []struct {
				Name    string
				Explode *bool
				Schema  struct{ Type any }
			}
		}
		Components struct {
			Schemas map[string]struct {
				OneOf []struct {
					Ref string `json:"$ref"`
				}
				Required []string
			}
		}
	}
	if err := json.Unmarshal([]byte(s.ask(t, "GET", "/openapi.json", "").want(t, 200).body), &api); err != nil {
		t.Fatal(err)
	}
	if len(api.Servers) != 1 || api.Info.Description == "" || len(api.Paths) < 9 {
		t.Errorf("servers %v, info %v, %d paths", api.Servers, api.Info, len(api.Paths))
	}
	ids := make(map[string]bool)
	for path, operations := range api.Paths {
		for method, o := range operations {
			if o.OperationID == "" || ids[o.OperationID] || o.Summary == "" || len(o.Tags) != 1 || len(o.Security) == 0 {
				t.Errorf("%s %s: %+v", method, path, o)
			}
			ids[o.OperationID] = true
			for _, p := range o.Parameters { // a list is its name again and again: texts may have commas
				if p.Schema.Type == "array" && (p.Explode == nil || !*p.Explode) {
					t.Errorf("%s %s joins the values of %s", method, path, p.Name)
				}
			}
			if o.Responses["200"] == nil && o.Responses["201"] == nil {
				t.Errorf("%s %s says nothing of success", method, path)
			}
			for _, status := range []string{"400", "401", "403", "422", "500", "503"} {
				if o.Responses[status] == nil {
					t.Errorf("%s %s says nothing of %s", method, path, status)
				}
			}
		}
	}
	for _, name := range []string{"CostsWeights", "CostsTable", "CostsDefault"} { // all of these may be left out
		if required := api.Components.Schemas[name].Required; len(required) > 0 {
			t.Errorf("%s requires %v", name, required)
		}
	}
	for name, count := range map[string]int{"Query": 6, "PutGraph": 5, "BatchGraph": 5, "BatchLine": 6} {
		choice := api.Components.Schemas[name].OneOf
		if len(choice) != count {
			t.Errorf("%s has one of %v", name, choice)
		}
		for _, one := range choice {
			if s := api.Components.Schemas[strings.TrimPrefix(one.Ref, "#/components/schemas/")]; len(s.Required) == 0 {
				t.Errorf("%s of %s requires nothing", one.Ref, name)
			}
		}
	}
}
