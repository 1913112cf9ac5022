package server_test

import (
	"path/filepath"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/server"
)

// TestSeveral: a collection of several indexes is served, but for its changes. One that is missing is named, without
// its folder, and what needs all graphs is refused.
func TestSeveral(t *testing.T) {
	dir := t.TempDir()
	index := filepath.Join(dir, "first.index")
	if err := collection(t).Save(index); err != nil {
		t.Fatal(err)
	}
	s := start(t, func(o *server.Options) {
		several := open(t, index+","+filepath.Join(dir, "second.index"))
		o.Hosted = []server.Hosted{{Name: "several", Collection: several, Writable: true}}
	})
	const of = "/v1/collections/several"
	r := s.ask(t, "GET", of, "").want(t, 200)
	info := into[server.Info](t, r)
	if info.Writable || len(info.Unsearched) != 1 || info.Unsearched[0].Index != "second.index" || strings.Contains(r.body, dir) {
		t.Errorf("%s", r.body)
	}
	r = s.ask(t, "POST", of+"/search", `{"query": {"smiles": "CCO"}, "k": 1}`).want(t, 200)
	found := into[greed.Found](t, r)
	if found.Status != greed.StatusOpen || len(found.Answers) != 1 || len(found.Open.Unsearched) != 1 ||
		!strings.Contains(found.Verdict, "second.index") || strings.Contains(r.body, dir) {
		t.Errorf("%s", r.body)
	}
	for path, body := range map[string]string{
		"/join": `{"radius": 1}`, "/cliffs": `{"radius": 1, "attribute": "mass"}`, "/sar": `{"core": "C"}`,
		"/parts": `{"query": {"smiles": "CCO"}}`,
	} {
		if r := s.ask(t, "POST", of+path, body).want(t, 409, "second.index"); strings.Contains(r.body, dir) {
			t.Errorf("%s: %s", path, r.body)
		}
	}
	s.ask(t, "GET", of+"/graphs/nobody", "").want(t, 404, "which lacks second.index: it is missing")
	s.ask(t, "POST", of+"/certify", `{"query": {"smiles": "CCO"}, "k": 1}`).want(t, 422, "second.index")
	if r := s.ask(t, "PUT", of+"/graphs/x", `{"smiles": "CCO"}`).want(t, 409, "first.index"); strings.Contains(r.body, dir) {
		t.Errorf("%s", r.body)
	}
}
