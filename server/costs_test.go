package server_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/server"
)

// TestCosts: a distance has the costs that were asked for.
func TestCosts(t *testing.T) {
	s := start(t, nil)
	ask := func(query, target, costs string) reply {
		return s.ask(t, "POST", "/v1/distance", `{"query":{"smiles":"`+query+`"},"target":{"smiles":"`+target+`"},"explain":true,"costs":`+costs+`}`)
	}
	for _, c := range []struct {
		query, target, costs string
		distance             float64
	}{
		{"CCO", "CCN", `"uniform"`, 1},
		{"CCO", "CCN", `"chem1"`, 2},
		{"CCO", "CCN", `{}`, 1},
		{"CCO", "CCN", `null`, 1},
		{"CCO", "CCN", `{"node_substitute":0.25}`, 0.25},
		{"CCO", "CC", `{"node_delete":3,"edge_delete":0.5}`, 3.5},
		{"CCO", "CCN", `{"nodes":{"substitute":{"O":{"N":0.75}},"default":{}}}`, 0.75},
		{"CC", "C=C", `"mces"`, 1},
		{"CCCCCC", "C1CCCCC1", `"rings"`, 6},
		{"CCCCCC", "C1CCCCC1", `{"edges":{"default":{},"ring":0.5}}`, 3.5},
	} {
		d := into[struct {
			Exact bool
			Upper float64
			Edits []struct{ Cost float64 }
			Costs json.RawMessage
		}](t, ask(c.query, c.target, c.costs).want(t, 200))
		sum := 0.0
		for _, e := range d.Edits {
			sum += e.Cost
		}
		if !d.Exact || math.Abs(d.Upper-c.distance) > 1e-9 || math.Abs(sum-c.distance) > 1e-9 || len(d.Costs) == 0 {
			t.Errorf("%s: %+v", c.costs, d)
		}
	}
	for costs, saying := range map[string]string{
		`"chem9"`:                           "chem1",
		`{"nodes":{"ring":1}}`:              "only edges have a cost for rings",
		`12`:                                "costs",
		`""`:                                "costs",
		`{"node_insert":-1}`:                "node_insert",
		`{"node_insert":"1"}`:               "node_insert",
		`{"node":1}`:                        "node",
		`{"Node_Insert":1}`:                 `it is written \"node_insert\"`,
		`{"nodes":{"insert":{"C":1}}}`:      "label",
		`{"node_delete":1,"node_delete":2}`: "twice",
	} {
		ask("CCO", "CCN", costs).want(t, 422, saying)
	}
	const at = `{"graph":{"nodes":[{"id":0,"kind":"A","x":1,"y":2},{"id":1,"kind":"B","x":%s,"y":2.5}],"edges":[{"source":0,"target":1}]}}`
	measured := fmt.Sprintf(`{"query":`+at+`,"target":`+at+`,"costs":{"nodes":{"default":{"insert":2},"parts":[{"attributes":["kind"],"differ":1},{"attributes":["x","y"],"weight":2}]}}}`, "0.25", "1e0")
	if d := into[struct{ Upper float64 }](t, s.ask(t, "POST", "/v1/distance", measured).want(t, 200)); d.Upper != 1.5 {
		t.Errorf("the distance of points 0.75 apart is %v, want 1.5", d.Upper)
	}
	s.ask(t, "POST", "/v1/diff", measured).want(t, 200, `"upper":1.5`)
	// What molecules have in common, labels included.
	if d := into[struct {
		Upper  float64
		Common struct {
			Nodes, Edges int
			Johnson      float64
		}
	}](t, ask("CCO", "CC=O", `"mces"`).want(t, 200)); d.Upper != 1 || d.Common.Nodes != 2 || d.Common.Edges != 1 || math.Abs(d.Common.Johnson-0.36) > 1e-12 {
		t.Errorf("%+v", d)
	}
	// Why a distance is not exact.
	hard := fmt.Sprintf(`{"query":{"smiles":%q},"target":{"smiles":%q},"time_limit":"5ms"}`, strings.Repeat("C1CC(C)CC(O)C1CC", 4), strings.Repeat("C1CC(N)CCC1CO", 5))
	s.ask(t, "POST", "/v1/distance", hard).want(t, 200, `"stopped":"time"`)
	ask("CCO", "CCN", `"letter"`).want(t, 422, `label \"C\"`)
	const body = `{"collection":"mols","query":{"smiles":"C"},"target":{"id":"m0"},"costs":"chem1"}`
	// Searches look at rings and at numbers, too; a collection without them is refused.
	s.ask(t, "POST", "/v1/collections/mols/search", `{"query":{"smiles":"C1CCCCC1"},"costs":"rings","k":1}`).want(t, 200, `"ring":1`, `"proven"`)
	s.ask(t, "POST", "/v1/collections/mols/search", `{"query":{"graph":{"nodes":[{"id":0,"x":1.5,"y":2}],"edges":[]}},"costs":"letter"}`).
		want(t, 422, `want 2: x|y`)
	s.ask(t, "POST", "/v1/distance", body).want(t, 200, `"costs":"chem1"`)
}

// TestCostsOfACollection: among the graphs of a collection the costs of its model count, for a distance and for
// what differs.
func TestCostsOfACollection(t *testing.T) {
	s := start(t, func(o *server.Options) {
		c := collection(t)
		meta := models()[0].Metadata()
		meta.Costs = edit.Chem1()
		if err := c.AttachModel(t.Context(), model.New(meta, rand.New(rand.NewPCG(1, 1)))); err != nil {
			t.Fatal(err)
		}
		o.Hosted = append(o.Hosted, server.Hosted{Name: "dear", Collection: c})
	})
	for _, path := range []string{"/v1/distance", "/v1/diff"} {
		s.ask(t, "POST", path, `{"collection":"dear","query":{"id":"m0"},"target":{"id":"m1"}}`).want(t, 200, `"upper":2`)
		s.ask(t, "POST", path, `{"collection":"mols","query":{"id":"m0"},"target":{"id":"m1"}}`).want(t, 200, `"upper":1`)
	}
}
