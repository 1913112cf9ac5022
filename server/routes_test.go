package server_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/server"
)

func TestCollections(t *testing.T) {
	s := start(t, nil)
	list := into[[]server.Info](t, s.ask(t, "GET", "/v1/collections", "").want(t, 200))
	if len(list) != 2 || list[0].Name != "mols" || list[0].Graphs != len(molecules) || list[0].Writable || !list[1].Writable || !list[0].Molecules {
		t.Errorf("collections %+v", list)
	}
	one := into[server.Info](t, s.ask(t, "GET", "/v1/collections/mols", "").want(t, 200))
	if len(one.Models) != 2 || one.Models[0].Dim == 0 || one.Models[0].Fingerprint == "" {
		t.Errorf("models %+v", one.Models)
	}
	s.ask(t, "GET", "/v1/collections/none", "").want(t, 404, "there are: mols, own")
	rooted(t, t.TempDir(), func(o *server.Options) { o.Hosted = nil }).ask(t, "GET", "/v1/collections/x", "").want(t, 404, "there are: none")
}

func TestDistance(t *testing.T) {
	s := start(t, nil)
	d := into[greed.Comparison](t, s.ask(t, "POST", "/v1/distance", `{"query":{"smiles":"CCO"},"target":{"smiles":"CCN"},"explain":true}`).want(t, 200))
	if !d.Exact || d.Upper != 1 || len(d.Map) != 3 || len(d.Edits) != 1 || d.Edits[0].To != "N" {
		t.Errorf("distance %+v", d)
	}
	d = into[greed.Comparison](t, s.ask(t, "POST", "/v1/distance", `{"collection":"mols","query":{"smiles":"c1ccccc1"},"target":{"id":"m6"},"task":"sed","explain":true}`).want(t, 200))
	if !d.Exact || d.Upper != 0 || d.Target != "m6" || d.TargetGraph == nil {
		t.Errorf("benzene in aspirin: %+v", d)
	}
	for _, form := range []string{"smiles", "text"} {
		s.ask(t, "POST", "/v1/parse", `{"`+form+`":"InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3"}`).want(t, 422, "give the SMILES")
	}
	// A label that the collection does not have keeps its name.
	d = into[greed.Comparison](t, s.ask(t, "POST", "/v1/distance", `{"collection":"mols","query":{"graph":{"nodes":[{"id":0,"label":"Zz<b>"}],"edges":[]}},"target":{"id":"m0"},"explain":true}`).want(t, 200))
	if text, _ := json.Marshal(d.Edits); !strings.Contains(string(text), `Zz`) {
		t.Errorf("edits %s", text)
	}
	s.ask(t, "POST", "/v1/distance", `{"collection":"mols","query":{"smiles":"C"},"target":{"id":"zz"}}`).want(t, 404, "zz")
	s.ask(t, "POST", "/v1/distance", `{"query":{"smiles":"C"},"target":{"id":"m0"}}`).want(t, 422, "give the graph")
	s.ask(t, "POST", "/v1/distance", `{"query":{"smiles":"C"},"target":{"graph":{"directed":true,"nodes":[{"id":0,"label":"C"}],"edges":[]}}}`).want(t, 422, "directed")
}

// TestQueriesDoNotGrowTheVocabulary: labels that anyone sends would be kept for
// good.
func TestQueriesDoNotGrowTheVocabulary(t *testing.T) {
	c := collection(t)
	s := start(t, func(o *server.Options) { o.Hosted = []server.Hosted{{Name: "mols", Collection: c}} })
	ask := func(label string) {
		s.ask(t, "POST", "/v1/collections/mols/search", `{"query":{"graph":{"nodes":[{"id":0,"label":"`+label+`"}],"edges":[]}},"mode":"proven"}`).want(t, 200)
	}
	ask("first")
	before := c.Vocabulary().Nodes()
	for _, label := range []string{"second", "third", "fourth"} {
		ask(label)
	}
	if after := c.Vocabulary().Nodes(); after != before {
		t.Errorf("%d labels, %d before", after, before)
	}
}

