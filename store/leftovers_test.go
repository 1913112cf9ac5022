package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/internal/filelock"
)

// TestLeftFolder: what a killed build or snapshot left does not stand in the way,
// and what a living one writes is not touched.
func TestLeftFolder(t *testing.T) {
	place := inMemory(t)
	from := filled(t, place, 20)
	for name, make := range map[string]func(dir string) error{
		"build": func(dir string) error { return Build(dir, func(*Store) error { return nil }) },
		"copy": func(dir string) error {
			return with(from, Options{}, func(s *Store) error { return s.CopyTo(t.Context(), dir) })
		},
	} {
		dir := filepath.Join(place, name)
		must(t, os.Mkdir(dir+".tmp", 0o777))
		must(t, os.WriteFile(filepath.Join(dir+".tmp", "half"), []byte("x"), 0o666))
		living, err := os.Open(dir + ".tmp")
		must(t, err)
		if held, err := filelock.Hold(living, dir+".tmp"); err != nil || !held {
			t.Skip("folders cannot be locked here")
		}
		if err := make(dir); !errors.Is(err, ErrLocked) {
			t.Errorf("%s: another is being written: error %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir+".tmp", "half")); err != nil {
			t.Errorf("%s: its work is gone: %v", name, err)
		}
		must(t, living.Close())
		if err := make(dir); err != nil {
			t.Errorf("%s: after its end: %v", name, err)
		}
		sound(t, dir)
		left, err := filepath.Glob(filepath.Join(place, name+"*"))
		must(t, err)
		if len(left) != 1 {
			t.Errorf("%s: left: %v", name, left)
		}
	}
}

// TestLeftCompaction: the half of a compaction goes, and the next one works.
func TestLeftCompaction(t *testing.T) {
	dir := filled(t, inMemory(t), 100)
	want := load(t, dir)
	must(t, os.WriteFile(filepath.Join(dir, newDatabase), []byte(strings.Repeat("torn", 5000)), 0o666))
	must(t, os.WriteFile(filepath.Join(dir, "vectors-00000099"), []byte("x"), 0o666))
	_, _, err := compactAt(t.Context(), dir, 1)
	must(t, err)
	for _, name := range []string{newDatabase, "vectors-00000099"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was left", name)
		}
	}
	sameContents(t, load(t, dir), want)
	sound(t, dir)
}

// TestTwoCompactions: the second waits for the first, and says so where that takes too long.
func TestTwoCompactions(t *testing.T) {
	dir := filled(t, inMemory(t), 20)
	impatient, err := Open(dir, Options{Wait: 10 * time.Millisecond})
	must(t, err)
	defer impatient.Close()
	f, err := impatient.holdNew(t.Context(), filepath.Join(dir, newDatabase))
	must(t, err)
	if _, _, err := impatient.Compact(t.Context(), 1); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "it is being compacted") {
		t.Errorf("error %v", err)
	}
	use(t, dir, func(s *Store) { // whose first change sweeps
		_, err := s.Delete(t.Context(), []string{"7"})
		must(t, err)
	})
	if _, err := os.Stat(f.Name()); err != nil {
		t.Errorf("the work of the first is gone: %v", err)
	}
	time.AfterFunc(20*time.Millisecond, func() { _ = f.Close() }) // as who looks whether it is abandoned
	_, _, err = compactAt(t.Context(), dir, 1)
	must(t, err)
	sound(t, dir)
	must(t, impatient.CompactIfDue(t.Context(), 1))
	must(t, impatient.View(t.Context(), func(s *Snapshot) error {
		if s.m.Moves != 1 {
			t.Errorf("compacted %d times, want once", s.m.Moves)
		}
		return nil
	}))
}

// TestClocksThatJump: an index whose files are dated in the far future or past is opened,
// changed, compacted and swept like any other.
func TestClocksThatJump(t *testing.T) {
	for _, year := range []int{1980, 2100} {
		dir := filled(t, inMemory(t), 100)
		at := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		jump := func() {
			entries, err := os.ReadDir(dir)
			must(t, err)
			for _, e := range entries {
				must(t, os.Chtimes(filepath.Join(dir, e.Name()), at, at))
			}
		}
		want := load(t, dir)
		must(t, os.WriteFile(filepath.Join(dir, "vectors-00000099"), []byte("x"), 0o666))
		jump()
		_, _, err := compactAt(t.Context(), dir, 1)
		must(t, err)
		jump()
		sameContents(t, load(t, dir), want)
		sound(t, dir)
		if _, err := os.Stat(filepath.Join(dir, "vectors-00000099")); err == nil {
			t.Errorf("%d: what a killed change left is there", year)
		}
	}
}
