package atomicfile

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/greedgraph/greed/internal/filelock"
)

func TestWriteCreatesAndReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, content := range []string{"first", "", "third, longer than the first"} {
		if err := WriteBytes(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		wantContent(t, path, content)
	}
	wantAlone(t, path)
}

func TestFailingWriterLeavesOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := WriteBytes(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	for _, before := range []int{0, 10, 1 << 20} {
		err := Write(path, func(w io.Writer) error {
			if _, err := w.Write(bytes.Repeat([]byte("x"), before)); err != nil {
				return err
			}
			return boom
		})
		if !errors.Is(err, boom) {
			t.Fatalf("after %d bytes: %v", before, err)
		}
		wantContent(t, path, "old")
		wantAlone(t, path)
	}
}

func TestFailingWriterCreatesNothing(t *testing.T) {
	dir := t.TempDir()
	err := Write(filepath.Join(dir, "file"), func(io.Writer) error { return io.ErrUnexpectedEOF })
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Fatalf("left %v behind", entries)
	}
}

// TestLeftFilesGo: what a killed process left goes with the next write, and what a
// living one writes, or what only looks alike, stays.
func TestLeftFilesGo(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	left, alike := filepath.Join(dir, ".file.0123456789abcdef.tmp"), filepath.Join(dir, ".file.old.tmp")
	for _, p := range []string{left, alike} {
		if err := os.WriteFile(p, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	err := Write(path, func(io.Writer) error {
		if err := WriteBytes(path, []byte("beside")); err != nil {
			t.Error(err)
		}
		entries, err := os.ReadDir(dir)
		if len(entries) != 3 { // ours, the other's result, what is alike
			t.Errorf("%v", entries)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); filelock.Supported && err == nil {
		t.Error("the left file is there")
	}
	if _, err := os.Stat(alike); err != nil {
		t.Error(err)
	}
}

func TestPermissionsAndLinksAreKept(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links and permissions are different on Windows")
	}
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	if err := WriteBytes(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	wantContent(t, path, "new")
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != 0o640 {
		t.Errorf("mode %v, want 0640", info.Mode())
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced (%v)", err)
	}
}

func TestUnusablePaths(t *testing.T) {
	dir := t.TempDir()
	if err := WriteBytes(dir, nil); err == nil {
		t.Error("wrote over a directory")
	}
	if err := WriteBytes(filepath.Join(dir, "missing", "file"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a missing directory: %v", err)
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink("loop", loop); err == nil {
		if err := WriteBytes(loop, nil); err == nil {
			t.Error("followed a link to itself")
		}
	}
}

func wantContent(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Fatalf("content %q, want %q", got, want)
	}
}

// wantAlone fails unless path is the only entry of its directory.
func wantAlone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 {
		t.Fatalf("%d entries left in the directory: %v", len(entries), entries)
	}
}

// TestErrorsNameTheFile: what cannot be written is named as the caller named it.
func TestErrorsNameTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "out.csv")
	err := WriteBytes(path, nil)
	if err == nil || !strings.Contains(err.Error(), path+":") || strings.Contains(err.Error(), ".tmp") {
		t.Errorf("error %v", err)
	}
}