func TestEmbedAndMap(t *testing.T) {
	s := start(t, nil)
	e := into[operation.Embedding](t, s.ask(t, "POST", "/v1/collections/mols/embed", `{"query":{"id":"m3"}}`).want(t, 200))
	if len(e.Vector) != e.Norm.Dim() || e.Fingerprint == "" {
		t.Fatalf("embedding %+v", e)
	}
	m := into[greed.Plane](t, s.ask(t, "GET", "/v1/collections/mols/map", "").want(t, 200))
	if len(m.IDs) != len(molecules) || len(m.Points) != 2*len(molecules) || m.Shown != m.Of {
		t.Fatalf("map %+v", m)
	}
	if got := [2]float32(m.Points[6:8]); got != e.At {
		t.Errorf("the map has m3 at %v, embed at %v", got, e.At)
	}
	// A change makes the map anew.
	before := into[greed.Plane](t, s.ask(t, "GET", "/v1/collections/own/map", "").want(t, 200))
	s.ask(t, "DELETE", "/v1/collections/own/graphs/m0", "").want(t, 200)
	if after := into[greed.Plane](t, s.ask(t, "GET", "/v1/collections/own/map", "").want(t, 200)); after.Of != before.Of-1 {
		t.Errorf("the map shows %d graphs after a deletion, %d before", after.Of, before.Of)
	}
}

func TestParse(t *testing.T) {
	s := start(t, nil)
	p := into[greed.Parsed](t, s.ask(t, "POST", "/v1/parse", `{"text":"c1ccccc1O"}`).want(t, 200))
	if p.SMILES != "c1ccccc1O" || p.Nodes != 7 || p.Edges != 7 {
		t.Errorf("parsed %+v", p)
	}
	s.ask(t, "POST", "/v1/parse", `{"smiles":"C(C"}`).want(t, 422, "column")
	s.ask(t, "POST", "/v1/parse", `{"text":"t # 0\nv 0 a\nv 1 b\ne 0 1 x\n"}`).want(t, 200, `"label":"a"`)
}

func TestGraphs(t *testing.T) {
	dir := folder(t)
	s := start(t, func(o *server.Options) {
		o.Hosted = []server.Hosted{{Name: "own", Collection: open(t, dir), Writable: true}, {Name: "mols", Collection: collection(t)}}
	})
	const path = "/v1/collections/own/graphs/"
	g := into[server.Record](t, s.ask(t, "GET", path+"m4", "").want(t, 200))
	if g.SMILES != "c1ccccc1O" || g.Graph == nil {
		t.Errorf("graph %+v", g)
	}
	s.ask(t, "GET", path+"zz", "").want(t, 404, "zz")
	s.ask(t, "PUT", path+"new", `{"smiles":"CCS","name":"thiol","attributes":{"class":"odd"}}`).want(t, 200)
	s.ask(t, "PUT", path+"new", `{"smiles":"CCS","name":"ethanethiol","attributes":{"class":"odd"}}`).want(t, 200, `"put":1,"replaced":1`)
	s.ask(t, "GET", "/v1/collections/own/search?smiles=CCS&k=1&filter=class%3Dodd", "").want(t, 200, `"id":"new"`, "ethanethiol")
	s.ask(t, "PUT", path+"new", `{"smiles":"C1"}`).want(t, 422, "ring bond")
	s.ask(t, "PUT", path+"new", `{"smiles":"C","id":"other"}`).want(t, 422, "other")
	s.ask(t, "DELETE", path+"m0", "").want(t, 200, `"deleted":1`)
	s.ask(t, "DELETE", path+"m0", "").want(t, 404)
	s.ask(t, "PUT", "/v1/collections/mols/graphs/x", `{"smiles":"C"}`).want(t, 403, "read-only")
	s.ask(t, "DELETE", "/v1/collections/mols/graphs/m0", "").want(t, 403, "read-only")
	// It is on the disk.
	again := open(t, dir)
	if _, ok := again.Get("m0"); ok {
		t.Error("m0 is back")
	}
	if r, ok := again.Get("new"); !ok || r.Name != "ethanethiol" || again.Len() != len(molecules) {
		t.Errorf("new is %+v, %v, of %d", r, ok, again.Len())
	}
}

