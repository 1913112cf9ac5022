package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/internal/filelock"
	"github.com/greedgraph/greed/internal/journal"
)

const magic = "greedte\x01"

// records opens a journal, adds records of one byte, a frame each, and returns those
// that it held before.
func records(t *testing.T, path string, fingerprint string, add ...byte) (held []byte, err error) {
	t.Helper()
	j, err := journal.Open(path, magic, []byte(fingerprint), func(records []byte) error {
		if slices.Contains(records, '!') {
			return errors.New("holds a mark")
		}
		held = append(held, records...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	f := journal.NewFrame(j)
	for _, b := range add {
		if err := f.Add(func(data []byte) []byte { return append(data, b) }); err != nil {
			t.Fatal(err)
		}
		if err := f.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(f.Flush(), j.Close()); err != nil {
		t.Fatal(err)
	}
	return held, nil
}

// TestCutAnywhere: a journal of any length holds the frames that are complete, and can
// be appended to.
func TestCutAnywhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	if _, err := records(t, path, "job", 'a', 'b', 'c'); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const header, frame = len(magic) + len("job"), 9
	for n := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		want := "abc"[:max(0, n-header)/frame]
		if held, err := records(t, path, "job", 'x'); err != nil || string(held) != want {
			t.Errorf("%d bytes hold %q, %v; want %q", n, held, err, want)
		}
		if held, err := records(t, path, "job"); err != nil || string(held) != want+"x" {
			t.Errorf("after %d bytes and a record there are %q, %v; want %q", n, held, err, want+"x")
		}
	}
}

// TestReplay gives the frames written so far, those of earlier runs and those of this one.
func TestReplay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	if _, err := records(t, path, "job", 'a', 'b'); err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(path, magic, []byte("job"), func([]byte) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	f := journal.NewFrame(j)
	for _, want := range []string{"ab", "abc", "abcd"} {
		var held []byte
		if err := j.Replay(func(records []byte) error { held = append(held, records...); return nil }); err != nil || string(held) != want {
			t.Errorf("%q, %v; want %q", held, err, want)
		}
		if err := f.Add(func(data []byte) []byte { return append(data, 'c'+byte(len(want)-2)) }); err != nil || f.Flush() != nil {
			t.Fatal(err)
		}
	}
	enough := errors.New("enough")
	if err := j.Replay(func([]byte) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("the error is %v", err)
	}
	if err := os.Truncate(path, int64(len(magic)+len("job")+20)); err != nil {
		t.Fatal(err)
	}
	if err := j.Replay(func([]byte) error { return nil }); err == nil {
		t.Error("a journal that was cut is read as whole")
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestDamage: a damaged frame ends what is read, other files are refused.
func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	if _, err := records(t, path, "job", 'a', 'b', 'c'); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := len(magic) + len("job"); at < len(whole); at++ {
		damaged := slices.Clone(whole)
		damaged[at] ^= 0x40
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		want := "abc"[:(at-len(magic)-len("job"))/9]
		if held, err := records(t, path, "job"); err != nil || string(held) != want {
			t.Errorf("with byte %d changed there are %q, %v; want %q", at, held, err, want)
		}
	}
	for name, c := range map[string]struct{ content, want string }{
		"other job":  {magic + "jobs", "belongs to other graphs"},
		"other kind": {"nothing at all", "is not a journal"},
		"short":      {"no", "is not a journal"},
		"version":    {"greedte\x02job", "is of version 2, this program knows version 1"},
	} {
		if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		fingerprint := "job"
		if name == "other job" {
			fingerprint = "none"
		}
		_, err := records(t, path, fingerprint)
		if !errors.Is(err, journal.ErrUnusable) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := records(t, path, "job", '!'); err != nil {
		t.Fatal(err)
	}
	if _, err := records(t, path, "job"); !errors.Is(err, journal.ErrUnusable) || !strings.Contains(err.Error(), "holds a mark") {
		t.Errorf("invalid records: %v", err)
	}
}

// TestInUse: a journal is open once at a time.
func TestInUse(t *testing.T) {
	if !filelock.Supported {
		t.Skip("files cannot be locked here")
	}
	path := filepath.Join(t.TempDir(), "journal")
	first, err := journal.Open(path, magic, []byte("job"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := records(t, path, "job"); !errors.Is(err, journal.ErrBusy) {
		t.Errorf("a second time: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := records(t, path, "job"); err != nil {
		t.Error(err)
	}
}

// FuzzFrames opens a journal of any bytes after the header.
func FuzzFrames(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 9})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0})
	path := filepath.Join(f.TempDir(), "journal")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, append([]byte(magic+"job"), data...), 0o600); err != nil {
			t.Fatal(err)
		}
		held, err := records(t, path, "job", 'x')
		if err != nil {
			return
		}
		if again, err := records(t, path, "job"); err != nil || string(again) != string(held)+"x" {
			t.Errorf("%q, then %q, %v", held, again, err)
		}
	})
}

// TestIs: a journal is known by its first bytes, and texts and folders are none.
func TestIs(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "work.journal")
	if journal.Is(path) || journal.Is(dir) {
		t.Error("what is not there, or is a folder, is a journal")
	}
	for text, want := range map[string]bool{"": false, magic: true, magic + "job": true, magic[:7]: false, "greedy x": false, "{\"a\":1}\n": false} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if journal.Is(path) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}
