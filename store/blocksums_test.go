package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greedgraph/greed/ged/screen"
)

// TestOpeningReadsLittle damages what opening a collection does not read: it opens, what is
// whole is read, and what is damaged is told when it is read.
func TestOpeningReadsLittle(t *testing.T) {
	dir := filled(t, inMemory(t), 3000)
	must(t, writeSegmentAt(t.Context(), dir, 1))
	whole, err := loadAt(t.Context(), dir)
	must(t, err)
	layout := whole.Segment.layout
	path := filepath.Join(dir, layout.fileName())
	content, err := os.ReadFile(path)
	must(t, err)
	records := layout.find(recordPayloads)
	if records.Length <= 2*blockBytes {
		t.Fatalf("records of %d bytes are too few for three blocks", records.Length)
	}
	open := func(damaged int64) *Segment {
		t.Helper()
		bad := append([]byte(nil), content...)
		bad[damaged] ^= 1
		must(t, os.WriteFile(path, bad, 0o666))
		c, err := loadAt(t.Context(), dir)
		must(t, err)
		return c.Segment
	}
	wantDamage := func(h *Segment) {
		t.Helper()
		if err := h.Err(); !errors.Is(err, ErrDamaged) || strings.Count(err.Error(), path) != 1 {
			t.Errorf("error %v, want damage of %s, named once", err, path)
		}
	}
	last := whole.Segment.Len() - 1

	h := open(records.offset + records.Length - 1)
	h.Record(10)
	h.Signatures()
	h.Sheet()
	must(t, h.Err())
	h.About(last)
	wantDamage(h)

	h = open(records.offset + records.Length - 1)
	h.Molecule(last)
	wantDamage(h)

	h = open(layout.find(signatureWords).offset)
	h.Record(last)
	must(t, h.Err())
	if n := h.Signatures().Len(); n != h.Len() {
		t.Errorf("%d signatures of %d graphs", n, h.Len())
	}
	wantDamage(h)

	var want screen.Sheet
	for slot := range whole.Segment.Len() {
		want.Extend(h.Record(slot).Graph)
	}
	want.Build()
	h = open(layout.find(sheetCounts).offset)
	sameSheet(t, h.Sheet(), &want)
	wantDamage(h)
}

// TestBlockSums writes data in odd pieces and changes bytes of it.
func TestBlockSums(t *testing.T) {
	for _, length := range []int{0, 1, blockBytes - 1, blockBytes, blockBytes + 1, 3*blockBytes + 5} {
		data := make([]byte, length)
		for i := range data {
			data[i] = byte(i * 7 >> 3)
		}
		w := blockSummer{to: io.Discard}
		for at, n := 0, 1; at < length; at, n = at+n, n*3 {
			if _, err := w.Write(data[at:min(at+n, length)]); err != nil {
				t.Fatal(err)
			}
		}
		w.end()
		open := func() *blockSums {
			b, err := openBlockSums(w.sums, length)
			must(t, err)
			return &b
		}
		must(t, open().verify(data, 0, int64(length)))
		for _, at := range []int{0, length / 2, length - 1} {
			if at < 0 || at >= length {
				continue
			}
			data[at] ^= 4
			if open().verify(data, int64(at), int64(at)+1) == nil {
				t.Errorf("%d bytes: a change of byte %d was not noticed", length, at)
			}
			if other := (at/blockBytes + 1) * blockBytes; other < length {
				must(t, open().verify(data, int64(other), int64(length)))
			}
			data[at] ^= 4
		}
		if _, err := openBlockSums(append(w.sums, 0, 0, 0, 0), length); err == nil {
			t.Errorf("%d bytes: the sums of a block too many were accepted", length)
		}
	}
}
