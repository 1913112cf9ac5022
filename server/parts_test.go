package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/server"
)

func TestPartsOfAQuery(t *testing.T) {
	s := start(t, nil)
	const path = "/v1/collections/mols/parts"
	found := into[greed.Parts](t, s.ask(t, "POST", path, `{"query":{"smiles":"OCCOC"},"show":["number"],"k":2}`).want(t, 200))
	var ids []string
	for _, p := range found.Parts {
		ids = append(ids, p.ID)
	}
	// CCO, OCCO, and no more.
	if !slices.Equal(ids, []string{"m7", "m0"}) || found.Total != 2 || found.Searched != len(molecules) || found.Parts[0].Attributes["number"] != 7.0 {
		t.Errorf("found %+v", found)
	}
	found = into[greed.Parts](t, s.ask(t, "POST", path, `{"query":{"id":"m8"},"filter":["number<5"]}`).want(t, 200))
	if len(found.Parts) != 1 || found.Parts[0].ID != "m0" || found.Searched != 5 {
		t.Errorf("found %+v", found)
	}
	for body, says := range map[string]string{
		`{"query":{"smiles":"C1"}}`:                      "cannot be read",
		`{"query":{"smiles":"C"},"filter":["number"]}`:   "filter",
		`{"query":{"smiles":"C"},"filter":["nmuber<5"]}`: "no graph has the attribute",
		`{"query":{"smiles":"C"},"show":["nmuber"]}`:     "no graph has the attribute",
		`{"query":{"smiles":"C"},"k":1000000}`:           "want 1 to",
		`{"query":{"smiles":"C"},"time_limit":"soon"}`:   "time_limit",
		`{"query":{"smiles":"*C"}}`:                      "wildcard",
		`{"query":{"text":"digraph { a -> b }"}}`:        "directed",
		`{"query":{"smiles":"C"},"radius":1}`:            "radius",
		`{"query":{"smiles":"C"},"show":"number"}`:       "show",
		`{"query":{"smiles":"C","id":"m0"},"show":[]}`:   "2 graphs",
		`{"query":{"id":"m99"}}`:                         "m99",
	} {
		status := 422
		if strings.Contains(body, "m99") {
			status = 404
		}
		s.ask(t, "POST", path, body).want(t, status, says)
	}
	s.ask(t, "POST", "/v1/collections/none/parts", `{"query":{"smiles":"C"}}`).want(t, 404)
}

func TestSearchWithCosts(t *testing.T) {
	s := start(t, nil)
	const path = "/v1/collections/mols/search"
	found := into[greed.Found](t, s.ask(t, "POST", path, `{"query":{"smiles":"CCO"},"k":2,"costs":"mces","show":["number"]}`).want(t, 200))
	d, exact := found.Answers[0].Distance()
	if found.Model || found.Status != greed.StatusProven || found.Answers[0].ID != "m0" || d != 0 || !exact || found.Answers[0].Attributes["number"] != 0.0 {
		t.Errorf("found %+v", found)
	}
	s.ask(t, "POST", path, `{"query":{"smiles":"CCO"},"costs":"mces","mode":"predicted"}`).want(t, 422, "trained with other costs")
	s.ask(t, "POST", path, `{"query":{"smiles":"CCO"},"costs":"none"}`).want(t, 422, "no costs are named")
	if got := s.ask(t, "GET", path+"?smiles=CCO&k=1&show=number", "").want(t, 200).body; !strings.Contains(got, `"attributes":{"number":0}`) {
		t.Error(got)
	}
}

func TestAttributesAndLabels(t *testing.T) {
	s := start(t, nil)
	a := into[server.Attributes](t, s.ask(t, "GET", "/v1/collections/own/attributes", "").want(t, 200))
	if len(a.Attributes) != 1 || a.Attributes[0].Name != "number" || a.Attributes[0].Count != 10 || *a.Attributes[0].Max != 9 || a.Seen != 10 || a.Of != 10 {
		t.Errorf("attributes %+v", a)
	}
	s.ask(t, "PUT", "/v1/collections/own/graphs/new", `{"smiles":"CCS","attributes":{"class":"x"}}`).want(t, 200)
	a = into[server.Attributes](t, s.ask(t, "GET", "/v1/collections/own/attributes", "").want(t, 200))
	if len(a.Attributes) != 2 || a.Attributes[0].Values[0] != (greed.ValueCount{Value: "x", Count: 1}) || a.Of != 11 {
		t.Errorf("attributes after a change %+v", a)
	}
	v := into[server.AttributeValues](t, s.ask(t, "GET", "/v1/collections/own/attributes/class", "").want(t, 200))
	if len(v.IDs) != 11 || v.IDs[10] != "new" || v.Values[10] != "x" || v.Values[0] != nil {
		t.Errorf("values %+v", v)
	}
	m := into[greed.Plane](t, s.ask(t, "GET", "/v1/collections/own/map", "").want(t, 200))
	if x, y := m.Variance[0], m.Variance[1]; x < y || y < 0 || x+y > 1+1e-9 || x == 0 {
		t.Errorf("the axes show %v of the variance", m.Variance)
	}
	l := into[server.Labels](t, s.ask(t, "GET", "/v1/collections/own/labels", "").want(t, 200))
	for _, label := range []string{"C", "O", "N", "S"} {
		if !slices.Contains(l.Nodes, label) {
			t.Errorf("labels %v lack %s", l.Nodes, label)
		}
	}
	if !slices.Contains(l.Edges, "ar") || slices.Contains(l.Nodes, "*") {
		t.Errorf("labels %+v", l)
	}
	for _, what := range []string{"attributes", "labels"} {
		s.ask(t, "GET", "/v1/collections/none/"+what, "").want(t, 404)
	}
}

