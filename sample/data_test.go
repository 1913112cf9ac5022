package sample

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// load reads a file of the data folder beside the repository without edge
// labels, as the paper does, or skips the test.
func load(t *testing.T, name string) (ids []string, graphs []*graph.Graph) {
	t.Helper()
	path := filepath.Join("..", "..", "shared", "data", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skip("needs the data folder: ", err)
	}
	records, err := dataset.ReadAll(path, dataset.Options{Rules: dataset.Rules{EdgeLabel: dataset.NoLabel}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		ids = append(ids, r.ID)
		graphs = append(graphs, r.Graph)
	}
	return ids, graphs
}
