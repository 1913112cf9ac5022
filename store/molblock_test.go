package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// drawn returns a record with a MOL block, which is a function of id and version.
func drawn(vocab *graph.Vocabulary, id string, version int) dataset.Record {
	rec := newRecord(vocab, id, version)
	rec.SMILES = fmt.Sprint("of version ", version)
	rec.Block = strings.Repeat(fmt.Sprintf("%s, version %d\n", id, version), 40)
	return rec
}

// blocksOf returns the MOL blocks of all records, by id.
func blocksOf(t fatal, s *Store) map[string]string {
	t.Helper()
	of := make(map[string]string)
	must(t, s.View(context.Background(), func(snap *Snapshot) error {
		return snap.Range(0, snap.Slots(), func(slot int, rec dataset.Record) (err error) {
			of[rec.ID], err = snap.Block(slot)
			return err
		})
	}))
	return of
}

// TestMolBlocks: MOL blocks go with their records when these are replaced, deleted, compacted
// and copied.
func TestMolBlocks(t *testing.T) {
	ctx, vocab := context.Background(), graph.NewVocabulary()
	dir := empty(t, inMemory(t))
	s, err := Open(dir, Options{})
	must(t, err)
	defer s.Close()
	want := make(map[string]string)
	put := func(records ...dataset.Record) {
		t.Helper()
		_, err := s.Put(ctx, records, nil)
		must(t, err)
		for _, rec := range records {
			want[rec.ID] = rec.Block
		}
	}
	expect := func(when string) {
		t.Helper()
		if got := blocksOf(t, s); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s: MOL blocks are %.300q, want %.300q", when, got, want)
		}
		sound(t, s.dir)
	}
	for i := range 20 {
		put(drawn(vocab, fmt.Sprint(i), i))
	}
	put(newRecord(vocab, "plain", 1))
	expect("put")
	put(drawn(vocab, "3", 100))
	put(newRecord(vocab, "4", 101))
	_, err = s.Delete(ctx, []string{"0", "7"})
	must(t, err)
	delete(want, "0")
	delete(want, "7")
	expect("replaced and deleted")
	must(t, s.WriteSegment(ctx, 1))
	expect("with a segment")
	_, _, err = s.Compact(ctx, 1)
	must(t, err)
	expect("compacted")

	// Of records that were read before a change.
	records := load(t, dir).Records
	put(drawn(vocab, "5", 200))
	must(t, s.Blocks(ctx, records))
	for _, rec := range records {
		expected := want[rec.ID]
		if rec.ID == "5" {
			expected = "" // it is another molecule now
		}
		if rec.Block != expected {
			t.Errorf("graph %s: MOL block %.40q, want %.40q", rec.ID, rec.Block, expected)
		}
	}

	copied := dir + " copied"
	must(t, s.CopyTo(ctx, copied))
	c, err := Open(copied, Options{})
	must(t, err)
	if got := blocksOf(t, c); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("copied: MOL blocks are %.300q", got)
	}
	must(t, c.Close())

	must(t, s.SetBlocks(ctx, false))
	put(drawn(vocab, "1", 300))
	want["1"] = ""
	expect("not to be kept")
}

// TestMolBlocksWhileCompacting: what is replaced and deleted while records are copied to the
// new database takes its MOL block along. What is said of all records meanwhile stays said.
func TestMolBlocksWhileCompacting(t *testing.T) {
	ctx, vocab := context.Background(), graph.NewVocabulary()
	dir := empty(t, inMemory(t))
	s, err := Open(dir, Options{})
	must(t, err)
	defer s.Close()
	want := make(map[string]string)
	for i := range 300 {
		rec := drawn(vocab, fmt.Sprint(i), i)
		_, err := s.Put(ctx, []dataset.Record{rec}, nil)
		must(t, err)
		want[rec.ID] = rec.Block
	}
	c := &compaction{store: s, path: filepath.Join(s.dir, newDatabase), moved: make(map[int]int)}
	must(t, c.create(ctx))
	must(t, s.update(ctx, c.begin))
	must(t, c.catchUp(ctx))
	_, err = s.Delete(ctx, []string{"10"})
	must(t, err)
	delete(want, "10")
	rec := drawn(vocab, "11", 900)
	_, err = s.Put(ctx, []dataset.Record{rec}, nil)
	must(t, err)
	want["11"] = rec.Block
	must(t, errors.Join(s.SetRules(ctx, dataset.Rules{Charge: true}), s.SetSource(ctx, Source{"a", 7}), s.SetBlocks(ctx, false)))
	must(t, s.exclusively(ctx, func(snap *Snapshot) error { return c.finish(t.Context(), snap) }))
	must(t, c.close(nil))
	must(t, s.View(ctx, func(snap *Snapshot) error {
		if rules := snap.Rules(); rules == nil || !rules.Charge || snap.Source().Generation != 7 || !snap.m.NoBlocks {
			t.Errorf("rules %+v, source %+v", rules, snap.Source())
		}
		return nil
	}))
	if got := blocksOf(t, s); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Error("MOL blocks differ after the compaction")
	}
	sound(t, dir)
}

// TestMolBlockMissing: a MOL block that is gone is damage, and so is one without a record.
func TestMolBlockMissing(t *testing.T) {
	ctx, vocab := context.Background(), graph.NewVocabulary()
	dir := empty(t, inMemory(t))
	s, err := Open(dir, Options{})
	must(t, err)
	defer s.Close()
	_, err = s.Put(ctx, []dataset.Record{drawn(vocab, "a", 1), newRecord(vocab, "b", 2)}, nil)
	must(t, err)
	for _, c := range []struct {
		change func(*Snapshot) error
		want   string
	}{
		{func(snap *Snapshot) error { return snap.tx.Bucket(molBucket).Delete(slotKey(0)) }, "of mol is missing"},
		{func(snap *Snapshot) error {
			var p packer
			_, err := put(snap.tx, molBucket, slotKey(1), p.compress("text"))
			return err
		}, "MOL blocks of deleted records: 1"},
	} {
		must(t, s.update(ctx, c.change))
		r, err := Check(ctx, dir)
		must(t, err)
		if !strings.Contains(fmt.Sprint(r.Problems), c.want) {
			t.Errorf("problems %q, want %q", r.Problems, c.want)
		}
	}
}
