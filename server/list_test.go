package server_test

import (
	"strings"
	"testing"

	"github.com/greedgraph/greed/server"
)

// TestAnswersHoldWhatARequestMay: lists of whole graphs end where a request may hold no more of them, a kilobyte for
// each node and edge, and go on where they ended.
func TestAnswersHoldWhatARequestMay(t *testing.T) {
	s := start(t, func(o *server.Options) { o.Limits.Memory = 8 << 10 })
	const path = "/v1/collections/own/graphs"
	s.ask(t, "POST", path, `{"put":[{"id":"x1","smiles":"CCC"},{"id":"x2","smiles":"CCC"},{"id":"x3","smiles":"CCC"}]}`, "Content-Type", "application/json").want(t, 200)
	type page struct {
		Graphs []struct{ ID string }
		Next   string
	}
	// A graph of 5 elements is held, and the one that goes beyond 8 is the last.
	var parts []string
	for next := ""; ; {
		p := into[page](t, s.ask(t, "GET", path+"?whole=true&filter=id%20in%20x1,x2,x3"+next, "").want(t, 200))
		var ids []string
		for _, g := range p.Graphs {
			ids = append(ids, g.ID)
		}
		if parts = append(parts, strings.Join(ids, " ")); p.Next == "" {
			break
		}
		next = "&cursor=" + p.Next
	}
	if got := strings.Join(parts, " | "); got != "x1 x2 | x3" {
		t.Errorf("parts %s", got)
	}
	if p := into[page](t, s.ask(t, "GET", path+"?filter=id%20in%20x1,x2,x3", "").want(t, 200)); len(p.Graphs) != 3 {
		t.Errorf("without nodes and edges there are %+v", p)
	}
	type records struct {
		Records []struct{ ID string }
		More    bool
	}
	if r := into[records](t, s.ask(t, "POST", "/v1/records", `{"text":"CCC\nCCC\nCCC\n"}`).want(t, 200)); len(r.Records) != 2 || !r.More {
		t.Errorf("of a text there are %+v", r)
	}
}
