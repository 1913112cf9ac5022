package server_test

import "testing"

// TestBatchOrder: deletions come first, and of graphs with one id the last is kept.
func TestBatchOrder(t *testing.T) {
	s := start(t, nil)
	const path = "/v1/collections/own/graphs"
	s.ask(t, "POST", path, `{"id":"x","smiles":"C"}`+"\n"+`{"id":"x","smiles":"N"}`).want(t, 200, `"put":2`)
	s.ask(t, "GET", path+"/x", "").want(t, 200, `"smiles":"N"`)
	s.ask(t, "POST", path, `{"id":"x","smiles":"O"}`+"\n"+`{"id":"x","delete":true}`).want(t, 200)
	s.ask(t, "GET", path+"/x", "").want(t, 200, `"smiles":"O"`)
}
