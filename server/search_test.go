package server_test

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/server"
)

func ids(f greed.Found) (list []string) {
	for _, a := range f.Answers {
		list = append(list, a.ID)
	}
	return list
}

func TestSearchAsTheLibraryDoes(t *testing.T) {
	s, c := start(t, nil), collection(t)
	for _, body := range []string{
		`{"query":{"smiles":"CCO"},"k":3}`,
		`{"query":{"smiles":"CCO"},"k":3,"mode":"predicted"}`,
		`{"query":{"smiles":"CCO"},"k":2,"radius":2.5}`,
		`{"query":{"smiles":"CCO"},"k":3,"task":"sed"}`,
		`{"query":{"smiles":"CCO"},"radius":2.5}`,
		`{"query":{"smiles":"CCO"},"k":3,"mode":"checked"}`,
		`{"query":{"smiles":"CCO"},"k":3,"mode":"proven","explain":true}`,
		`{"query":{"smiles":"CCO"},"k":3,"filter":["number>=2","number<8"]}`,
		`{"query":{"tve":"t # 0\nv 0 C\nv 1 C\nv 2 O\ne 0 1 1\ne 1 2 1\n"},"k":3}`,
		`{"query":{"text":"CCO"},"k":3}`,
		`{"query":{"id":"m0"},"k":3}`,
		`{"query":{"graph":{"nodes":[{"id":"a","label":"C"},{"id":"b","label":"C"},{"id":"c","label":"O"}],"edges":[{"source":"a","target":"b","label":"1"},{"source":"b","target":"c","label":"1"}]}},"k":3}`,
	} {
		var in server.SearchRequest
		if err := json.Unmarshal([]byte(body), &in); err != nil {
			t.Fatal(err)
		}
		q, err := c.ParseSMILES("CCO")
		if err != nil {
			t.Fatal(err)
		}
		opt, err := in.Resolve(operation.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.Search(t.Context(), q, opt)
		if err != nil {
			t.Fatal(err)
		}
		got := into[greed.Found](t, s.ask(t, "POST", "/v1/collections/mols/search", body).want(t, 200))
		if !slices.Equal(ids(got), ids(*want)) {
			t.Errorf("%s: %v, want %v", body, ids(got), ids(*want))
		}
		if got.Status != want.Status || (got.Answers[0].Map != nil) != in.Explain {
			t.Errorf("%s: status %v, map %v", body, got.Status, got.Answers[0].Map)
		}
	}
}

func TestSearchByAddress(t *testing.T) {
	s := start(t, nil)
	for query, first := range map[string]string{
		"smiles=CCO&k=1":                            "m0",
		"id=m4&k=2&mode=proven":                     "m4",
		"smiles=CCO&radius=0":                       "m0",
		"smiles=CCO&k=1&filter=number%3E3":          "m5",
		"smiles=c1ccccc1&task=sed&k=1&mode=checked": "m3",
		"smiles=CCO&k=1&filter=number%20exists":     "m0",
	} {
		found := into[greed.Found](t, s.ask(t, "GET", "/v1/collections/mols/search?"+query, "").want(t, 200))
		if len(found.Answers) == 0 || found.Answers[0].ID != first {
			t.Errorf("%s: %v, want %s first", query, ids(found), first)
		}
	}
}

func TestSearchRefuses(t *testing.T) {
	s := start(t, nil)
	long := strings.Repeat("C", 100_000)
	for _, c := range []struct {
		body   string
		status int
		says   string
	}{
		{`{"query":{"smiles":"C1CC"}}`, 422, "ring bond 1 is not closed"},
		{`{"query":{"smiles":"` + long + `"}}`, 422, "cannot be read"},
		{`{"query":{}}`, 422, "give one of smiles"},
		{`{"query":{"smiles":"C","id":"m0"}}`, 422, "give one of smiles"},
		{`{"query":{"id":"nobody"}}`, 404, "nobody"},
		{`{"query":{"tve":"t # 0\nv 0 C\nt # 1\nv 0 C\n"}}`, 422, "more than one graph"},
		{`{"query":{"tve":"t # 0\nv 0 C\ne 0 5 1\n"}}`, 422, "line 3"},
		{`{"query":{"graph":{"nodes":[],"edges":[{"source":0,"target":1}]}}}`, 422, "cannot be read"},
		{`{"query":{"text":"<graphml><graph edgedefault='undirected'><node id='a'/><edge source='a' target='b'/></graph></graphml>"}}`, 422, "cannot be read"},
		{`{"query":{"smiles":"C"},"task":"gid"}`, 422, "ged"},
		{`{"query":{"smiles":"C"},"k":-1}`, 422, "k"},
		{`{"query":{"smiles":"C"},"k":100000}`, 422, "1000"},
		{`{"query":{"smiles":"C"},"mode":"sure"}`, 422, "proven"},
		{`{"query":{"smiles":"C"},"certify":true}`, 422, "certify"},
		{`{"query":{"smiles":"C"},"radius":-1}`, 422, "radius"},
		{`{"query":{"smiles":"C"},"time_limit":"soon"}`, 422, "500ms"},
		{`{"query":{"smiles":"C"},"time_limit":"1h"}`, 422, "at most 30s"},
		{`{"query":{"smiles":"C"},"filter":["odd"]}`, 422, "ATTR=VALUE"},
		{`{"query":{"smiles":"C"},"colour":1}`, 422, "colour"},
		{`{"query":`, 400, ""},
		{`[`, 400, ""},
	} {
		s.ask(t, "POST", "/v1/collections/mols/search", c.body).want(t, c.status, c.says)
	}
	s.ask(t, "POST", "/v1/collections/none/search", `{"query":{"smiles":"C"}}`).want(t, 404, "mols, own")
	s.ask(t, "GET", "/v1/collections/mols/search?smiles=C&radius=x", "").want(t, 422, "want a number")
	s.ask(t, "GET", "/v1/collections/mols/search?smiles=C&explain=yes", "").want(t, 422, "want true or false")
	s.ask(t, "POST", "/v1/collections/mols/search", `{"query":{"smiles":"C"}}`, "Accept", "image/png").want(t, 406, "text/csv")
}

func TestSearchFormats(t *testing.T) {
	s := start(t, nil)
	path := "/v1/collections/mols/search?smiles=CCO&k=3&mode=checked"
	csvAnswer := s.ask(t, "GET", path, "", "Accept", "text/csv").want(t, 200)
	rows, err := csv.NewReader(strings.NewReader(csvAnswer.body)).ReadAll()
	if err != nil || len(rows) != 4 || rows[1][1] != "m0" || rows[1][6] != "0" {
		t.Errorf("CSV: %v, %v", rows, err)
	}
	sdf := s.ask(t, "GET", path, "", "Accept", "chemical/x-mdl-sdfile").want(t, 200)
	if strings.Count(sdf.body, "$$$$") != 3 || !strings.Contains(sdf.body, "rank") {
		t.Errorf("SDF: %s", sdf.body)
	}
	s.ask(t, "PUT", "/v1/collections/own/graphs/x", `{"smiles":"CCBr","attributes":{"rank":"first"}}`).want(t, 200)
	sdf = s.ask(t, "GET", "/v1/collections/own/search?smiles=CCBr&k=1", "", "Accept", "chemical/x-mdl-sdfile").want(t, 200)
	if !strings.Contains(sdf.body, "<rank>\n1\n") || !strings.Contains(sdf.body, "<attribute rank>\nfirst\n") {
		t.Errorf("SDF: %s", sdf.body)
	}
	plain := s.ask(t, "GET", "/v1/collections/mols/search?smiles=CCO&k=3&mode=predicted", "", "Accept", "application/x-ndjson, application/json;q=0.5").want(t, 200)
	lines := strings.Split(strings.TrimSpace(plain.body), "\n")
	if len(lines) != 4 || !strings.Contains(lines[3], `"found"`) {
		t.Errorf("NDJSON: %s", plain.body)
	}
}

func TestCSVHoldsNoFormulas(t *testing.T) {
	s := start(t, nil)
	s.ask(t, "PUT", "/v1/collections/own/graphs/"+url.PathEscape("=1+1"), `{"smiles":"CCO","name":"@x"}`).want(t, 200)
	r := s.ask(t, "GET", "/v1/collections/own/search?smiles=CCO&k=2", "", "Accept", "text/csv").want(t, 200)
	if !strings.Contains(r.body, "'=1+1,'@x") {
		t.Errorf("cells begin like formulas: %s", r.body)
	}
}

func TestStreamEndsWithTheOutcome(t *testing.T) {
	s := start(t, nil)
	r := s.ask(t, "POST", "/v1/collections/mols/search", `{"query":{"smiles":"CCO"},"k":3,"mode":"proven"}`, "Accept", "application/x-ndjson").want(t, 200)
	var last server.StreamLine
	lines := bufio.NewScanner(strings.NewReader(r.body))
	for lines.Scan() {
		last = server.StreamLine{}
		if err := json.Unmarshal(lines.Bytes(), &last); err != nil {
			t.Fatal(err)
		}
	}
	if last.Found == nil || !last.Found.Certified || last.Found.Answers[0].ID != "m0" {
		t.Errorf("the last line is %+v", last)
	}
}

// TestSearchStopsWhenTheClientGoes asks for more than the budget can do, goes,
// and waits until the permit is free again, well before the budget is up.
func TestSearchStopsWhenTheClientGoes(t *testing.T) {
	hard := "CC1(C)SC2C(NC(=O)Cc3ccccc3)C(=O)N2C1C(=O)OCC(=O)NC1CCCCC1CCNC(=O)c1ccc2ccccc2c1"
	s := start(t, func(o *server.Options) {
		c := greed.New()
		var records []greed.Record
		for i, smiles := range []string{
			"CN1C2CCC1CC(C2)OC(=O)C(CO)c1ccccc1CCNC(=O)C1CCC(CC1)C(=O)NCCc1ccc(O)c(O)c1C(F)(F)F",
			"COc1ccc2nccc(C(O)C3CC4CCN3CC4C=C)c2c1CCOC(=O)c1cc(Cl)cc(Br)c1NC(=O)CCC1CCCCC1S(=O)C",
		} {
			g, err := c.ParseSMILES(smiles)
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, greed.Record{ID: string(rune('a' + i)), SMILES: smiles, Graph: g})
		}
		if _, err := c.Put(t.Context(), records...); err != nil {
			t.Fatal(err)
		}
		o.Hosted = []server.Hosted{{Name: "hard", Collection: c}}
		o.Limits.Solver, o.Limits.SolverQueue, o.Limits.Time = 1, 1, time.Hour
	})
	body := `{"query":{"smiles":"` + hard + `"},"k":2,"mode":"proven","time_limit":"1h"}`
	r, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+"/v1/collections/hard/search", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/x-ndjson")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 500 * time.Millisecond}
	if answer, err := client.Do(r); err == nil {
		_, err = bufio.NewReader(answer.Body).ReadString(0)
		answer.Body.Close()
		if err == nil {
			t.Fatal("the search was done before the client could go")
		}
	}
	s.ask(t, "POST", "/v1/distance", `{"query":{"smiles":"CCO"},"target":{"smiles":"CCN"}}`).want(t, 200)
}

