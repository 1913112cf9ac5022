package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// TestHold: what is held stays as it was while others delete, put, write the segment and compact,
// and keeps nobody from it.
func TestHold(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	must(t, os.Mkdir(filepath.Join(os.TempDir(), copyPrefix+"killed"), 0o700))
	ctx := context.Background()
	for _, name := range []string{"no segment", "segment"} {
		t.Run(name, func(t *testing.T) {
			dir := filled(t, inMemory(t), 300)
			if name == "segment" {
				must(t, writeSegmentAt(ctx, dir, 1))
			}
			all := func(snap *Snapshot) map[string]dataset.Record {
				records := make(map[string]dataset.Record)
				must(t, snap.Range(0, snap.Slots(), func(_ int, rec dataset.Record) error {
					records[rec.ID] = rec
					return nil
				}))
				return records
			}
			use(t, dir, func(s *Store) {
				must(t, s.Hold(ctx, func(snap *Snapshot) error {
					before := all(snap)
					rows, err := snap.Vectors("ged")
					must(t, err)
					first := rows[len(rows)-1]
					use(t, dir, func(other *Store) { // another process
						_, err := other.Delete(ctx, []string{"0", "7"})
						must(t, err)
					})
					_, err = addAt(ctx, dir, []dataset.Record{newRecord(graph.NewVocabulary(), "new", 1)}, 1)
					must(t, err)
					must(t, writeSegmentAt(ctx, dir, 1))
					_, _, err = compactAt(ctx, dir, 1)
					must(t, err)
					after := all(snap)
					if len(after) != len(before) || len(after) != snap.Len() {
						t.Errorf("%d records, %d before", len(after), len(before))
					}
					for id, rec := range before {
						same(t, after[id], rec)
					}
					again, err := snap.Vectors("ged")
					must(t, err)
					if len(again) != len(rows) || again[len(rows)-1] != first {
						t.Error("other vectors")
					}
					r := &Report{}
					must(t, r.check(ctx, snap))
					if len(r.Problems) > 0 {
						t.Errorf("problems %q", r.Problems)
					}
					return nil
				}))
				must(t, s.View(ctx, func(snap *Snapshot) error {
					if _, err := snap.Get("7"); !errors.Is(err, ErrNotFound) {
						t.Errorf("error %v", err)
					}
					_, err := snap.Get("new")
					return err
				}))
			})
			sound(t, dir)
		})
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), copyPrefix+"*")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
