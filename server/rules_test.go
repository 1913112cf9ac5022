package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/server"
)

// startWithCalls starts a service that has a collection calls of one graph, calls, which is
// read by some rules.
func startWithCalls(t *testing.T, calls string, rules dataset.Rules) *service {
	t.Helper()
	vocab := graph.NewVocabulary()
	rec, err := dataset.ReadOne(calls, dataset.Options{Vocabulary: vocab, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	rec.ID = "calls"
	c, err := greed.Open(t.Context(), greed.Source{Records: []dataset.Record{rec}, As: &rules, Options: dataset.Options{Vocabulary: vocab}})
	if err != nil {
		t.Fatal(err)
	}
	return start(t, func(opt *server.Options) {
		opt.Hosted = append(opt.Hosted, server.Hosted{Name: "calls", Collection: c, Writable: true})
	})
}

// TestQueriesAreReadAsTheCollection: searches, distances, puts and parsing follow the rules
// by which the collection was read, and what lacks the attribute is refused by name.
func TestQueriesAreReadAsTheCollection(t *testing.T) {
	const calls = `{"nodes":[{"id":0,"name":"parse","kind":"f"},{"id":1,"name":"lex","kind":"f"}],"edges":[{"source":0,"target":1}]}`
	s := startWithCalls(t, calls, dataset.Rules{NodeLabel: "name"})
	const path = "/v1/collections/calls/"
	for _, form := range []string{`"graph":` + calls, `"text":` + quoted(t, calls)} {
		s.ask(t, "POST", path+"search", `{"query":{`+form+`}}`).want(t, 200, `"upper":0`, `"question":{`)
		s.ask(t, "POST", path+"distances", `{"query":{`+form+`},"ids":["calls"]}`).want(t, 200, `"upper":0`)
		s.ask(t, "PUT", path+"graphs/again", `{`+form+`}`).want(t, 200)
		s.ask(t, "POST", "/v1/parse", `{`+form+`,"collection":"calls"}`).want(t, 200, `"label":"parse"`)
	}
	// What the service has read before comes with labels.
	s.ask(t, "POST", path+"search", `{"query":{"graph":{"nodes":[{"id":0,"label":"parse"},{"id":1,"label":"lex"}],"edges":[{"source":0,"target":1,"label":"0"}]}}}`).want(t, 200, `"upper":0`)
	s.ask(t, "POST", path+"search", `{"query":{"graph":{"nodes":[{"id":0,"kind":"f"}],"edges":[]}}}`).want(t, 422, "name")
	s.ask(t, "POST", path+"search", `{"query":{"smiles":"CCO"}}`).want(t, 200, `"no_node":true`)
}

// TestCostsCompareWhatTheLabelsAre: costs of other attributes than those of a collection's labels, or
// of the same in another order, would take the values for each other.
func TestCostsCompareWhatTheLabelsAre(t *testing.T) {
	const point = `{"nodes":[{"id":0,"x":3,"y":0}],"edges":[]}`
	s := startWithCalls(t, point, dataset.Rules{NodeLabel: "x,y", Bin: map[string]float64{"x": 0, "y": 0}})
	for parts, status := range map[string]int{`["x","y"]`: 200, `["y","x"]`: 422, `["x","z"]`: 422} {
		costs := `"costs":{"nodes":{"default":{},"parts":[{"attributes":` + parts + `,"weight":1}]}}}`
		for path, body := range map[string]string{
			"/v1/collections/calls/search": `{"query":{"id":"calls"},`,
			"/v1/collections/calls/join":   `{"radius":1,`,
			"/v1/collections/calls/cliffs": `{`,
			"/v1/distance":                 `{"collection":"calls","query":{"id":"calls"},"target":{"id":"calls"},`,
		} {
			if r := s.ask(t, "POST", path, body+costs).want(t, status); status == 422 && !strings.Contains(r.body, "whose labels are x,y") {
				t.Errorf("%s: %s", path, r.body)
			}
		}
	}
}

// quoted returns a text as a JSON string.
func quoted(t *testing.T, text string) string {
	t.Helper()
	out, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
