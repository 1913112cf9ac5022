package edit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/greedgraph/greed/edit"
)

func TestParseCosts(t *testing.T) {
	costs, err := edit.ParseCosts([]byte(`{"node_delete": 3, "edges": {"insert": {"1": 2}}}`))
	if err != nil || costs.NodeDelete != 3 || costs.NodeInsert != 1 || costs.Edges.Insert["1"] != 2 {
		t.Errorf("%+v, %v", costs, err)
	}
	// The same label in different objects, and a byte order mark, are as they should be.
	costs, err = edit.ParseCosts([]byte("\ufeff" + `{"nodes": {"insert": {"C": 2}, "delete": {"C": 3}, "substitute": {"C": {"C": 1, "N": 1}, "N": {"C": 1}}, "default": {}}}`))
	if err != nil || costs.Nodes.Insert["C"] != 2 || costs.Nodes.Delete["C"] != 3 {
		t.Errorf("%+v, %v", costs, err)
	}
	for text, want := range map[string]string{
		`{"node_delet": 3}`:      `unusable edit costs: json: unknown field "node_delet"`,
		`{"node_delete": -1}`:    "unusable edit costs: node_delete is -1, want a finite number, at least 0",
		`{"node_delete": 1e999}`: "unusable edit costs: node_delete is 1e999, want at most 1e+09",
		`{} {}`:                  "unusable edit costs: more text after the JSON object",
		`{"node_delete": `:       "unusable edit costs: the JSON object has no end",
		`{"node_delete": 3, "node_insert": 1, "node_delete": 3}`:                              `unusable edit costs: "node_delete" is given twice`,
		`{"nodes": {"substitute": {"F": {"Cl": 1, "Br": 2, "Cl": 2}}, "default": {}}}`:        `unusable edit costs: "Cl" is given twice`,
		`{"nodes": {"substitute": {"F": {"Cl": 1}, "F": {"Br": 2}}, "default": {}}}`:          `unusable edit costs: "F" is given twice`,
		`{"edges": {"default": {}, "parts": [{"attributes": ["x"], "weight":1,"weight":2}]}}`: `unusable edit costs: "weight" is given twice`,
		`{"Node_Delete": 1, "node_delete": 2}`:                                                `unusable edit costs: "node_delete" is given twice`,
		`{"nodes": {"Default": {}, "default": {"insert": 2}}}`:                                `unusable edit costs: "default" is given twice`,
		`{"edges": {"insert": {"": 1, "": 1}, "default": {}}}`:                                `unusable edit costs: "" is given twice`,
		`{"nodes": {"insert": {"C": "x"}, "default": {}}}`:                                    "unusable edit costs: nodes.insert is a JSON string, want a number",
		`{"nodes": {"delete": {"C": 1e999}, "default": {}}}`:                                  "unusable edit costs: nodes.delete is 1e999, want at most 1e+09",
		`{"edges": {"substitute": {"1": 3}, "default": {}}}`:                                  "unusable edit costs: edges.substitute is a JSON number, want a JSON object",
		`{"edges": {"insert": [], "default": {}}}`:                                            "unusable edit costs: edges.insert is a JSON array, want a JSON object",
		`{"edges": []}`:            "unusable edit costs: edges is a JSON array, want a JSON object",
		`{"edges": {"inser": {}}}`: `unusable edit costs: json: unknown field "inser"`,
		"{\"edges\": {\"insert\": {\"\\ud800\": 1, \"\xff\": 1}, \"default\": {}}}": "unusable edit costs: \"\\xff\" is given twice",
		`{"edges": {"Insert": {"1": 1}, "insert": {"2": 1}, "default": {}}}`:        `unusable edit costs: "insert" is given twice`,
		`null`:                  "unusable edit costs: null is no cost",
		`{"node_insert": null}`: "unusable edit costs: null is no cost",
		`{"nodes": null}`:       "unusable edit costs: null is no cost",
		`{"nodes": {"substitute": {"C": null}, "default": {}}}`: "unusable edit costs: null is no cost",
		`{"nodes": {"default": {"insert": null}}}`:              "unusable edit costs: null is no cost",
		`{"edges": {"default": {}, "parts": [null]}}`:           "unusable edit costs: null is no cost",
	} {
		if _, err := edit.ParseCosts([]byte(text)); !errors.Is(err, edit.ErrCosts) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// FuzzParseCosts holds what is read against the decoder of JSON.
func FuzzParseCosts(f *testing.F) {
	f.Add([]byte(`{"node_delete": 3, "edges": {"insert": {"1": 2}}}`))
	f.Add([]byte(`{"nodes": {"substitute": {"C": {"N": 0.5}}}}`))
	f.Add([]byte(`{"nodes": {"Insert": {"\u0041": 1, "": 0}, "delete": {}, "default": {"equal": 1}, "parts": [], "most": 0}}`))
	f.Add([]byte(`{"edge_insert": -0}`))
	type table struct {
		Insert     map[string]float64            `json:"insert"`
		Delete     map[string]float64            `json:"delete"`
		Substitute map[string]map[string]float64 `json:"substitute"`
		Default    *edit.Default                 `json:"default"`
		Parts      []edit.Difference             `json:"parts"`
		Most       float64                       `json:"most"`
		Ring       float64                       `json:"ring"`
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		costs, err := edit.ParseCosts(text)
		switch {
		case err == nil && costs.Check() != nil:
			t.Fatalf("unusable costs were read: %v", costs.Check())
		case err != nil && !errors.Is(err, edit.ErrCosts):
			t.Fatalf("error without its kind: %v", err)
		case err != nil:
			return
		}
		var want struct{ Nodes, Edges *table }
		if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &want); err != nil {
			t.Fatal(err)
		}
		for _, of := range []struct {
			got  *edit.Table
			want *table
		}{{costs.Nodes, want.Nodes}, {costs.Edges, want.Edges}} {
			if of.got == nil || of.want == nil {
				if of.got != nil || of.want != nil {
					t.Fatalf("%+v, want %+v", of.got, of.want)
				}
				continue
			}
			g := of.got
			if got := (table{g.Insert, g.Delete, g.Substitute, g.Default, g.Parts, g.Most, g.Ring}); !reflect.DeepEqual(got, *of.want) {
				t.Fatalf("%+v, want %+v", got, *of.want)
			}
		}
	})
}
