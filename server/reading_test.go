package server_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/processor"
	"github.com/greedgraph/greed/server"
)

// TestHostileTexts cost what they are given: time and memory in proportion to
// their size, whatever they say.
func TestHostileTexts(t *testing.T) {
	s := start(t, nil)
	list := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"DOT defaults": "graph{" + list(14_000, "node[k%[1]d=1]n%[1]d;") + "}",
		"DOT chain":    "graph{0" + list(40_000, "--%d") + "}",
		"GraphML":      "<graphml>" + list(255, `<key id='k%d' for='node'><default>x</default></key>`) + "<graph edgedefault='undirected'>" + list(12_000, "<node id='n%d'/>") + "</graph></graphml>",
		"SMILES":       strings.Repeat("C", 300_000),
		"brackets":     strings.Repeat("(", 300_000),
		"JSON":         strings.Repeat("[", 300_000),
		"t/v/e":        "t # 0\n" + list(30_000, "v %d C\n"),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		used := processor.Time()
		body := fmt.Sprintf(`{"text":%q}`, text)
		s.ask(t, "POST", "/v1/parse", body).want(t, 422)
		runtime.ReadMemStats(&after)
		// Reading JSON, and the test itself, are counted too.
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 100*uint64(len(body)) {
			t.Errorf("%s: %d bytes allocated for %d", name, bytes, len(body))
		}
		if took := processor.Time() - used; took > 5*time.Second {
			t.Errorf("%s: it took %v of the processors", name, took)
		}
	}
}

// TestGraphsWithoutNodes are found, asked with in every form that can say them,
// and put like others.
func TestGraphsWithoutNodes(t *testing.T) {
	c := collection(t)
	nothing, err := graph.NewBuilder(c.Vocabulary(), false).Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Put(t.Context(), greed.Record{ID: "nothing", Graph: nothing}); err != nil {
		t.Fatal(err)
	}
	s := start(t, func(o *server.Options) { o.Hosted = []server.Hosted{{Name: "own", Collection: c, Writable: true}} })
	for _, query := range []string{
		`{"graph":{"nodes":[],"edges":[]}}`, `{"tve":"t # 0\n"}`, `{"text":"graph {}"}`,
		`{"mol":"\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n"}`,
	} {
		s.ask(t, "POST", "/v1/collections/own/search", `{"query":`+query+`,"radius":0}`).want(t, 200, `"answers":[{"id":"nothing"`, `"certified":true`)
		// Ethanol costs three nodes and two edges.
		s.ask(t, "POST", "/v1/distance", `{"collection":"own","query":`+query+`,"target":{"id":"m0"}}`).want(t, 200, `"lower":5,"upper":5,"exact":true`)
		s.ask(t, "POST", "/v1/parse", query).want(t, 200, `"nodes":[]`)
	}
	s.ask(t, "PUT", "/v1/collections/own/graphs/more", `{"graph":{"nodes":[],"edges":[]}}`).want(t, 200)
	s.ask(t, "GET", "/v1/collections/own/search?id=more&radius=0", "").want(t, 200, `"more"`, `"nothing"`)
	s.ask(t, "DELETE", "/v1/collections/own/graphs/more", "").want(t, 200)
	s.ask(t, "POST", "/v1/parse", `{"tve":"t # 0\nv 0 C\ne 0 5 1\n"}`).want(t, 422, "line 3")
	for _, query := range []string{"", "&mode=checked", "&mode=predicted", "&task=sed", "&task=sed&mode=predicted", "&radius=0"} {
		for _, accept := range []string{"application/json", "application/x-ndjson", "text/csv", "chemical/x-mdl-sdfile"} {
			r := s.ask(t, "GET", "/v1/collections/own/search?id=nothing&k=3"+query, "", "Accept", accept)
			if r.status != 200 || !strings.Contains(r.body, "nothing") && !strings.Contains(query, "sed") || strings.Contains(r.body, "NaN") {
				t.Errorf("%s as %s: status %d, %s", query, accept, r.status, r.body)
			}
		}
	}
	s.ask(t, "POST", "/v1/distance", `{"collection":"own","query":{"id":"nothing"},"target":{"id":"m0"}}`).want(t, 200)
}
