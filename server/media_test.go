package server_test

import (
	"os"
	"strings"
	"testing"

	"github.com/greedgraph/greed/server"
)

// TestMediaTypesInAnyCase: media types of bodies and answers are the same in any case, and with
// parameters.
func TestMediaTypesInAnyCase(t *testing.T) {
	s := start(t, nil)
	const pair = `{"query":{"smiles":"C"},"target":{"smiles":"N"}}`
	for _, kind := range []string{"Application/JSON", "APPLICATION/JSON; charset=utf-8", "application/json ;charset=UTF-8"} {
		s.ask(t, "POST", "/v1/distance", pair, "Content-Type", kind).want(t, 200, `"upper":1`)
		s.ask(t, "PUT", "/v1/collections/own/graphs/new", `{"smiles":"C"}`, "Content-Type", kind).want(t, 200)
		s.ask(t, "POST", "/v1/collections/own/graphs", `{"put":[{"id":"a","smiles":"C"}]}`, "Content-Type", kind).want(t, 200)
	}
	s.ask(t, "POST", "/v1/collections/own/graphs", `{"id":"a","smiles":"C"}`, "Content-Type", "Application/X-NDJSON").want(t, 200)
	s.ask(t, "POST", "/v1/collections/mols/search", `{"query":{"smiles":"C"}}`, "Accept", "Text/CSV").want(t, 200, "rank,id")
	s.ask(t, "POST", "/v1/distance", pair, "Content-Type", "text/plain").want(t, 415)
}

// TestAccept: the most wanted type of those that there are, where a type's own weight counts and not that of a star.
func TestAccept(t *testing.T) {
	s := start(t, nil)
	for accept, want := range map[string]string{
		"application/json;q=0, */*": "application/x-ndjson", "application/*;q=0, text/csv;q=0, */*;q=0.1": "chemical/x-mdl-sdfile", "text/*": "text/csv", "*/*": "application/json",
		"text/html, */*;q=0.8": "application/json", "text/csv, application/json": "text/csv", "application/json;q=0.5, text/csv;q=x": "application/json",
		"application/problem+json": "application/json", "application/jsonl": "application/x-ndjson",
	} {
		r := s.ask(t, "GET", "/v1/collections/mols/search?smiles=CCO&mode=predicted", "", "Accept", accept).want(t, 200)
		if got, _, _ := strings.Cut(r.header.Get("Content-Type"), ";"); got != want {
			t.Errorf("%s: %s, want %s", accept, got, want)
		}
	}
	for _, accept := range []string{"application/json;q=0", "text/*;q=0", "text/html", "*/*;q=0"} {
		s.ask(t, "GET", "/v1/collections/mols/search?smiles=CCO", "", "Accept", accept).want(t, 406, "chemical/x-mdl-sdfile, not as")
	}
	const pairs = `{"pairs":[{"query":{"smiles":"C"},"target":{"smiles":"N"}}]}`
	s.ask(t, "POST", "/v1/distances", pairs, "Accept", "text/csv, application/json;q=0.5").want(t, 200)
	s.ask(t, "POST", "/v1/distances", pairs, "Accept", "text/csv").want(t, 406, "application/json or application/x-ndjson")
}

// TestFolderGone: changes of a collection whose folder somebody removed are refused by that name, and it
// is still read.
func TestFolderGone(t *testing.T) {
	dir := folder(t)
	s := start(t, func(o *server.Options) {
		o.Hosted = []server.Hosted{{Name: "own", Collection: open(t, dir), Writable: true}}
	})
	s.ask(t, "PUT", "/v1/collections/own/graphs/new", `{"smiles":"C"}`).want(t, 200)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	const gone = "the folder of the collection is gone"
	s.ask(t, "PUT", "/v1/collections/own/graphs/new", `{"smiles":"C"}`).want(t, 507, gone)
	s.ask(t, "DELETE", "/v1/collections/own/graphs/new", "").want(t, 507, gone)
	s.ask(t, "POST", "/v1/collections/own/graphs", `{"id":"a","smiles":"C"}`).want(t, 507, gone)
	s.ask(t, "GET", "/v1/collections/own/graphs/new", "").want(t, 200) // the files are still open
}
