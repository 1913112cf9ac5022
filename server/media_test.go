package server_test

import (
	"os"
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
