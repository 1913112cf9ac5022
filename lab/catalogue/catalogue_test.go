package catalogue

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestGetTidiesAndChecks: graphs are put in the order of their ids, parts that do not count
// go, and what is not as published is refused before anything is written.
func TestGetTidiesAndChecks(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	folder := filepath.Join(dir, "repo", "json_data", "X", "train")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"10.json": `{"n": 2, "labels": null, "graph": [[0, 1]]}`,
		"9.json":  `{"n": 3, "labels": null, "graph": [[0, 2]]}`,
		"2.json":  `{"n": 4, "labels": null, "graph": [[0, 1], [2, 3]]}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := "t # 9\nv 0 0\nv 1 0\ne 0 1 0\nt # 10\nv 0 0\nv 1 0\ne 0 1 0\n"
	f := File{Path: "x/train.txt.gz", from: []string{"json_data/X/train"}, tidy: tidy{byID: true, isolated: true, connected: true}}
	text, err := f.make(context.Background(), folder)
	if err != nil || string(text) != want {
		t.Fatalf("%v:\n%s\nwant\n%s", err, text, want)
	}
	e := Entry{Name: "x", Files: []File{f}}
	if _, err := e.Get(context.Background(), dir, data); !errors.Is(err, ErrOtherGraphs) || !strings.Contains(err.Error(), "would have 2 graphs") {
		t.Errorf("error %v", err)
	}
	if left, _ := os.ReadDir(data); len(left) > 0 {
		t.Error("refused graphs were written")
	}
	sum := sha256.Sum256([]byte(want))
	e.Files[0].SHA256 = hex.EncodeToString(sum[:])
	written, err := e.Get(context.Background(), dir, data)
	if err != nil || len(written) != 1 {
		t.Fatal(written, err)
	}
	again, err := f.make(context.Background(), written[0])
	if err != nil || string(again) != want {
		t.Errorf("%v: the file reads as\n%s", err, again)
	}
}

// TestEntriesAreWhole: names differ, files are local, and sums are sums.
func TestEntriesAreWhole(t *testing.T) {
	seen := make(map[string]bool)
	for _, e := range Entries() {
		if seen[e.Name] || e.Owner == "" || e.Licence == "" || e.Hand == "" || len(e.Files) == 0 {
			t.Errorf("%+v", e)
		}
		seen[e.Name] = true
		for _, f := range e.Files {
			if !filepath.IsLocal(f.Path) || len(f.SHA256) != 64 || len(f.from) == 0 {
				t.Errorf("%s: %+v", e.Name, f)
			}
		}
		if found, err := Find(e.Name); err != nil || found.Name != e.Name {
			t.Error(err)
		}
	}
	if _, err := Find("nothing"); err == nil || !strings.Contains(err.Error(), "linux") {
		t.Errorf("error %v", err)
	}
}

func zipOf(t *testing.T, path string, files map[string]string) {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

func tarOf(t *testing.T, path string, files map[string]string) {
	t.Helper()
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	w := tar.NewWriter(g)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o666, Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.WriteHeader(&tar.Header{Name: "link", Linkname: "/etc/passwd", Typeflag: tar.TypeSymlink}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), g.Close()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestUnpackIsBounded: bombs of bytes and of entries, names that lead out, names twice.
func TestUnpackIsBounded(t *testing.T) {
	many := make(map[string]string)
	for i := range 50 {
		many[fmt.Sprint("f", i)] = ""
	}
	cases := []struct {
		name   string
		files  map[string]string
		failed string
	}{
		{"good", map[string]string{"a/b.txt": "hello", "c.txt": "x"}, ""},
		{"bytes", map[string]string{"zeros": strings.Repeat("0", 1<<20)}, ErrTooLarge.Error()},
		{"bytes together", map[string]string{"a": strings.Repeat("0", 3000), "b": strings.Repeat("0", 3000)}, ErrTooLarge.Error()},
		{"entries", many, ErrTooLarge.Error()},
		{"outside", map[string]string{"../out.txt": "x"}, "outside"},
		{"absolute", map[string]string{"/out.txt": "x"}, "outside"},
	}
	for _, pack := range []struct {
		end  string
		make func(*testing.T, string, map[string]string)
	}{{".zip", zipOf}, {".tar.gz", tarOf}} {
		for _, c := range cases {
			dir := t.TempDir()
			archive, folder := filepath.Join(dir, "x"+pack.end), filepath.Join(dir, "in")
			pack.make(t, archive, c.files)
			err := Unpack(archive, folder, Limits{Bytes: 5000, Entries: 20})
			if c.failed == "" {
				if err != nil {
					t.Errorf("%s%s: %v", c.name, pack.end, err)
				}
				if text, err := os.ReadFile(filepath.Join(folder, "a", "b.txt")); string(text) != "hello" {
					t.Errorf("%s%s: %q, %v", c.name, pack.end, text, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), c.failed) {
				t.Errorf("%s%s: error %v", c.name, pack.end, err)
			}
			if _, err := os.Lstat(filepath.Join(folder, "link")); err == nil {
				t.Errorf("%s%s: a link was made", c.name, pack.end)
			}
			if _, err := os.Stat(filepath.Join(dir, "out.txt")); err == nil {
				t.Errorf("%s%s: wrote outside", c.name, pack.end)
			}
		}
	}
}

// TestDownloadContinues: a download that broke off goes on from where it was, one over the
// limit fails, and what is no address is refused.
func TestDownloadContinues(t *testing.T) {
	const text = "0123456789"
	asked := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.Header.Get("Range")
		http.ServeContent(w, r, "x.zip", time.Time{}, strings.NewReader(text))
	}))
	defer s.Close()
	path := filepath.Join(t.TempDir(), "x.zip")
	if err := os.WriteFile(path+".part", []byte(text[:4]), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Download(context.Background(), s.URL, path, DefaultLimits()); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); string(got) != text || asked != "bytes=4-" {
		t.Errorf("%q, asked for %q, %v", got, asked, err)
	}
	other := path + "2"
	if err := Download(context.Background(), s.URL, other, Limits{Bytes: 5}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("a file that is too large is there")
	}
	for _, bad := range []string{"file:///etc/passwd", "ftp://x/y", "x", "https://"} {
		if err := Download(context.Background(), bad, other, DefaultLimits()); err == nil {
			t.Errorf("%s was downloaded", bad)
		}
	}
}