// TestRecallIsSaidOrRefused: over HTTP a search has a recall where its model was calibrated on the collection.
func TestRecallIsSaidOrRefused(t *testing.T) {
	bundled, err := greed.Bundled(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, func(o *server.Options) { o.Hosted = []server.Hosted{{Name: "nci", Collection: bundled}} })
	body := func(more string) string {
		return `{"query":{"smiles":"CC(=O)Oc1ccccc1C(=O)O"},"mode":"predicted","recall":0.99,` + more + `}`
	}
	got := into[greed.Found](t, s.ask(t, "POST", "/v1/collections/nci/search", body(`"radius":3`)).want(t, 200))
	if got.Recall == nil || got.Recall.Share != .99 || got.Recall.Cut <= 3 || !strings.Contains(got.Verdict, "not proven") || len(got.Answers) < 10 {
		t.Errorf("%+v, %s, %d answers", got.Recall, got.Verdict, len(got.Answers))
	}
	for more, says := range map[string]string{
		`"radius":1`: "129 of the 500 queries", `"radius":9`: "within a radius of 8, not 9", `"k":3`: "radius", `"radius":3,"k":3`: "leave out k",
		`"radius":3,"filter":["id exists"]`: "filter", `"radius":3,"no_model":true`: "no_model",
	} {
		s.ask(t, "POST", "/v1/collections/nci/search", body(more)).want(t, 422, says)
	}
}
