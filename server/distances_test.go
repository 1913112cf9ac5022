package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/server"
)

// TestDistancesOfMany: each pair is answered as if it were alone, and one that is wrong
// spoils no other.
func TestDistancesOfMany(t *testing.T) {
	s := start(t, nil)
	directed := `{"graph":{"directed":true,"nodes":[{"id":0,"label":"C"}],"edges":[]}}`
	pairs := [][2]string{
		{`{"smiles":"CCO"}`, `{"smiles":"CCN"}`}, {`{"smiles":"C1"}`, `{"smiles":"C"}`}, {`{"smiles":"C"}`, directed}, {directed, directed},
		{`{"smiles":"C"}`, `{"id":"m0"}`}, {`{"graph":{"nodes":[],"edges":[]}}`, `{"smiles":"CC"}`},
	}
	status := []int{200, 422, 422, 200, 422, 200}
	var texts []string
	for _, p := range pairs {
		texts = append(texts, fmt.Sprintf(`{"query":%s,"target":%s}`, p[0], p[1]))
	}
	for _, task := range []string{"ged", "sed"} {
		body := fmt.Sprintf(`{"pairs":[%s],"task":%q,"explain":true}`, strings.Join(texts, ","), task)
		all := into[server.Distances](t, s.ask(t, "POST", "/v1/distances", body).want(t, 200))
		if len(all.Results) != len(pairs) {
			t.Fatalf("results %+v", all)
		}
		for i, r := range all.Results {
			alone := s.ask(t, "POST", "/v1/distance", fmt.Sprintf(`{"query":%s,"target":%s,"task":%q,"explain":true}`, pairs[i][0], pairs[i][1], task)).want(t, status[i])
			if r.Pair != i || (r.Distance == nil) == (r.Problem == nil) || r.Problem != nil && r.Problem.Status != status[i] {
				t.Errorf("%s, pair %d: %+v", task, i, r)
				continue
			}
			if status[i] != 200 {
				continue
			}
			want, got := into[greed.Comparison](t, alone), r.Distance
			if got.Lower != want.Lower || got.Upper != want.Upper || !got.Exact || len(got.Map) != len(want.Map) || len(got.Edits) != len(want.Edits) || got.Common != want.Common {
				t.Errorf("%s, pair %d: %+v, alone %+v", task, i, got, want)
			}
		}
		lines := s.ask(t, "POST", "/v1/distances", body, "Accept", "application/x-ndjson").want(t, 200)
		if got := strings.Count(lines.body, "\n"); got != len(pairs) {
			t.Errorf("%d lines: %s", got, lines.body)
		}
	}
	// Nodes are given in advance for one pair alone, and no description says otherwise.
	s.ask(t, "POST", "/v1/distances", `{"pairs":[{"query":{"smiles":"C"},"target":{"smiles":"C"}}],"fix":"0:0"}`).want(t, 422, "fix")
	s.ask(t, "POST", "/v1/distance", `{"query":{"smiles":"C"},"target":{"smiles":"O"},"fix":"0:0","costs":"mces"}`).want(t, 422, "no node labelled C becomes one labelled O")
	described := into[struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}](t, s.ask(t, "GET", "/openapi.json", "").want(t, 200)).Components.Schemas
	for name, has := range map[string]bool{"DistancesRequest": false, "DistancesToRequest": false, "DistanceRequest": true} {
		if fields := described[name].Properties; (fields["fix"] != nil) != has || fields["within"] == nil {
			t.Errorf("%s has %v", name, fields)
		}
	}
	ids := into[server.Distances](t, s.ask(t, "POST", "/v1/collections/mols/distances", `{"query":{"smiles":"CCO"},"ids":["m0","none","m1","m0"]}`).want(t, 200))
	for i, want := range []float64{0, -1, 1, 0} {
		r := ids.Results[i]
		if want < 0 && (r.Problem == nil || r.Problem.Status != 404) || want >= 0 && (r.Distance == nil || r.Distance.Upper != want || r.Distance.Edits != nil) {
			t.Errorf("target %d: %+v", i, r)
		}
	}
	for body, says := range map[string]string{
		`{"pairs":[]}`: "pairs", `{"pairs":[` + texts[0] + `],"time_limit":"1h"}`: "at most", `{"pairs":[` + texts[0] + `],"task":"x"}`: "task",
		`{"pairs":[` + strings.Repeat(texts[0]+",", 1000) + texts[0] + `]}`: "1000",
	} {
		s.ask(t, "POST", "/v1/distances", body).want(t, 422, says)
	}
	s.ask(t, "POST", "/v1/collections/mols/distances", `{"query":`+directed+`,"ids":["m0"]}`).want(t, 422, "directed")
	s.ask(t, "POST", "/v1/collections/none/distances", `{"query":{"smiles":"C"},"ids":["m0"]}`).want(t, 404)
	s.ask(t, "POST", "/v1/distances", `{"pairs":[`+texts[0]+`]}`, "Accept", "text/csv").want(t, 406)

	// With a collection its ids count, and its costs.
	among := into[server.Distances](t, s.ask(t, "POST", "/v1/distances", `{"collection":"mols","pairs":[{"query":{"smiles":"CCO"},"target":{"id":"m1"}},{"query":{"id":"m1"},"target":{"id":"none"}}]}`).want(t, 200))
	if d := among.Results[0].Distance; d == nil || d.Upper != ids.Results[2].Distance.Upper || among.Results[1].Problem == nil {
		t.Errorf("among the graphs of a collection: %+v", among)
	}
	s.ask(t, "POST", "/v1/distances", `{"collection":"none","pairs":[`+texts[0]+`]}`).want(t, 404)
}

