//go:build unix

package filelock

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestRemoveAbandoned: what nobody holds goes, what is held stays, and nobody comes to
// hold what is being removed.
func TestRemoveAbandoned(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	removed := func(path string) bool {
		t.Helper()
		ok, err := RemoveAbandoned(path, os.Remove)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if held, err := Hold(f, path); !held || err != nil {
		t.Fatalf("not held: %v", err)
	}
	if removed(path) {
		t.Error("a file that is held was removed")
	}
	f.Close()
	ok, err := RemoveAbandoned(path, func(path string) error {
		late, err := os.Open(path)
		if err != nil {
			return err
		}
		defer late.Close()
		if held, _ := Hold(late, path); held {
			t.Error("a file that is being removed can be held")
		}
		return os.Remove(path)
	})
	if !ok || err != nil {
		t.Errorf("the lock outlived the file: %v", err)
	}
	if removed(path) {
		t.Error("a file that is not there was removed")
	}
}

// TestAbandonedWithoutLocks: where files cannot be locked, a file is abandoned a day after it was last written.
func TestAbandonedWithoutLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, c := range []struct {
		age  time.Duration
		goes bool
	}{{0, false}, {23 * time.Hour, false}, {25 * time.Hour, true}} {
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		written := time.Now().Add(-c.age)
		if err := os.Chtimes(path, written, written); err != nil {
			t.Fatal(err)
		}
		removed, err := removeAbandoned(path, os.Remove, false)
		if _, there := os.Stat(path); err != nil || removed != c.goes || (there != nil) != c.goes {
			t.Errorf("written %v ago: removed %t, %v, %v", c.age, removed, there, err)
		}
	}
}

// TestHoldOfARemovedFile: what was removed before it was locked is not held.
func TestHoldOfARemovedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if held, err := Hold(f, path); held || err != nil {
		t.Errorf("held %v, error %v", held, err)
	}
}
