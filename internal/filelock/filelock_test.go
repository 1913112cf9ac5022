//go:build unix

package filelock

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAbandoned(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if !Abandoned(path) {
		t.Error("a file that nobody locked is held")
	}
	if held, err := Hold(f, path); !held || err != nil {
		t.Fatalf("not held: %v", err)
	}
	if Abandoned(path) {
		t.Error("a file that is held is abandoned")
	}
	f.Close()
	if !Abandoned(path) {
		t.Error("the lock outlived the file")
	}
	if Abandoned(path + ".none") {
		t.Error("a file that is not there is abandoned")
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
