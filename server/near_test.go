package server_test

import (
	"fmt"
	"testing"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/server"
)

func TestNearPairs(t *testing.T) {
	s := start(t, nil)
	const join, cliffs = "/v1/collections/mols/join", "/v1/collections/mols/cliffs"
	j := into[greed.Joined](t, s.ask(t, "POST", join, `{"radius":2}`).want(t, 200))
	if j.Total != 7 || len(j.Pairs) != 7 || j.Pairs[0].Upper != 1 || j.Status != "proven" || j.Question.TimeLimit != "10s" || j.Graphs != len(molecules) {
		t.Errorf("%+v", j)
	}
	j = into[greed.Joined](t, s.ask(t, "POST", join, `{"radius":2,"k":2,"filter":["number<3"],"time_limit":"3s"}`).want(t, 200))
	if j.Total != 3 || len(j.Pairs) != 2 || j.Graphs != 3 || j.Pairs[0].QuerySMILES != "CCO" {
		t.Errorf("filtered: %+v", j)
	}
	j = into[greed.Joined](t, s.ask(t, "POST", join, `{"radius":0,"other":"mols","task":"sed"}`).want(t, 200))
	if j.Others != len(molecules) || j.Total < len(molecules) {
		t.Errorf("between two: %+v", j)
	}
	c := into[greed.Cliffs](t, s.ask(t, "POST", cliffs, `{"attribute":"number","k":1}`).want(t, 200))
	if len(c.Pairs) != 1 || c.Total.Pairs != 7 || c.Known != 7 || *c.Pairs[0].Change != 7 || *c.Radius != 2 || len(c.Effects) != 1 {
		t.Errorf("%+v", c)
	}
	s.ask(t, "POST", cliffs, `{}`).want(t, 200)
	for path, bodies := range map[string]map[string]string{
		join: {
			`{}`: "radius", `{"radius":-1}`: "radius", `{"radius":1,"task":"mcs"}`: "task", `{"radius":1,"k":0}`: "k", `{"radius":1,"k":1001}`: "want 1 to",
			`{"radius":1,"time_limit":"none"}`: "time_limit", `{"radius":1,"time_limit":"31s"}`: "30s", `{"radius":1,"filter":["wieght<3"]}`: "the attributes are",
			`{"radius":1,"costs":"none"}`: "costs", `{"radius":1,"attribute":"number"}`: "attribute",
		},
		cliffs: {
			`{"attribute":"wieght"}`: "the attributes are", `{"radius":"x"}`: "radius", `{"query":{"id":"m0"}}`: "query", `{"attribute":""}`: "attribute",
		},
	} {
		for body, says := range bodies {
			s.ask(t, "POST", path, body).want(t, 422, says)
		}
	}
	s.ask(t, "GET", "/v1/collections/mols/search?smiles=CCO&radius=inf", "").want(t, 422, "want a finite distance")
	s.ask(t, "POST", "/v1/collections/none/join", `{"radius":1}`).want(t, 404, "mols, own")
	s.ask(t, "POST", join, `{"radius":1,"other":"none"}`).want(t, 404, "mols, own")
}

// TestNearPairsLimited: more pairs than a request may hold, or than it may list, are refused,
// and an answer that was cut short by time says what is open.
func TestNearPairsLimited(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Answers, o.Limits.Memory = 5, 40<<11 })
	const join, cliffs = "/v1/collections/mols/join", "/v1/collections/mols/cliffs"
	for path, all := range map[string]string{join: `{"radius":2`, cliffs: `{"radius":2`} {
		s.ask(t, "POST", path, all+`}`).want(t, 422, "7 pairs", "at most 5", "first k")
		s.ask(t, "POST", path, all+`,"k":5}`).want(t, 200)
		s.ask(t, "POST", path, `{"radius":99,"k":1}`).want(t, 422, "more than 40", "smaller radius")
	}
	open := into[greed.Joined](t, s.ask(t, "POST", join, `{"radius":2,"time_limit":"1ns"}`).want(t, 200))
	if open.Status != "open" || open.Open.Graphs != len(molecules) {
		t.Errorf("%+v", open)
	}
	s = start(t, func(o *server.Options) {
		o.Hosted = []server.Hosted{{Name: "hard", Collection: hardCollection(t)}}
	})
	for _, path := range []string{"join", "cliffs"} {
		for _, limit := range []time.Duration{50 * time.Millisecond, 500 * time.Millisecond} {
			late := gedtest.Late(t, limit, 2*time.Second, func() {
				s.ask(t, "POST", "/v1/collections/hard/"+path, fmt.Sprintf(`{"radius":20,"time_limit":%q}`, limit)).want(t, 200, `"status":"open"`)
			})
			if late > 2*time.Second {
				t.Errorf("%s within %v is %v late", path, limit, late)
			}
		}
	}
}

func TestNearTools(t *testing.T) {
	client := assistant(t, start(t, nil))
	got, wrong := use(t, client, "join", map[string]any{"collection": "mols", "radius": 2, "k": 1})
	pairs, _ := got["pairs"].([]any)
	if wrong != "" || got["status"] != "proven" || got["total"] != 7.0 || len(pairs) != 1 || pairs[0].(map[string]any)["upper"] != 1.0 {
		t.Errorf("join: %v %s", got, wrong)
	}
	got, wrong = use(t, client, "cliffs", map[string]any{"collection": "mols", "attribute": "number", "other": "mols"})
	duplicates, _ := got["duplicates"].([]any)
	if wrong != "" || got["known"] != 24.0 || len(duplicates) != 10 || got["transformations"].([]any)[0].(map[string]any)["mean"] == nil {
		t.Errorf("cliffs: %v %s", got, wrong)
	}
}
