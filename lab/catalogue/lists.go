package catalogue

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/greedgraph/greed/dataset"
)

// lists reads a folder of graphs as SimGNN (Bai et al., WSDM 2019) and its successors keep them: a file for each, with
// a list of edges between numbers, and labels or, without these, the number of nodes.
//
//	{"n": 2, "graph": [[0, 1]], "labels": ["C", "O"]}
func lists(dir string, opt dataset.Options) ([]dataset.Record, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var records []dataset.Record
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		rec, err := listed(text, opt)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		rec.ID = filepath.Base(name)
		records = append(records, rec)
	}
	return records, nil
}

// listed reads a graph. An edge that is there in both directions is one edge.
func listed(text []byte, opt dataset.Options) (rec dataset.Record, err error) {
	type node struct {
		ID    int    `json:"id"`
		Label string `json:"label,omitempty"`
	}
	type edge struct {
		Source int `json:"source"`
		Target int `json:"target"`
	}
	var given struct {
		N      int               `json:"n"`
		Graph  [][2]int          `json:"graph"`
		Labels []json.RawMessage `json:"labels"`
	}
	var out struct {
		Nodes []node `json:"nodes"`
		Edges []edge `json:"edges"`
	}
	out.Nodes, out.Edges = []node{}, []edge{} // which are null otherwise
	if err := json.Unmarshal(text, &given); err != nil {
		return rec, err
	}
	for v := range max(given.N, len(given.Labels)) {
		out.Nodes = append(out.Nodes, node{ID: v})
		if v < len(given.Labels) && json.Unmarshal(given.Labels[v], &out.Nodes[v].Label) != nil {
			out.Nodes[v].Label = string(given.Labels[v])
		}
	}
	seen := make(map[edge]bool)
	for _, e := range given.Graph {
		if one := (edge{min(e[0], e[1]), max(e[0], e[1])}); !seen[one] {
			seen[one] = true
			out.Edges = append(out.Edges, edge{e[0], e[1]})
		}
	}
	if text, err = json.Marshal(out); err != nil {
		return rec, err
	}
	var link dataset.NodeLink
	if err := link.UnmarshalJSON(text); err != nil {
		return rec, err
	}
	return link.Record(opt)
}