func TestRecordsOfAText(t *testing.T) {
	s := start(t, nil)
	read := func(body string) server.Records {
		return into[server.Records](t, s.ask(t, "POST", "/v1/records", body).want(t, 200))
	}
	r := read(`{"text":"CCO ethanol\nC1CC\nCCN amine\n","name":"mine.smi"}`)
	if len(r.Records) != 3 || r.Records[0].SMILES != "CCO" || r.Records[1].Error == "" || r.Records[1].Line != 2 || r.Records[2].Graph == nil || r.More {
		t.Errorf("records %+v", r)
	}
	r = read(`{"text":"t # a\nv 0 X\nt # b\nv 0 Y\nv 1 Y\ne 0 1 z\n"}`)
	if len(r.Records) != 2 || r.Records[1].ID != "b" || r.Records[1].Graph == nil {
		t.Errorf("records %+v", r)
	}
	r = read(`{"text":"` + strings.Repeat(`CCO\n`, 501) + `","name":"a.smi"}`)
	if len(r.Records) != 500 || !r.More {
		t.Errorf("%d records, more is %v", len(r.Records), r.More)
	}
	// 300 graphs of 999 nodes and 998 edges: 131 of them are enough.
	if large := read(fmt.Sprintf(`{"text":%q,"name":"large.smi"}`, strings.Repeat(strings.Repeat("C", 999)+"\n", 300))); len(large.Records) != 132 || !large.More {
		t.Errorf("%d large graphs are listed, more: %v", len(large.Records), large.More)
	}
	s.ask(t, "POST", "/v1/records", `{"text":""}`).want(t, 422)
	s.ask(t, "POST", "/v1/records", `{"text":"{"}`).want(t, 200, `"error":"JSON`)
}

func TestGraphsAsSDF(t *testing.T) {
	s := start(t, nil)
	s.ask(t, "PUT", "/v1/collections/own/graphs/odd", `{"tve":"t # 0\nv 0 Unobtainium\n"}`).want(t, 200)
	const path = "/v1/collections/own/sdf"
	text := s.ask(t, "POST", path, `{"ids":["m4","odd","m0"]}`).want(t, 200, "m4\n", "not written", ">  <number>").body
	if records := strings.Split(text, "$$$$\n"); len(records) != 4 || !strings.HasPrefix(records[2], "m0\n") {
		t.Errorf("got %s", text)
	}
	s.ask(t, "POST", path, `{"ids":["m4","m99"]}`).want(t, 404, "m99")
	s.ask(t, "POST", path, `{"ids":[]}`).want(t, 422)
}

// TestMoleculesAsTheyWere: what is put as a MOL block comes back as it was, with its
// coordinates, in both forms of SDF.
func TestMoleculesAsTheyWere(t *testing.T) {
	s := start(t, nil)
	const block = "drawn\n  test  2D\nby hand\n  2  1  0  0  0  0  0  0  0  0999 V2000\n    1.5000   -2.2500    0.1250 O   0  0\n    0.0000    0.7500    0.0000 C   0  0\n  1  2  1  0\nM  END\n"
	s.ask(t, "PUT", "/v1/collections/own/graphs/drawn", fmt.Sprintf(`{"mol":%q,"attributes":{"pKa":15.5}}`, block)).want(t, 200)
	s.ask(t, "PUT", "/v1/collections/own/graphs/plain", `{"smiles":"CO"}`).want(t, 200)
	for _, text := range []string{
		s.ask(t, "POST", "/v1/collections/own/sdf", `{"ids":["drawn","plain"]}`).want(t, 200).body,
		s.ask(t, "GET", "/v1/collections/own/search?smiles=OC&k=2", "", "Accept", "chemical/x-mdl-sdfile").want(t, 200).body,
	} {
		if strings.Count(text, block) != 1 || strings.Count(text, "$$$$\n") != 2 || !strings.Contains(text, ">  <pKa>\n15.5\n") {
			t.Errorf("got %s", text)
		}
	}
	// Another molecule under the same id has not these coordinates.
	s.ask(t, "PUT", "/v1/collections/own/graphs/drawn", `{"smiles":"CO"}`).want(t, 200)
	if text := s.ask(t, "POST", "/v1/collections/own/sdf", `{"ids":["drawn"]}`).want(t, 200).body; strings.Contains(text, "1.5000   -2.2500") {
		t.Errorf("got %s", text)
	}
}

func TestTooManyAnswersAreCounted(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Answers = 3 })
	s.ask(t, "POST", "/v1/collections/mols/search", `{"query":{"smiles":"C"},"task":"sed","radius":0}`).want(t, 422, `"location":"body.radius","value":10`)
}

func TestLinks(t *testing.T) {
	for link, fits := range map[string]bool{
		"": true, "https://example.org/{id}": true, "http://example.org/?a={id}&b=1": true,
		"https://example.org/": false, "javascript://{id}": false, "javascript:alert({id})": false, "{id}": false, "https://exa mple/{id}": false, "//example.org/{id}": false,
	} {
		opt := server.Defaults()
		opt.Hosted = []server.Hosted{{Name: "mols", Collection: collection(t), Link: link}}
		if _, err := server.New(opt); (err == nil) != fits {
			t.Errorf("the link %q: %v", link, err)
		}
	}
	s := start(t, func(o *server.Options) { o.Hosted[0].Link = "https://example.org/{id}" })
	s.ask(t, "GET", "/v1/collections/mols", "").want(t, 200, `"link":"https://example.org/{id}"`)
}
