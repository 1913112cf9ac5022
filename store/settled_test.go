package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/index"
)

// sameContents fails unless two collections hold the same, and gives answers
// from the indexes of the first as from its vectors.
func sameContents(t *testing.T, got, want *loaded) {
	t.Helper()
	if len(got.Records) != len(want.Records) || len(got.Engines) != len(want.Engines) {
		t.Fatalf("%d records and %d engines, want %d and %d", len(got.Records), len(got.Engines), len(want.Records), len(want.Engines))
	}
	for i := range want.Records {
		same(t, got.Records[i], want.Records[i])
	}
	for i, e := range want.Engines {
		if fmt.Sprint(got.Engines[i].Vectors) != fmt.Sprint(e.Vectors) {
			t.Fatal("other vectors")
		}
	}
}

// TestSettled: a settled collection is what it was, also after more was put,
// replaced and deleted, and a copy of it is settled, too.
func TestSettled(t *testing.T) {
	dir := filled(t, inMemory(t), 300)
	want := load(t, dir)
	must(t, Settle(t.Context(), dir, 2))
	c, err := Load(t.Context(), dir)
	must(t, err)
	if c.Shelf == nil || len(c.Records) != 0 || c.Engines[0].Settled == nil {
		t.Fatalf("shelf %v, %d records beside it", c.Shelf, len(c.Records))
	}
	for i, e := range c.Engines {
		must(t, e.Settled.Check())
		z := e.Vectors[:e.Settled.Norm().Dim()]
		flat, err := index.NewFlat(e.Settled.Norm(), e.Vectors)
		must(t, err)
		a, err := e.Settled.KNN(t.Context(), []index.Query{{Vector: z}}, 20)
		must(t, err)
		b, err := flat.KNN(t.Context(), []index.Query{{Vector: z}}, 20)
		must(t, err)
		if fmt.Sprint(a[0].Hits) != fmt.Sprint(b[0].Hits) {
			t.Errorf("engine %d: %v, want %v", i, a[0].Hits, b[0].Hits)
		}
	}
	sameContents(t, load(t, dir), want)
	sound(t, dir)

	vocab := graph.NewVocabulary()
	change := func(dir string) {
		var records []dataset.Record
		for i := 290; i < 320; i++ {
			records = append(records, newRecord(vocab, fmt.Sprint(i), i+1000))
		}
		_, err := Add(t.Context(), dir, records, 1)
		must(t, err)
		use(t, dir, func(s *Store) {
			_, err := s.Delete([]string{"0", "100", "310"})
			must(t, err)
		})
	}
	plain := filled(t, inMemory(t), 300)
	change(plain)
	change(dir)
	sameContents(t, load(t, dir), load(t, plain))
	vectorsFit(t, load(t, dir))
	sound(t, dir)

	copied := filepath.Join(inMemory(t), "copy")
	use(t, dir, func(s *Store) { must(t, s.CopyTo(copied)) })
	sameContents(t, load(t, copied), load(t, plain))
	sound(t, copied)

	_, _, err = Compact(t.Context(), dir, 1)
	must(t, err)
	sameContents(t, load(t, dir), load(t, plain))
	if c, err := Load(t.Context(), dir); err != nil || c.Shelf.Len() != len(load(t, plain).Records) {
		t.Errorf("after compacting: %v, error %v", c.Shelf.Len(), err)
	}
	sound(t, dir)
}

// TestSettleGrown settles when enough was put beside what is settled.
func TestSettleGrown(t *testing.T) {
	dir := filled(t, inMemory(t), 30)
	must(t, SettleGrown(t.Context(), dir, 1))
	c, err := Load(t.Context(), dir)
	must(t, err)
	if c.Shelf != nil {
		t.Error("settled for a few records")
	}
	vocab := graph.NewVocabulary()
	var records []dataset.Record
	for i := range leastUnsettled {
		records = append(records, newRecord(vocab, fmt.Sprint("more", i), i))
	}
	_, err = Add(t.Context(), dir, records, 2)
	must(t, err)
	want := load(t, dir)
	must(t, SettleGrown(t.Context(), dir, 2))
	c, err = Load(t.Context(), dir)
	must(t, err)
	if c.Shelf == nil || len(c.Records) != 0 {
		t.Errorf("shelf %v, %d records beside it", c.Shelf, len(c.Records))
	}
	sameContents(t, load(t, dir), want)
}

// TestSettledWhileCompacted: slots that were numbered anew meanwhile are not
// taken for the old ones.
func TestSettledWhileCompacted(t *testing.T) {
	dir := filled(t, inMemory(t), 50)
	f, err := os.CreateTemp(dir, newSettled)
	must(t, err)
	must(t, f.Close())
	must(t, with(dir, Options{}, func(s *Store) error { return s.adopt(f.Name(), settled{Slots: 1}, 7) }))
	if _, err := os.Stat(f.Name()); err == nil {
		t.Error("the file was left")
	}
	c, err := Load(t.Context(), dir)
	must(t, err)
	if c.Shelf != nil {
		t.Error("a file of other slots was adopted")
	}
}

// TestAbandonedSettling: what a killed process left goes in the end, what
// another may be writing stays.
func TestAbandonedSettling(t *testing.T) {
	dir := filled(t, inMemory(t), 20)
	for name, age := range map[string]time.Duration{"settled-1.new": 0, "settled-2.new": 2 * abandoned} {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, nil, 0o666))
		must(t, os.Chtimes(path, time.Now(), time.Now().Add(-age)))
	}
	use(t, dir, func(*Store) {})
	if _, err := os.Stat(filepath.Join(dir, "settled-1.new")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "settled-2.new")); err == nil {
		t.Error("an abandoned file was left")
	}
}
