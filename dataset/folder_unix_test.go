//go:build unix

package dataset_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestFolderWithoutAnEnd: a pipe nobody writes to, and links to devices, to
// nothing and to themselves, are left out of a folder.
func TestFolderWithoutAnEnd(t *testing.T) {
	dir := writeFiles(t, map[string]string{"a.smi": "CCO a\n"})
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo.smi"), 0o600); err != nil {
		t.Skip(err)
	}
	for name, target := range map[string]string{"0.smi": "/dev/zero", "gone.smi": "nowhere", "loop.smi": "loop.smi", "up": ".."} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	got, notes := drawings(t, dir, dataset.Options{})
	if len(got) != 1 || got["a"] == "" {
		t.Errorf("read %v", got)
	}
	for _, name := range []string{"fifo.smi", "0.smi", "gone.smi", "loop.smi", "folder up"} {
		if !contains(notes, name+" was left out") {
			t.Errorf("no note of %s in %q", name, notes)
		}
	}
}

// TestListedPipe: an index of files that names a pipe gives an error and does not
// wait.
func TestListedPipe(t *testing.T) {
	dir := writeFiles(t, map[string]string{"x.cxl": `<GraphCollection><print file="a.gxl"/></GraphCollection>`})
	if err := syscall.Mkfifo(filepath.Join(dir, "a.gxl"), 0o600); err != nil {
		t.Skip(err)
	}
	_, err := dataset.ReadAll(filepath.Join(dir, "x.cxl"), dataset.Options{})
	if err == nil || !strings.Contains(err.Error(), "it is a pipe or a device, expected a file") {
		t.Error(err)
	}
}
