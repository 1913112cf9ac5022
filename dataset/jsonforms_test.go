package dataset_test

import (
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestJSONForms reads one graph as other programs write it.
func TestJSONForms(t *testing.T) {
	for name, c := range map[string]struct {
		text, want string
		opt        dataset.Options
	}{
		"D3":      {text: `{"nodes": [{"id": "a", "label": "C", "group": 1}, {"id": "b", "label": "O"}], "links": [{"source": "a", "target": "b", "value": 1.5}]}`, want: "C O; 0-1:0"},
		"D3, old": {text: `{"nodes": [{"name": "C"}, {"name": "O"}], "links": [{"source": 0, "target": 1}]}`, want: "C O; 0-1:0"},
		"numbers": {text: `{"nodes": [{"id": 1.0}, {"id": 2}, {"id": "2.0"}], "links": [{"source": 1, "target": 2.0}]}`, want: "0 0 0; 0-1:0"},
		"texts":   {text: `{"nodes": [{"id": "1.0"}, {"id": "2.0"}], "links": [{"source": 1.0, "target": 2.0}]}`, want: "0 0; 0-1:0"},
		"vis.js":  {text: `{"nodes": [{"id": 1, "label": "C"}, {"id": 2, "label": "O"}], "edges": [{"from": 1, "to": 2, "label": "x"}]}`, want: "C O; 0-1:x"},
		"Cytoscape": {text: `{"data": {"name": "g"}, "elements": {"nodes": [{"data": {"id": "a", "label": "C"}, "position": {"x": 1}}, {"data": {"id": "b", "label": "O"}}],
			"edges": [{"data": {"id": "ab", "source": "a", "target": "b", "label": "x"}}]}}`, want: "C O; 0-1:x"},
		"graphology": {text: `{"attributes": {"name": "g"}, "options": {"type": "mixed", "multi": false}, "nodes": [{"key": "a", "attributes": {"label": "C"}}, {"key": "b", "attributes": {"label": "O"}}],
			"edges": [{"key": "e", "source": "a", "target": "b", "attributes": {"label": "x"}}]}`, want: "C O; 0>1:x"},
		"graphology, undirected": {text: `{"nodes": [{"key": "a"}, {"key": "b"}], "edges": [{"source": "a", "target": "b", "undirected": true}]}`, want: "0 0; 0-1:0"},
		"graphology, by type":    {text: `{"options": {"type": "undirected"}, "nodes": [{"key": "a"}, {"key": "b"}], "edges": [{"source": "a", "target": "b"}]}`, want: "0 0; 0-1:0"},
		"list":                   {text: `{"n": 3, "graph": [[0, 1], [1, 0]]}`, want: "0 0 0; 0-1:0"},
		"list, labels":           {text: `{"labels": ["C", 8], "graph": [[0, 1, "x"]]}`, want: "C 8; 0-1:x"},
		"list, no labels":        {text: `{"n": 3, "labels": null, "graph": [[0, 1]]}`, want: "0 0 0; 0-1:0"},
		"list, one-hot labels":   {text: `{"n": 2, "labels": [[1, 0], [0, 1]], "graph": [[0, 1]]}`, want: "[1,0] [0,1]; 0-1:0"},
		"list, directed":         {text: `{"n": 2, "graph": [[1, 0]]}`, want: "0 0; 1>0:0", opt: dataset.Options{Rules: dataset.Rules{Directed: true}}},
	} {
		list, _, err := readText(c.text, "x", c.opt)
		if err != nil || len(list) != 1 || drawing(list[0].Graph) != c.want {
			t.Errorf("%s: %v, %v, want %s", name, list, err, c.want)
		}
	}
}

// TestPairsOfSimGNN: an object is two graphs, the second with its distance to the
// first.
func TestPairsOfSimGNN(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"7.json": `{"labels_1": ["C", "O"], "labels_2": ["C"], "graph_1": [[0, 1]], "graph_2": [], "ged": 2}`,
		"8.json": `{"labels_1": ["C"], "labels_2": ["C"], "graph_1": [], "graph_2": [], "ged": 0}`,
	})
	list, err := dataset.ReadAll(dir, dataset.Options{})
	if err != nil || len(list) != 4 {
		t.Fatalf("%v, %v", list, err)
	}
	if got := drawing(list[0].Graph) + "|" + drawing(list[1].Graph); got != "C O; 0-1:0|C; " {
		t.Errorf("graphs %s", got)
	}
	ids := make(map[string]bool)
	for i, rec := range list {
		ids[rec.ID] = true
		if d, ok := rec.Attributes[dataset.GivenGED]; ok != (i%2 == 1) || ok && d != 2.0*float64((i+1)%4/2) {
			t.Errorf("record %d has the distance %v", i, d)
		}
	}
	if len(ids) != 4 {
		t.Errorf("ids %v", ids)
	}
}
