package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
)

// TestSearchBySMARTS: a pattern takes the place of the query in a body, in an address, in a
// stream and for assistants, and what does not go with one is refused by name.
func TestSearchBySMARTS(t *testing.T) {
	s := start(t, nil)
	const search = "/v1/collections/mols/search"
	ids := func(found greed.Found) string {
		var list []string
		for _, a := range found.Answers {
			list = append(list, a.ID)
		}
		return string(found.Status) + " " + strings.Join(list, " ")
	}
	const want = "proven m5 m4 m6"
	found := into[greed.Found](t, s.ask(t, "POST", search, `{"smarts":"[O;H1]-[c,$(C=O)]","explain":true}`).want(t, 200))
	if got := ids(found); got != want || found.Task != greed.SED || len(found.Answers[0].Map) != 2 {
		t.Errorf("%s, %+v", got, found)
	}
	if got := ids(into[greed.Found](t, s.ask(t, "GET", search+"?smarts=%5BO%3BH1%5D-%5Bc,$(C%3DO)%5D", "").want(t, 200))); got != want {
		t.Error(got)
	}
	if found := into[greed.Found](t, s.ask(t, "POST", search, `{"smarts":"[O;H1]-[c,$(C=O)]","limit":2}`).want(t, 200)); len(found.Answers) != 2 || *found.Total != 3 || found.Next == "" {
		t.Errorf("%+v", found)
	}
	lines := strings.Split(strings.TrimSpace(s.ask(t, "POST", search, `{"smarts":"[O;H1]-c"}`, "Accept", "application/x-ndjson").want(t, 200).body), "\n")
	for i, line := range lines {
		if i == len(lines)-1 && !strings.Contains(line, `"m4"`) || strings.Contains(line, `"m0"`) {
			t.Errorf("line %d: %s", i, line)
		}
	}
	got, _ := use(t, assistant(t, s), "search", map[string]any{"collection": "mols", "smarts": "[O;H1]-[c,$(C=O)]", "k": 2})
	if list := answers(t, got); len(list) != 2 || list[0]["id"] != "m5" {
		t.Errorf("assistant: %v", got)
	}

	for body, named := range map[string]string{
		`{"smarts":"[C"}`:                                 "column 3: found the end in the bracket atom of column 1",
		`{"smarts":"C>>N"}`:                               "reactions are not supported",
		`{"smarts":"C","query":{"smiles":"C"}}`:           "smarts",
		`{"smarts":"C","radius":1}`:                       "radius",
		`{"smarts":"C","mode":"checked"}`:                 "mode",
		`{"smarts":"C","costs":"mces"}`:                   "costs",
		`{"smarts":"C","ignore_edge_labels":true}`:        "ignore_edge_labels",
		`{"smarts":"` + strings.Repeat("C", 50000) + `"}`: "50000 nodes",
		`{}`: "0 graphs are given",
	} {
		s.ask(t, "POST", search, body).want(t, 422, named)
	}
	shown := into[greed.Parsed](t, s.ask(t, "POST", "/v1/parse", `{"smarts":"[O;H1]-c:[c,n]~*"}`).want(t, 200))
	raw, err := json.Marshal(shown.Graph)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"names":["[O;H1]","c","[c,n]","*"]`, `{"id":0,"label":"O"}`, `{"id":2,"wildcard":true}`, `{"source":0,"target":1,"label":"1"}`, `{"source":2,"target":3,"wildcard":true}`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s lacks %s", raw, want)
		}
	}
	s.ask(t, "POST", "/v1/parse", `{"smarts":"[C"}`).want(t, 422, `smarts: \"[C\": column 3`)
	s.ask(t, "POST", "/v1/parse", `{"smarts":"C","smiles":"C"}`).want(t, 422, "leave out the others")
	s.ask(t, "POST", search+"es", `{"smarts":"C","queries":[{"smiles":"C"}]}`).want(t, 422, "smarts")
	s.ask(t, "GET", search+"?smarts=%5BC", "").want(t, 422, "smarts")
	s.ask(t, "PUT", "/v1/collections/own/graphs/calls", `{"graph":{"nodes":[{"id":0,"label":"parse"}],"edges":[]}}`)
	s.ask(t, "POST", "/v1/collections/own/search", `{"smarts":"C"}`).want(t, 422, "not a molecule")
}

// TestQueryMolecules: a MOL file with conditions is a pattern; as a graph, which lacks them, it says so.
func TestQueryMolecules(t *testing.T) {
	s := start(t, nil)
	block, err := json.Marshal("x\n  own\n\n  3  2  1  0  0  0            999 V2000\n" +
		"    0.0000    0.0000    0.0000 C   0  0\n    1.0000    0.0000    0.0000 L   0  0\n    2.0000    0.0000    0.0000 C   0  0\n" +
		"  1  2  1  0\n  2  3  8  0\nM  ALS   2  2 F N   O   \nM  END\n")
	if err != nil {
		t.Fatal(err)
	}
	const search = "/v1/collections/mols/search"
	found := into[greed.Found](t, s.ask(t, "POST", search, `{"smarts":`+string(block)+`}`).want(t, 200))
	same := into[greed.Found](t, s.ask(t, "POST", search, `{"smarts":"[#6]-[#7,#8]~[#6]"}`).want(t, 200))
	if len(found.Answers) == 0 || len(found.Answers) != len(same.Answers) || found.Status != same.Status {
		t.Errorf("answers %+v, those of the SMARTS are %+v", found.Answers, same.Answers)
	}
	s.ask(t, "POST", search, `{"query":{"mol":`+string(block)+`},"task":"sed","radius":0}`).want(t, 422, "search for it as a pattern")
	s.ask(t, "POST", search, `{"query":{"mol":`+string(block)+`}}`).want(t, 422, "search for it as a pattern")
}
