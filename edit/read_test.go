package edit_test

import (
	"errors"
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

func FuzzParseCosts(f *testing.F) {
	f.Add([]byte(`{"node_delete": 3, "edges": {"insert": {"1": 2}}}`))
	f.Add([]byte(`{"nodes": {"substitute": {"C": {"N": 0.5}}}}`))
	f.Add([]byte(`{"edge_insert": -0}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		costs, err := edit.ParseCosts(text)
		switch {
		case err == nil && costs.Check() != nil:
			t.Fatalf("unusable costs were read: %v", costs.Check())
		case err != nil && !errors.Is(err, edit.ErrCosts):
			t.Fatalf("error without its kind: %v", err)
		}
	})
}
