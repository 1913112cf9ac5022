package store

import (
	"bytes"
	"slices"
	"testing"

	"github.com/greedgraph/greed/ged/screen"
)

// TestSheetIsKept: the counts and branches of a segment are those of its
// graphs.
func TestSheetIsKept(t *testing.T) {
	dir := filled(t, inMemory(t), 300)
	must(t, writeSegmentAt(t.Context(), dir, 2))
	c, err := loadAt(t.Context(), dir)
	must(t, err)
	var want screen.Sheet
	for slot := range c.Segment.Len() {
		want.Extend(c.Segment.Record(slot).Graph)
	}
	want.Build()
	stored, err := c.Segment.storedSheet()
	must(t, err)
	sameSheet(t, stored, &want)
}

func sameSheet(t *testing.T, got, want *screen.Sheet) {
	t.Helper()
	a, b := got.Parts(), want.Parts()
	if !slices.Equal(a.Order, b.Order) || !bytes.Equal(a.Counts, b.Counts) || !slices.Equal(a.Starts, b.Starts) || !slices.Equal(a.Lists, b.Lists) || !bytes.Equal(a.Kinds, b.Kinds) {
		t.Error("counts or branches differ")
	}
}
