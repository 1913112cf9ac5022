package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// TestVersions reads the collections kept from each version of the layout. That of version 3
// is that of version 2 after greed index compact, that of version 4 the same after its last
// graph was put again with a MOL block.
func TestVersions(t *testing.T) {
	for version := 1; version <= Version; version++ {
		name := fmt.Sprint("v", version)
		dir := filepath.Join(inMemory(t), name)
		must(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))))
		c := load(t, dir)
		vocab := graph.NewVocabulary()
		if len(c.Records) != 8 || len(c.Engines) != 1 {
			t.Fatalf("%s: %d records, %d engines", name, len(c.Records), len(c.Engines))
		}
		for _, rec := range c.Records {
			same(t, rec, newRecord(vocab, rec.ID, int(rec.Attributes["version"].(float64))))
		}
		if got := fmt.Sprint(c.Engines[0].Vectors[:2]); got != "[-0.049101494 0.077113174]" {
			t.Errorf("%s: vectors begin with %s", name, got)
		}
		s, err := Open(dir, Options{})
		must(t, err)
		last := ""
		for _, block := range blocksOf(t, s) {
			last += block
		}
		must(t, s.Close())
		if want := map[bool]string{true: "a MOL block\n"}[version >= 4]; last != want {
			t.Errorf("%s: MOL blocks %q, want %q", name, last, want)
		}
		sound(t, dir)
	}
}
