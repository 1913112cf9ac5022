package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// TestFirstVersion reads the collection kept from the first version of the
// layout.
func TestFirstVersion(t *testing.T) {
	dir := filepath.Join(inMemory(t), "v1")
	must(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "v1"))))
	c := load(t, dir)
	vocab := graph.NewVocabulary()
	if len(c.Records) != 8 || len(c.Engines) != 1 {
		t.Fatalf("%d records, %d engines", len(c.Records), len(c.Engines))
	}
	for _, rec := range c.Records {
		same(t, rec, newRecord(vocab, rec.ID, int(rec.Meta["version"].(float64))))
	}
	if got := fmt.Sprint(c.Engines[0].Vectors[:2]); got != "[-0.049101494 0.077113174]" {
		t.Errorf("vectors begin with %s", got)
	}
	sound(t, dir)
}