// TestAnswersInParts: the parts of a search together are the whole, in the order of
// distances and ids, and each answer is in one of them, even if the collection changes
// in between.
func TestAnswersInParts(t *testing.T) {
	s := start(t, nil)
	type answers struct {
		Total   int
		Next    string
		Status  string
		Answers []struct {
			ID    string
			Upper *float64
			Map   []int
		}
	}
	const path = "/v1/collections/own/search"
	for _, mode := range []string{"proven", "checked", "predicted"} {
		for _, limit := range []int{1, 3, 10, 100} {
			whole := into[answers](t, s.ask(t, "POST", path, fmt.Sprintf(`{"query":{"smiles":"CCO"},"radius":9,"mode":%q}`, mode)).want(t, 200))
			seen, cursor := map[string]bool{}, ""
			last := -1.0
			for range 20 {
				part := into[answers](t, s.ask(t, "POST", path, fmt.Sprintf(`{"query":{"smiles":"CCO"},"radius":9,"mode":%q,"limit":%d,"explain":true%s}`, mode, limit, cursor)).want(t, 200))
				if len(part.Answers) > limit || part.Total != len(whole.Answers) {
					t.Fatalf("%s, %d: %+v", mode, limit, part)
				}
				for _, a := range part.Answers {
					if seen[a.ID] {
						t.Errorf("%s: %s twice", mode, a.ID)
					}
					seen[a.ID] = true
					if a.Upper == nil {
						continue
					}
					if *a.Upper < last || a.Map == nil {
						t.Errorf("%s: %+v after %v", mode, a, last)
					}
					last = *a.Upper
				}
				if part.Next == "" {
					break
				}
				cursor = fmt.Sprintf(`,"cursor":%q`, part.Next)
			}
			if len(seen) != len(whole.Answers) || len(seen) < 5 {
				t.Errorf("%s, parts of %d: %d answers, whole %d", mode, limit, len(seen), len(whole.Answers))
			}
		}
	}
	first := into[answers](t, s.ask(t, "GET", path+"?smiles=CCO&radius=9&limit=2", "").want(t, 200))
	s.ask(t, "PUT", "/v1/collections/own/graphs/0first", `{"smiles":"CCO"}`).want(t, 200)
	s.ask(t, "DELETE", "/v1/collections/own/graphs/"+first.Answers[1].ID, "").want(t, 200)
	second := into[answers](t, s.ask(t, "GET", path+"?smiles=CCO&radius=9&limit=100&cursor="+first.Next, "").want(t, 200))
	if len(second.Answers) != first.Total-2 || second.Total != first.Total {
		t.Errorf("%d answers behind 2 of %d; %d now", len(second.Answers), first.Total, second.Total)
	}
	s.ask(t, "POST", path, `{"query":{"smiles":"CCO"},"radius":0.5,"filter":["id=m1"],"limit":2}`).want(t, 200, `"answers":[]`, `"total":0`)
	lines := strings.Split(strings.TrimSpace(s.ask(t, "POST", path, `{"query":{"smiles":"CCO"},"radius":9,"limit":2}`, "Accept", "application/x-ndjson").want(t, 200).body), "\n")
	var line struct{ Found answers }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &line); err != nil || len(line.Found.Answers) != 2 || line.Found.Next == "" {
		t.Errorf("last line %s (%v)", lines[len(lines)-1], err)
	}
	for query, says := range map[string]string{
		"radius=3&cursor=" + first.Next: "goes with limit", "limit=3": "give a radius", "radius=3&k=4&limit=3": "no k",
		"radius=3&limit=3&cursor=xxx": "not one that was given", "radius=3&limit=9999999": "at most", "radius=3&limit=0": "limit", "radius=3&limit=3&cursor=": "empty",
	} {
		s.ask(t, "GET", path+"?smiles=CCO&"+query, "").want(t, 422, says)
	}
	s.ask(t, "GET", path+"?smiles=CCO&radius=3&limit=3", "", "Accept", "text/csv").want(t, 406, "cursor")
}

