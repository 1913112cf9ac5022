package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed/graph"
)

// TestKeptVersion reads the collection kept of the version of the layout: one that was
// compacted, after its last graph was put with a MOL block.
func TestKeptVersion(t *testing.T) {
	dir := filepath.Join(inMemory(t), "v4")
	must(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "v4"))))
	c := load(t, dir)
	vocab := graph.NewVocabulary()
	if len(c.Records) != 8 || len(c.Engines) != 1 {
		t.Fatalf("%d records, %d engines", len(c.Records), len(c.Engines))
	}
	for _, rec := range c.Records {
		same(t, rec, newRecord(vocab, rec.ID, int(rec.Attributes["version"].(float64))))
	}
	if got := fmt.Sprint(c.Engines[0].Vectors[:2]); got != "[-0.049101494 0.077113174]" {
		t.Errorf("vectors begin with %s", got)
	}
	s, err := Open(dir, Options{})
	must(t, err)
	last := ""
	for _, block := range blocksOf(t, s) {
		last += block
	}
	must(t, s.Close())
	if last != "a MOL block\n" {
		t.Errorf("MOL blocks %q", last)
	}
	sound(t, dir)
}

// TestOtherVersions: collections of versions that are no longer read, or not yet, are refused by
// their number, with the way out.
func TestOtherVersions(t *testing.T) {
	refused := func(version int, way string, err error) {
		t.Helper()
		if !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), fmt.Sprint("version ", version)) || !strings.Contains(err.Error(), way) {
			t.Errorf("version %d: %v", version, err)
		}
	}
	for version := 1; version < Version; version++ {
		dir := filepath.Join(inMemory(t), fmt.Sprint("v", version))
		must(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", fmt.Sprint("v", version)))))
		err := with(dir, Options{}, func(s *Store) error {
			return s.View(t.Context(), func(*Snapshot) error { return nil })
		})
		refused(version, "greed index build", err)
	}
	_, err := parseManifest(fmt.Appendf(nil, `{"version": %d, "slots": 3}`, Version+1))
	refused(Version+1, "a newer greed", err)
}
