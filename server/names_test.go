package server_test

import (
	"encoding/json"
	"reflect"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
)

// TestNamesOfNodes are shown beside the numbers of nodes that edits refer to, and a graph
// that is given as it is shown keeps them.
func TestNamesOfNodes(t *testing.T) {
	s := start(t, nil)
	type graph struct {
		Graph struct {
			Names []string
			Nodes []struct{ ID int }
			Edges []struct{ Source, Target int }
		}
	}
	want := []string{"lex", "parse", "main <&>"}
	const named = `{"directed":true,"nodes":[{"id":"lex","label":"f"},{"id":"parse","label":"f"},{"id":"main <&>","label":"f"}],
		"edges":[{"source":"main <&>","target":"parse"},{"source":"parse","target":"lex"}]}`
	const numbered = `{"directed":true,"names":["lex","parse","main <&>"],"nodes":[{"id":0,"label":"f"},{"id":1,"label":"f"},{"id":2,"label":"f"}],
		"edges":[{"source":2,"target":1},{"source":1,"target":0}]}`
	for _, given := range []string{named, numbered} {
		got := into[graph](t, s.ask(t, "POST", "/v1/parse", `{"graph":`+given+`}`).want(t, 200)).Graph
		if !reflect.DeepEqual(got.Names, want) || got.Nodes[2].ID != 2 || got.Edges[1].Source != 2 {
			t.Errorf("%s is shown as %+v", given, got)
		}
		d := into[greed.Comparison](t, s.ask(t, "POST", "/v1/distance", `{"query":{"graph":`+given+`},"target":{"graph":`+
			`{"directed":true,"names":["a","b"],"nodes":[{"id":0,"label":"f"},{"id":1,"label":"f"}],"edges":[{"source":1,"target":0}]}},"explain":true}`).want(t, 200))
		for _, op := range d.Edits {
			if len(op.QueryNames) != len(op.Query) || len(op.TargetNames) != len(op.Target) {
				t.Errorf("edit %v has no names", op)
			}
		}
	}
	for _, names := range []string{`["a"]`, `["a","a"]`, `[]`} {
		given := `{"names":` + names + `,"nodes":[{"id":0},{"id":1}],"edges":[]}`
		if got := into[graph](t, s.ask(t, "POST", "/v1/parse", `{"graph":`+given+`}`).want(t, 200)).Graph.Names; got != nil {
			t.Errorf("names %s are taken for %q", names, got)
		}
	}
}

// TestNamesAreNoLabelsAgain: what the service has shown has labels, also where those of a
// collection were read from ids.
func TestNamesAreNoLabelsAgain(t *testing.T) {
	const calls = `{"nodes":[{"id":"lex"},{"id":"parse"}],"edges":[{"source":"lex","target":"parse"}]}`
	s := startWithCalls(t, calls, dataset.Rules{NodeLabel: "id"})
	shown := into[struct{ Graph json.RawMessage }](t, s.ask(t, "POST", "/v1/parse", `{"graph":`+calls+`,"collection":"calls"}`).want(t, 200, `"label":"lex"`)).Graph
	s.ask(t, "POST", "/v1/collections/calls/search", `{"query":{"graph":`+string(shown)+`}}`).want(t, 200, `"upper":0`)
}