// TestDiff: what differs comes in groups, by the names of nodes that have no labels.
func TestDiff(t *testing.T) {
	s := start(t, nil)
	d := into[greed.Difference](t, s.ask(t, "POST", "/v1/diff", `{"query":{"smiles":"OCCCCN"},"target":{"smiles":"SCCCCF"}}`).want(t, 200))
	if len(d.Groups) != 2 || *d.Lower != 2 || !d.Exact || len(d.Map) != 6 || d.Groups[0].Changes[0].Kind != diff.Renamed || len(d.Groups[0].Changes[0].Edits) != 1 {
		t.Errorf("%+v", d)
	}
	if body := s.ask(t, "POST", "/v1/diff", `{"query":{"smiles":"CCO"},"target":{"smiles":"CC"}}`).want(t, 200, `"query":[2]`).body; strings.Contains(body, "null") {
		t.Errorf("a list is null: %s", body)
	}
	named := into[greed.Difference](t, s.ask(t, "POST", "/v1/diff", `{"query":{"text":"digraph { main -> parse }"},"target":{"text":"digraph { main -> scan }"}}`).want(t, 200))
	if len(named.Groups) != 1 || named.Groups[0].Changes[0].Edits[0].From != "parse" {
		t.Errorf("%+v", named)
	}
	versions := `{"query":{"text":"digraph { main -> load; main -> run; load -> open }"},"target":{"text":"digraph { main -> load2; main -> run; load2 -> open; load2 -> load }"}`
	s.ask(t, "POST", "/v1/diff", versions+`}`).want(t, 200, `"upper":6,"exact":true,"match":"names","fixed":[[0,0],`, `"summary":["1 added (load2)"`)
	s.ask(t, "POST", "/v1/diff", versions+`,"match":"cost"}`).want(t, 200, `"upper":3,"exact":true,"match":"cost","groups"`)
	s.ask(t, "POST", "/v1/diff", `{"query":{"smiles":"C"},"target":{"smiles":"C"}}`).want(t, 200, `"groups":[]`)
	s.ask(t, "POST", "/v1/diff", `{"collection":"mols","query":{"id":"m0"},"target":{"id":"m1"},"costs":"chem1"}`).want(t, 200, `"groups":[{`)
	for body, wrong := range map[string]string{
		`{"query":{"smiles":"C"},"target":{"text":"digraph{a->b}"}}`:                      "directed",
		`{"query":{"id":"m0"},"target":{"smiles":"C"}}`:                                   "none is named",
		`{"query":{"smiles":"C"},"target":{"smiles":"C"},"fix":"0:0"}`:                    "fix",
		`{"query":{"smiles":"C"},"target":{"smiles":"C"},"match":"name"}`:                 "match",
		`{"query":{"smiles":"C"},"target":{"smiles":"C"},"time_limit":"-1s"}`:             "time_limit",
		`{"collection":"none","query":{"smiles":"C"},"target":{"smiles":"C"},"task":"x"}`: "task",
	} {
		s.ask(t, "POST", "/v1/diff", body).want(t, 422, wrong)
	}
	s.ask(t, "POST", "/v1/mcs", `{"collection":"mols","query":{"id":"m0"},"target":{"id":"m0"}}`).want(t, 200, `"exact":true`)
}
