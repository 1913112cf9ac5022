package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/filelock"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/vectorindex"
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

// TestSegment: a collection with a segment is what it was, also after more was put,
// replaced and deleted, and a copy of it has a segment, too.
func TestSegment(t *testing.T) {
	dir := filled(t, inMemory(t), 300)
	want := load(t, dir)
	must(t, writeSegmentAt(t.Context(), dir, 2))
	c, err := loadAt(t.Context(), dir)
	must(t, err)
	if c.Segment == nil || len(c.Records) != 0 || c.Engines[0].Indexed != c.Segment.Len() {
		t.Fatalf("segment %v, %d records beside it", c.Segment, len(c.Records))
	}
	for i, e := range c.Engines {
		index, err := e.Open()
		must(t, err)
		must(t, index.Check())
		z := e.Vectors[:index.Norm().Dim()]
		flat, err := vectorindex.NewFlat(index.Norm(), e.Vectors)
		must(t, err)
		a, err := index.KNN(t.Context(), []vectorindex.Query{{Vector: z}}, 20)
		must(t, err)
		b, err := flat.KNN(t.Context(), []vectorindex.Query{{Vector: z}}, 20)
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
		_, err := addAt(t.Context(), dir, records, 1)
		must(t, err)
		use(t, dir, func(s *Store) {
			_, err := s.Delete(context.Background(), []string{"0", "100", "310"})
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
	use(t, dir, func(s *Store) { must(t, s.CopyTo(context.Background(), copied)) })
	sameContents(t, load(t, copied), load(t, plain))
	sound(t, copied)

	_, _, err = compactAt(t.Context(), dir, 1)
	must(t, err)
	sameContents(t, load(t, dir), load(t, plain))
	if c, err := loadAt(t.Context(), dir); err != nil || c.Segment.Len() != len(load(t, plain).Records) {
		t.Errorf("after compacting: %v, error %v", c.Segment.Len(), err)
	}
	sound(t, dir)
}

// TestWriteSegmentIfDue writes a segment when enough was put after the last.
func TestWriteSegmentIfDue(t *testing.T) {
	dir := filled(t, inMemory(t), 30)
	must(t, writeSegmentIfDueAt(t.Context(), dir, 1))
	c, err := loadAt(t.Context(), dir)
	must(t, err)
	if c.Segment != nil {
		t.Error("a segment was written for a few records")
	}
	vocab := graph.NewVocabulary()
	var records []dataset.Record
	for i := range leastOutside {
		records = append(records, newRecord(vocab, fmt.Sprint("more", i), i))
	}
	_, err = addAt(t.Context(), dir, records, 2)
	must(t, err)
	want := load(t, dir)
	must(t, writeSegmentIfDueAt(t.Context(), dir, 2))
	c, err = loadAt(t.Context(), dir)
	must(t, err)
	if c.Segment == nil || len(c.Records) != 0 {
		t.Errorf("segment %v, %d records beside it", c.Segment, len(c.Records))
	}
	sameContents(t, load(t, dir), want)
}

// TestSegmentWhileCompacted: slots that were numbered anew meanwhile are not
// taken for the old ones.
func TestSegmentWhileCompacted(t *testing.T) {
	dir := filled(t, inMemory(t), 50)
	f, err := os.CreateTemp(dir, newSegment)
	must(t, err)
	must(t, f.Close())
	must(t, with(dir, Options{}, func(s *Store) error {
		if done, err := s.adopt(t.Context(), &segmentWriter{path: f.Name(), layout: segmentLayout{Slots: 1}, moves: 7}); done || err != nil {
			t.Errorf("adopted: %v, error %v", done, err)
		}
		return nil
	}))
	c, err := loadAt(t.Context(), dir)
	must(t, err)
	if c.Segment != nil {
		t.Error("a file of other slots was adopted")
	}
}

// TestAbandonedSegment: what a killed process left goes, what another is writing
// stays, however old it is.
func TestAbandonedSegment(t *testing.T) {
	dir := filled(t, inMemory(t), 20)
	f, err := filelock.Make(func() (*os.File, error) { return os.CreateTemp(dir, newSegment) })
	must(t, err)
	left := filepath.Join(dir, "settled-2.new")
	must(t, os.WriteFile(left, nil, 0o666))
	change := func() {
		use(t, dir, func(s *Store) {
			_, err := s.Delete(t.Context(), []string{"7"})
			must(t, err)
		})
	}
	change()
	if _, err := os.Stat(left); err == nil {
		t.Error("an abandoned file was left")
	}
	if _, err := os.Stat(f.Name()); err != nil {
		t.Error(err)
	}
	must(t, f.Close())
	change()
	if _, err := os.Stat(f.Name()); err == nil {
		t.Error("the file stayed when its writer was gone")
	}
}

// TestNoSegmentOfVectors: records without graphs have no segment, and nothing is left of the attempt.
func TestNoSegmentOfVectors(t *testing.T) {
	dir := empty(t, inMemory(t))
	s, err := Open(dir, Options{})
	must(t, err)
	must(t, s.AddForeign(t.Context(), "x", edit.GED, norm.Single(norm.L2, 2, false)))
	_, err = s.Put(t.Context(), []dataset.Record{{ID: "a"}, {ID: "b"}}, map[string][]float32{"x": {1, 2, 3, 4}})
	must(t, err)
	before, err := filepath.Glob(filepath.Join(dir, "*"))
	must(t, err)
	must(t, s.WriteSegment(t.Context(), 1))
	after, err := filepath.Glob(filepath.Join(dir, "*"))
	must(t, err)
	if fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("files %v became %v", before, after)
	}
	must(t, s.View(t.Context(), func(snap *Snapshot) error {
		if n := snap.SegmentSlots(); n != 0 {
			t.Errorf("a segment of %d slots", n)
		}
		return nil
	}))
	must(t, s.Close())
	sound(t, dir)
}
