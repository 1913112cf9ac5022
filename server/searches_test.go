package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/server"
)

// TestSearchMany: each query is answered as if it were alone.
func TestSearchMany(t *testing.T) {
	s := start(t, nil)
	const path = "/v1/collections/mols/searches"
	for _, mode := range []string{"proven", "checked", "predicted"} {
		body := fmt.Sprintf(`{"queries":[{"smiles":"CCO"},{"smiles":"C1"},{"id":"m6"},{"id":"none"},{"graph":{"directed":true,"nodes":[{"id":0}],"edges":[]}},{"tve":"t # 0\nv 0 C\n"},{}],"k":3,"mode":%q}`, mode)
		all := into[server.Searches](t, s.ask(t, "POST", path, body).want(t, 200))
		if len(all.Results) != 7 {
			t.Fatalf("results %+v", all)
		}
		for i, status := range []int{200, 422, 200, 404, 422, 200, 422} {
			r := all.Results[i]
			if r.Query != i || (r.Found != nil) == (r.Problem != nil) || status == 200 && r.Found == nil || status != 200 && (r.Problem.Status != status || r.Problem.Request == "") {
				t.Errorf("%s, query %d: %+v, want %d", mode, i, r, status)
			}
		}
		for i, query := range map[int]string{0: `{"smiles":"CCO"}`, 2: `{"id":"m6"}`} {
			alone := s.ask(t, "POST", "/v1/collections/mols/search", fmt.Sprintf(`{"query":%s,"k":3,"mode":%q}`, query, mode)).want(t, 200)
			want := into[struct{ Answers json.RawMessage }](t, alone)
			got, err := json.Marshal(all.Results[i].Found.Answers)
			if err != nil || string(got) != string(want.Answers) {
				t.Errorf("%s: %s, alone %s (%v)", mode, got, want.Answers, err)
			}
		}
		lines := s.ask(t, "POST", path, body, "Accept", "application/x-ndjson").want(t, 200)
		if got := strings.Split(strings.TrimSpace(lines.body), "\n"); len(got) != 7 {
			t.Errorf("%d lines: %s", len(got), lines.body)
		}
		for line := range strings.Lines(lines.body) {
			if err := json.Unmarshal([]byte(line), new(server.SearchResult)); err != nil {
				t.Errorf("%v: %s", err, line)
			}
		}
	}
	for body, says := range map[string]string{
		`{"queries":[]}`: "queries", `{"queries":[{"smiles":"C"}],"k":0}`: "k", `{"queries":[{"smiles":"C"}],"time_limit":"1h"}`: "at most", `{"queries":[{"smiles":"C"}],"filter":["x"]}`: "filter",
		`{"queries":[{"smiles":"C","SMILES":"C"}]}`:                                  "is written",
		`{"queries":[` + strings.Repeat(`{"smiles":"C"},`, 100) + `{"smiles":"C"}]}`: "100",
	} {
		s.ask(t, "POST", path, body).want(t, 422, says)
	}
	s.ask(t, "POST", path, `{"queries":[{"smiles":"C"}]}`, "Accept", "text/csv").want(t, 406)
	s.ask(t, "POST", "/v1/collections/none/searches", `{"queries":[{"smiles":"C"}]}`).want(t, 404)
}

// TestManyHardQueries share the budget of the request, and leave their permit with
// their client.
func TestManyHardQueries(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Hosted = []server.Hosted{{Name: "hard", Collection: hardCollection(t)}}
		o.Limits.Solver, o.Limits.Time = 1, time.Second
	})
	query := fmt.Sprintf(`{"smiles":%q}`, hard[0])
	body := `{"queries":[` + strings.Repeat(query+",", 9) + query + `],"k":2}`
	all := into[server.Searches](t, s.ask(t, "POST", "/v1/collections/hard/searches", body).want(t, 200))
	spent := 0.0
	for i, r := range all.Results {
		if i > 0 && r.Found == nil && strings.Contains(r.Problem.Detail, "before this one's turn") {
			continue // on a busy machine those before it take longer than their shares
		}
		if r.Found == nil || r.Found.Status != "open" {
			t.Fatalf("result %+v, %+v", r, r.Problem)
		}
		spent += r.Found.Seconds.Check
	}
	if spent > 30 { // one request alone may have 1 s; ten would have 10 each by default
		t.Errorf("the solver worked for %v s", spent)
	}
}

func TestManyAnswersHaveALimit(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Answers, o.Limits.Time = 10, time.Hour })
	body := `{"queries":[` + strings.Repeat(`{"smiles":"CCO"},`, 19) + `{"smiles":"CCO"}],"radius":100,"mode":"checked","time_limit":"1h"}`
	all := into[server.Searches](t, s.ask(t, "POST", "/v1/collections/mols/searches", body).want(t, 200))
	answered := 0
	for _, r := range all.Results {
		if r.Found != nil {
			answered++
		} else if r.Problem.Status != 422 || !strings.Contains(r.Problem.Detail, "the most for one request") {
			t.Errorf("result %+v", r)
		}
	}
	if answered != 11 {
		t.Errorf("%d of 20 queries with 10 answers each are answered, want 11", answered)
	}
}
