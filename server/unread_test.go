package server_test

import (
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestUnread: graphs whose only attributes are numbers are at distance 0, and every answer about
// them says that these were not read as labels.
func TestUnread(t *testing.T) {
	const (
		one  = `{"nodes":[{"id":0,"w":1.5},{"id":1,"w":2.5}],"edges":[{"source":0,"target":1,"f":0.5}]}`
		two  = `{"nodes":[{"id":0,"w":7.5},{"id":1,"w":8.5}],"edges":[{"source":0,"target":1,"f":9.5}]}`
		note = `"notes":[{"option":"node_label","text":"nodes are read without labels, because none of their attributes (w) is text`
		not  = `"not_compared":["node attributes","edge attributes"]`
	)
	s := startWithCalls(t, one, dataset.Rules{})
	for _, form := range []string{"graph", "text"} {
		of := func(text string) string {
			if form == "text" {
				text = quoted(t, text)
			}
			return `{"` + form + `":` + text + `}`
		}
		pair := `{"query":` + of(one) + `,"target":` + of(two) + `}`
		s.ask(t, "POST", "/v1/distance", pair).want(t, 200, `"upper":0`, not, note)
		s.ask(t, "POST", "/v1/diff", pair).want(t, 200, `"groups":[]`, not, note)
		s.ask(t, "POST", "/v1/distances", `{"pairs":[`+pair+`]}`).want(t, 200, `"upper":0`, not, note)
		s.ask(t, "POST", "/v1/mcs", pair).want(t, 200, `"size":2`, not, note)
		s.ask(t, "POST", "/v1/parse", of(one)).want(t, 200, note)
		const path = "/v1/collections/calls/"
		s.ask(t, "POST", path+"search", `{"query":`+of(two)+`}`).want(t, 200, `"upper":0`, not, note, "node attributes and edge attributes are not compared")
		s.ask(t, "POST", path+"searches", `{"queries":[`+of(two)+`]}`).want(t, 200, not)
		s.ask(t, "POST", "/v1/distance", `{"collection":"calls","query":`+of(two)+`,"target":{"id":"calls"}}`).want(t, 200, `"upper":0`, not, note)
		s.ask(t, "POST", path+"distances", `{"query":`+of(two)+`,"ids":["calls"]}`).want(t, 200, `"upper":0`, not, note)
		s.ask(t, "POST", path+"parts", `{"query":`+of(two)+`}`).want(t, 200, `{"id":"calls"`, note)
		s.ask(t, "PUT", path+"graphs/two", of(two)).want(t, 200, note)
		s.ask(t, "POST", path+"graphs", `{"put":[{"id":"two","`+form+`":`+of(two)[len(form)+4:]+`]}`, "Content-Type", "application/json").want(t, 200, note)
	}
	s.ask(t, "POST", "/v1/collections/calls/graphs", `{"text":`+quoted(t, two)+`}`, "Content-Type", "application/json").want(t, 200, note)
	later := startWithCalls(t, `{"nodes":[{"id":0}],"edges":[]}`, dataset.Rules{})
	later.ask(t, "PUT", "/v1/collections/calls/graphs/two", `{"graph":`+two+`}`).want(t, 200)
	later.ask(t, "POST", "/v1/collections/calls/search", `{"query":{"tve":"t # 0\nv 0 C\n"},"radius":-0.0}`).want(t, 200, "all within 0 by GED", not)
	made := rooted(t, t.TempDir(), nil)
	made.ask(t, "PUT", "/v1/collections/calls", `{}`).want(t, 201)
	made.ask(t, "PUT", "/v1/collections/calls/graphs/two", `{"graph":`+two+`}`).want(t, 200)
	made.ask(t, "POST", "/v1/collections/calls/search", `{"query":{"tve":"t # 0\nv 0 C\n"},"k":1}`).want(t, 200, not)
	s.ask(t, "POST", "/v1/records", `{"text":`+quoted(t, two)+`}`).want(t, 200, note)
	const chosen = `{"nodes":[{"id":0,"symbol":"C","w":1.5}],"edges":[]}`
	s.ask(t, "POST", "/v1/parse", `{"graph":`+chosen+`}`).want(t, 200, `"notes":[{"option":"node_label","text":"node label: attribute symbol (other attributes: w; node_label chooses one)"}]`)
	s.ask(t, "POST", "/v1/records", `{"text":"smiles,id\nCCO,a\n"}`).want(t, 200, `"notes":[{"option":"smiles_column","text":"table with a header: SMILES in column \"smiles\", ids in column \"id\" (`)
	s.ask(t, "POST", "/v1/mcs", `{"query":{"smiles":"CCO"},"target":{"smiles":"CCO"},"ignore_edge_labels":true}`).want(t, 200, `"not_compared":["charges","isotopes","hydrogens","stereochemistry","edge labels"]`)
	s.ask(t, "POST", "/v1/distance", `{"query":{"smiles":"CCO"},"target":{"smiles":"CCO"}}`).want(t, 200, `"not_compared":["charges","isotopes","hydrogens","stereochemistry"]`)
}
