package dataset_test

import (
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestJSONForms reads one graph as other programs write it.
func TestJSONForms(t *testing.T) {
	for name, c := range map[string]struct {
		text, want string
		opt        dataset.Options
	}{
		"D3":                       {text: `{"nodes": [{"id": "a", "label": "C", "group": 1}, {"id": "b", "label": "O"}], "links": [{"source": "a", "target": "b", "value": 1.5}]}`, want: "C O; 0-1:0"},
		"D3, old":                  {text: `{"nodes": [{"name": "C"}, {"name": "O"}], "links": [{"source": 0, "target": 1}]}`, want: "C O; 0-1:0"},
		"numbers":                  {text: `{"nodes": [{"id": 1.0}, {"id": 2}, {"id": "2.0"}], "links": [{"source": 1, "target": 2.0}]}`, want: "0 0 0; 0-1:0"},
		"texts":                    {text: `{"nodes": [{"id": "1.0"}, {"id": "2.0"}], "links": [{"source": 1.0, "target": 2.0}]}`, want: "0 0; 0-1:0"},
		"positions beside ids":     {text: `{"nodes":[{"id":"k"},{"id":"l"},{"id":"m"}],"links":[{"source":2,"target":1}]}`, want: "0 0 0; 1-2:0"},
		"positions beside numbers": {text: `{"nodes":[{"id":10},{"id":20},{"id":30}],"links":[{"source":2,"target":1}]}`, want: "0 0 0; 1-2:0"},
		"ends that are nodes":      {text: `{"nodes":[{"id":"k","index":0},{"id":"l","index":1}],"links":[{"source":{"id":"k"},"target":{"id":"l","x":1.5}}]}`, want: "0 0; 0-1:0"},
		"ends without ids":         {text: `{"nodes":[{"name":"k","index":0},{"name":"l","index":1}],"links":[{"source":{"name":"k","index":0},"target":{"index":1}}]}`, want: "k l; 0-1:0"},
		"ids that are positions":   {text: `{"nodes":[{"id":"0"},{"id":"1"}],"links":[{"source":0,"target":1}]}`, want: "0 0; 0-1:0"},
		"flat":                     {text: `{"elements":[{"data":{"id":"e","source":"a","target":"b","label":"x"}},{"data":{"id":"a","label":"C"}},{"group":"nodes","data":{"id":"b","label":"O"}}]}`, want: "C O; 0-1:x"},
		"flat list": {text: `[{"data":{"id":"a","label":"C"}},{"data":{"id":"b","label":"O"}},
			{"group":"edges","data":{"source":"a","target":"b","label":"x"}}]`, want: "C O; 0-1:x"},
		"JGF":                 {text: `{"graph":{"id":"g","nodes":{"a":{"label":"C"},"b":{"metadata":{"label":"O"}}},"edges":[{"source":"b","target":"a","relation":"x"}]}}`, want: "C O; 1>0:x"},
		"JGF, version 1":      {text: `{"graph":{"directed":false,"nodes":[{"id":"a","label":"C"},{"id":"b","label":"O"}],"edges":[{"source":"b","target":"a","label":"x","directed":false}]}}`, want: "C O; 0-1:x"},
		"JGF, graphs":         {text: `{"graphs":[{"nodes":{"a":{"label":"C"}},"edges":[]}]}`, want: "C; "},
		"adjacency":           {text: `{"directed":false,"multigraph":false,"graph":[],"nodes":[{"id":"a"},{"id":"b"},{"id":"c"}],"adjacency":[[{"id":"b","label":"x"}],[{"id":"a","label":"x"},{"id":"c"}],[{"id":"b"}]]}`, want: "0 0 0; 0-1:x 1-2:0"},
		"adjacency, directed": {text: `{"directed":true,"multigraph":false,"graph":{},"nodes":[{"id":1},{"id":0}],"adjacency":[[{"id":0}],[]]}`, want: "0 0; 0>1:0"},
		"vis.js":              {text: `{"nodes": [{"id": 1, "label": "C"}, {"id": 2, "label": "O"}], "edges": [{"from": 1, "to": 2, "label": "x"}]}`, want: "C O; 0-1:x"},
		"Cytoscape": {text: `{"data": {"name": "g"}, "elements": {"nodes": [{"data": {"id": "a", "label": "C"}, "position": {"x": 1}}, {"data": {"id": "b", "label": "O"}}],
			"edges": [{"data": {"id": "ab", "source": "a", "target": "b", "label": "x"}}]}}`, want: "C O; 0-1:x"},
		"graphology": {text: `{"attributes": {"name": "g"}, "options": {"type": "mixed", "multi": false}, "nodes": [{"key": "a", "attributes": {"label": "C"}}, {"key": "b", "attributes": {"label": "O"}}],
			"edges": [{"key": "e", "source": "a", "target": "b", "attributes": {"label": "x"}}]}`, want: "C O; 0>1:x"},
		"graphology, undirected": {text: `{"nodes": [{"key": "a"}, {"key": "b"}], "edges": [{"source": "a", "target": "b", "undirected": true}]}`, want: "0 0; 0-1:0"},
		"graphology, by type":    {text: `{"options": {"type": "undirected"}, "nodes": [{"key": "a"}, {"key": "b"}], "edges": [{"source": "a", "target": "b"}]}`, want: "0 0; 0-1:0"},
	} {
		list, _, err := readText(c.text, "x", c.opt)
		if err != nil || len(list) != 1 || drawing(list[0].Graph) != c.want {
			t.Errorf("%s: %v, %v, want %s", name, list, err, c.want)
		}
	}
}

// TestJSONEnds refuses ends that are no nodes, and such as may mean either of two.
func TestJSONEnds(t *testing.T) {
	for text, want := range map[string]string{
		`{"nodes":[{"id":"k"}],"links":[{"source":"k","target":"m"}]}`:                               `edge k-m: node "m": node does not exist`,
		`{"nodes":[{"id":"k"}],"links":[{"source":0,"target":7}]}`:                                   `edge 0-7: node "0": node does not exist`,
		`{"nodes":[{"id":1},{"id":2}],"links":[{"source":0,"target":1}]}`:                            `the end "0" of an edge is the id of no node, although other ends are ids; as positions`,
		`{"nodes":[{"id":"1"},{"id":"0"}],"links":[{"source":0,"target":1}]}`:                        `0 may be the node with this id or the one at this position, "1"`,
		`{"nodes":[{"id":"k"},{"id":"l"}],"links":[{"source":{"name":"k"},"target":"l"}]}`:           `names no node by its id`,
		`{"nodes":[{"id":"k"}],"links":[{"source":["k"],"target":"k"}]}`:                             `an end is a list`,
		`{"graph":{"nodes":{"a":{}},"hyperedges":[]}}`:                                               `hyperedges`,
		`{"graph":{"nodes":{"a":{},"b":{}},"edges":[{"source":"a","target":"b","directed":false}]}}`: `all edges of a graph must agree`,
		`{"nodes":[{"id":"a"}],"adjacency":[[],[]]}`:                                                 `"adjacency" needs a list for every node`,
		`{"elements":[{"data":{"id":"e","source":"a","target":"b"}}]}`:                               `node does not exist`,
	} {
		_, _, err := readText(text, "x.json", dataset.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
