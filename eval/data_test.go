package eval

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/sample"
)

// TestCopiesInLinux finds what is known of the LINUX graphs: of the 200 for
// testing 195 have a copy in training (Roy et al., 2025, name the leak), and 89
// of all are different.
func TestCopiesInLinux(t *testing.T) {
	vocab := graph.NewVocabulary()
	read := func(name string) (graphs []*graph.Graph) {
		path := filepath.Join("..", "..", "shared", "data", "linux", name)
		if _, err := os.Stat(path); err != nil {
			t.Skip("needs the data folder: ", err)
		}
		records, err := dataset.ReadAll(path, dataset.Options{Vocabulary: vocab})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			graphs = append(graphs, r.Graph)
		}
		return graphs
	}
	train, test := read("train.txt"), read("test.txt")
	n := 0
	for _, copied := range Copies(test, train) {
		if copied {
			n++
		}
	}
	if n != 195 {
		t.Errorf("%d copies, want 195", n)
	}
	classes := make(map[int]bool)
	for _, c := range sample.Classes(append(train, test...)) {
		classes[c] = true
	}
	if len(classes) != 89 {
		t.Errorf("%d different graphs, want 89", len(classes))
	}
}
