package store

import (
	"bytes"
	"slices"
	"testing"

	"github.com/greedgraph/greed/ged/screen"
)

// TestSheetIsKept: the counts and branches of a settled file are those of its
// graphs, also if it is from before they were kept.
func TestSheetIsKept(t *testing.T) {
	dir := filled(t, inMemory(t), 300)
	must(t, settleAt(t.Context(), dir, 2))
	c, err := loadAt(t.Context(), dir)
	must(t, err)
	var want screen.Sheet
	for slot := range c.Shelf.Len() {
		want.Extend(c.Shelf.Record(slot).Graph)
	}
	if c.Shelf.sheet.Len() != c.Shelf.Len() {
		t.Fatalf("the file has counts of %d graphs, want %d", c.Shelf.sheet.Len(), c.Shelf.Len())
	}
	sameSheet(t, c.Shelf.Sheet(), &want)
	old := &Shelf{path: c.Shelf.path, settled: c.Shelf.settled, memory: c.Shelf.memory, labels: c.Shelf.labels}
	old.settled.Sections = slices.DeleteFunc(slices.Clone(old.settled.Sections), func(s section) bool {
		return slices.Contains([]string{sheetOrder, sheetCounts, branchStarts, branchLists, branchKinds}, s.Name)
	})
	must(t, old.read())
	sameSheet(t, old.Sheet(), &want)
}

func sameSheet(t *testing.T, got, want *screen.Sheet) {
	t.Helper()
	a, b := got.Parts(), want.Parts()
	if !slices.Equal(a.Order, b.Order) || !bytes.Equal(a.Counts, b.Counts) || !slices.Equal(a.Starts, b.Starts) || !slices.Equal(a.Lists, b.Lists) || !bytes.Equal(a.Kinds, b.Kinds) {
		t.Error("counts or branches differ")
	}
}
