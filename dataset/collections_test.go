package dataset_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/greedgraph/greed/dataset"
)

func TestCollections(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.smi", "b/c.txt", "b/.hidden", ".d/e.smi", "tu/X_A.txt", "tu/X_graph_indicator.txt", "tu/README", "tu/in/f.smi"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for path, err := range dataset.Collections(dir) {
		if err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, filepath.ToSlash(rel))
	}
	if diff := cmp.Diff([]string{"a.smi", "b/c.txt", "tu"}, got); diff != "" {
		t.Error(diff)
	}
	if !dataset.IsCollection(filepath.Join(dir, "tu")) || dataset.IsCollection(dir) {
		t.Error("which folder is a collection")
	}
	for path, err := range dataset.Collections(filepath.Join(dir, "none")) {
		if err == nil {
			t.Errorf("a folder that is not there has %s", path)
		}
	}
}