func TestBatch(t *testing.T) {
	s := start(t, nil)
	const path = "/v1/collections/own/graphs"
	ndjson := []string{"Content-Type", "application/x-ndjson"}
	r := into[greed.Outcome](t, s.ask(t, "POST", path, `{"id":"a","smiles":"CCS"}
{"id":"m1","delete":true}

{"id":"m2","smiles":"CCCC"}
{"id":"b","tve":"t # 0\nv 0 C\n"}`, ndjson...).want(t, 200))
	if !reflect.DeepEqual(r, greed.Outcome{Put: 3, Replaced: 1, Deleted: 1, State: r.State}) {
		t.Errorf("result %+v", r)
	}
	for _, c := range []struct{ body, says string }{
		{`{"id":"c","smiles":"C"}` + "\n" + `{"id":"d","smiles":"C1"}`, "line 2"},
		{`{"id":"c","smiles":"C"}` + "\n" + `{"smiles":"C"}`, "line 2: id: there is no id"},
		{`{"id":"c","smiles":"C"}` + "\n" + `{"id":`, "line 2"},
		{`{"id":"c","colour":1}`, "line 1"},
	} {
		s.ask(t, "POST", path, c.body, ndjson...).want(t, 422, c.says)
	}
	s.ask(t, "GET", path+"/c", "").want(t, 404) // nothing of the wrong batches
}

func TestOpenAPIAndDocs(t *testing.T) {
	s := start(t, nil)
	api := into[struct {
		OpenAPI string
		Paths   map[string]map[string]struct{ OperationID string }
	}](t, s.ask(t, "GET", "/openapi.json", "").want(t, 200))
	if !strings.HasPrefix(api.OpenAPI, "3.1") || len(api.Paths) < 9 {
		t.Errorf("OpenAPI %s with %d paths", api.OpenAPI, len(api.Paths))
	}
	docs := s.ask(t, "GET", "/docs/", "").want(t, 200, "docs.js")
	if strings.Contains(docs.body, "//") && strings.Contains(docs.body, "http") {
		t.Errorf("the documentation refers elsewhere: %s", docs.body)
	}
	s.ask(t, "GET", "/docs/docs.js", "").want(t, 200)
	if page := s.ask(t, "GET", "/", "").want(t, 200); !strings.Contains(page.header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("the page's policy is %q", page.header.Get("Content-Security-Policy"))
	}
}

func TestHealthAndMetrics(t *testing.T) {
	s := start(t, nil)
	s.ask(t, "GET", "/v1/collections/mols/search?smiles=CCO&mode=checked", "").want(t, 200)
	s.ask(t, "GET", "/metrics", "").want(t, 200, `greed_stage_seconds_count{stage="check"} 1`, `greed_stage_seconds_count{stage="embed"} 1`,
		`greed_requests_total{route="GET /v1/collections/{name}/search",status="200"} 1`, `greed_graphs{collection="mols"} 10`)
	s.ask(t, "GET", "/livez", "").want(t, 200)
	s.ask(t, "GET", "/readyz", "").want(t, 200)
	s.Drain()
	if r := s.ask(t, "GET", "/readyz", ""); r.status != 503 {
		t.Errorf("ready while draining: %d", r.status)
	}
	s.ask(t, "GET", "/v1/collections/mols/search?smiles=CCO", "").want(t, 200)
}
