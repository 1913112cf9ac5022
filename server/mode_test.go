package server_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/server"
)

// TestModes: answers are proven unless something else is asked for, and say what
// they are in every form.
func TestModes(t *testing.T) {
	s := start(t, nil)
	const path = "/v1/collections/mols/search?smiles=CCO&k=3"
	for query, status := range map[string]string{"": "proven", "&mode=proven": "proven", "&mode=checked": "proven", "&mode=predicted": "predicted"} {
		r := s.ask(t, "GET", path+query, "").want(t, 200)
		found := into[greed.Found](t, r)
		if string(found.Status) != status || found.Certified != (status == "proven") || found.Verdict == "" {
			t.Errorf("%q: status %s, certified %v, %q", query, found.Status, found.Certified, found.Verdict)
		}
		for _, a := range found.Answers {
			if predicted := status == "predicted"; (a.Upper == nil) != predicted || (a.GED == nil) != predicted || a.Predicted == nil {
				t.Errorf("%q: answer %+v", query, a)
			}
		}
		table := s.ask(t, "GET", path+query, "", "Accept", "text/csv").want(t, 200)
		if rows := strings.Split(strings.TrimSpace(table.body), "\n"); !strings.HasSuffix(rows[1], ","+status) || table.header.Get("X-Greed-Status") != status {
			t.Errorf("%q: CSV %v", query, rows)
		}
		s.ask(t, "GET", path+query, "", "Accept", "chemical/x-mdl-sdfile").want(t, 200, "<status>\n"+status)
		lines := s.ask(t, "GET", path+query, "", "Accept", "application/x-ndjson").want(t, 200)
		s.ask(t, "GET", path+query, "").want(t, 200)
		if !strings.Contains(lines.body, `"status":"`+status+`"`) {
			t.Errorf("%q: NDJSON %s", query, lines.body)
		}
	}
}

// TestProofsThatRunOut say what they leave open.
func TestProofsThatRunOut(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Hosted = []server.Hosted{{Name: "hard", Collection: hardCollection(t)}}
	})
	r := s.ask(t, "POST", "/v1/collections/hard/search", fmt.Sprintf(`{"query":{"smiles":%q},"k":1,"time_limit":"200ms"}`, hard[0])).want(t, 200)
	found := into[greed.Found](t, r)
	if found.Status != greed.StatusOpen || found.Certified || found.Open.Missing+found.Open.Inexact == 0 {
		t.Errorf("found %s", r.body)
	}
	if a := found.Answers[0]; a.Lower == nil || a.Upper == nil || *a.Lower > *a.Upper || a.GED != nil {
		t.Errorf("the answer is %+v", a)
	}
}

// TestWithoutAModel nothing is predicted, and answers are proven all the same.
func TestWithoutAModel(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Hosted = []server.Hosted{{Name: "hard", Collection: hardCollection(t)}}
	})
	s.ask(t, "GET", "/v1/collections/hard/search?smiles=CCO&mode=predicted", "").want(t, 409, "no model")
	s.ask(t, "GET", "/v1/collections/hard/search?smiles=CCO", "").want(t, 200, `"status":"proven"`)
	s.ask(t, "GET", "/v1/collections/hard/search", "").want(t, 422, "give a query: ?smiles= or ?smarts= or ?id= in the address, or POST it")
	s.ask(t, "GET", "/v1/collections/hard/searches", "").want(t, 405, "GET is not for this path, which accepts POST")
}

// TestStreamsTellTheBestSoFar, and never one that the outcome shows to be wrong.
func TestStreamsTellTheBestSoFar(t *testing.T) {
	s := start(t, func(o *server.Options) {
		o.Hosted = []server.Hosted{{Name: "hard", Collection: hardCollection(t)}}
	})
	r := s.ask(t, "POST", "/v1/collections/hard/search", fmt.Sprintf(`{"query":{"smiles":%q},"k":2,"time_limit":"500ms"}`, hard[0]), "Accept", "application/x-ndjson").want(t, 200)
	var best []server.Checked
	var found *greed.Found
	lines := bufio.NewScanner(strings.NewReader(r.body))
	for lines.Scan() {
		var line struct {
			server.StreamLine
			Found *greed.Found `json:"found"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if line.Best != nil {
			best = line.Best
		}
		found = line.Found
	}
	if len(best) == 0 || found == nil {
		t.Fatalf("best %v, found %v", best, found)
	}
	if !slices.IsSortedFunc(best, func(a, b server.Checked) int { return int(a.Upper - b.Upper) }) {
		t.Errorf("the best are %+v", best)
	}
	for _, b := range best {
		i := slices.IndexFunc(found.Answers, func(a greed.Answer) bool { return a.ID == b.ID })
		if i < 0 || b.SMILES != found.Answers[i].SMILES || b.Lower > *found.Answers[i].Upper || b.Upper < *found.Answers[i].Lower {
			t.Errorf("%+v is not among the answers %+v", b, found.Answers)
		}
	}
}
