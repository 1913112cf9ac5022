package server_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// TestSameIDs: an id that several indexes have finds none of their graphs, which is said wherever it is named, also in
// the log.
func TestSameIDs(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{"first.index", "second.index"} {
		paths = append(paths, filepath.Join(dir, name))
		if err := collection(t).Save(paths[len(paths)-1]); err != nil {
			t.Fatal(err)
		}
	}
	one := open(t, paths[1])
	if _, err := one.Delete(t.Context(), "m1"); err != nil {
		t.Fatal(err)
	}
	s := start(t, func(o *server.Options) {
		o.Hosted = []server.Hosted{{Name: "several", Collection: open(t, strings.Join(paths, ","))}}
	})
	const of, says = "/v1/collections/several", "several indexes have the id, and it names none of their graphs: first.index, second.index"
	s.ask(t, "GET", of+"/graphs/m1", "").want(t, 200)
	s.ask(t, "GET", of+"/graphs/m0", "").want(t, 409, says)
	for path, body := range map[string]string{
		"/search": `{"query": {"id": "m0"}, "k": 1}`, "/sdf": `{"ids": ["m1", "m0"]}`, "/vectors": `{"like": ["m0"], "k": 1, "embedding": "ged"}`,
	} {
		s.ask(t, "POST", of+path, body).want(t, 409, says)
	}
	s.ask(t, "POST", of+"/distances", `{"query": {"id": "m1"}, "ids": ["m0"]}`).want(t, 200, `"status":409`, says)
	s.ask(t, "POST", of+"/search", `{"query": {"id": "m1"}, "radius": 0}`).want(t, 200)
	s.ask(t, "POST", of+"/search", fmt.Sprintf(`{"query": {"smiles": %q}, "k": 1}`, molecules[0])).
		want(t, 200, "m0 in first.index, second.index")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go s.Refresh(ctx)
	for !strings.Contains(s.log.String(), `"first":"m0","indexes":["first.index","second.index"]`) {
		time.Sleep(5 * time.Millisecond)
	}
}
