package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// TestByID: a segment finds every id of its records and no other, and has them in order: one written as ids come and
// go, one of a compaction, and one that lacks the order.
func TestByID(t *testing.T) {
	dir := filled(t, inMemory(t), 300)
	use(t, dir, func(s *Store) {
		s.piece = 0 // others change ids between the pieces
		_, err := s.Delete(t.Context(), []string{"0", "17", "299"})
		must(t, err)
		changes := 0
		w, err := s.createSegment(t.Context(), 1, func(ctx context.Context, read func(*Snapshot) error) error {
			changes++
			vocab := graph.NewVocabulary()
			_, _, err := s.Add(ctx, []dataset.Record{newRecord(vocab, fmt.Sprint("m", changes), changes),
				newRecord(vocab, fmt.Sprint(changes*7), changes)}, false, 1)
			return errors.Join(err, s.View(ctx, read))
		})
		must(t, err)
		done, err := s.adopt(t.Context(), w)
		must(t, err)
		if !done || changes < 8 {
			t.Fatalf("adopted: %v, after %d changes", done, changes)
		}
		must(t, w.file.Close())
	})
	findsAll(t, dir, false)
	sound(t, dir)
	_, _, err := compactAt(t.Context(), dir, 1)
	must(t, err)
	findsAll(t, dir, true)
	old := filepath.Join(inMemory(t), "v4")
	must(t, os.CopyFS(old, os.DirFS(filepath.Join("testdata", "v4"))))
	findsAll(t, old, true)
}

// findsAll fails unless the segment of an index finds its records. If all is true, it has those of the index.
func findsAll(t *testing.T, dir string, all bool) {
	t.Helper()
	c, err := loadAt(t.Context(), dir)
	must(t, err)
	h := c.Segment
	var ids []string
	for slot := range h.Len() {
		if !slices.Contains(c.Empty, slot) {
			id := h.ID(slot)
			ids = append(ids, id)
			if got, _, ok := h.Find(id); !ok || got != slot || id != h.About(slot).ID {
				t.Errorf("id %q is in slot %d, %v, want %d", id, got, ok, slot)
			}
		}
	}
	var order []string
	for _, slot := range h.ByID() {
		if !slices.Contains(c.Empty, int(slot)) {
			order = append(order, h.ID(int(slot)))
		}
	}
	slices.Sort(ids)
	if !slices.Equal(ids, order) || all && len(ids) != h.Len()-len(c.Empty) {
		t.Errorf("%d ids in another order than %d", len(order), len(ids))
	}
	for _, other := range []string{"", "\x00", "4x", "m999", "\xff"} {
		if slot, at, ok := h.Find(other); ok || at > 0 && h.ID(int(h.ByID()[at-1])) >= other {
			t.Errorf("%q is in slot %d, at %d", other, slot, at)
		}
	}
	must(t, h.Err())
}

// TestDamagedOrder: a damaged order of ids is an error once it is needed, and searches that need no ids do without.
func TestDamagedOrder(t *testing.T) {
	dir := filled(t, inMemory(t), 50)
	must(t, writeSegmentAt(t.Context(), dir, 1))
	c, err := loadAt(t.Context(), dir)
	must(t, err)
	at := c.Segment.layout.find(idOrder)
	f, err := os.OpenFile(c.Segment.path, os.O_RDWR, 0)
	must(t, err)
	_, err = f.WriteAt([]byte{99}, at.offset+8)
	must(t, errors.Join(err, f.Close()))
	c, err = loadAt(t.Context(), dir)
	must(t, err)
	must(t, c.Segment.Err())
	if slot, _, ok := c.Segment.Find("17"); !ok || c.Segment.About(slot).ID != "17" {
		t.Errorf("17 is in slot %d: %v", slot, ok)
	}
	if err := c.Segment.Err(); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), idOrder) {
		t.Error(err)
	}
}
