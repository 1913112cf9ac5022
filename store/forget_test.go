package store

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/internal/kernel"
)

// forgetful is a file system that notes what memory is given back.
type forgetful struct {
	osFiles
	files map[string]*forgetfulFile
}

type forgetfulFile struct {
	file
	mapped    []byte
	forgotten []bool // by page
}

func (f *forgetful) Open(path string, write bool) (file, error) {
	in, err := f.osFiles.Open(path, write)
	if err != nil {
		return nil, err
	}
	f.files[path] = &forgetfulFile{file: in}
	return f.files[path], nil
}

func (f *forgetfulFile) Map(n int) (b []byte, err error) {
	f.mapped, err = f.file.Map(n)
	f.forgotten = make([]bool, n/os.Getpagesize()+1)
	return f.mapped, err
}

func (f *forgetfulFile) Forget(b []byte) error {
	page := os.Getpagesize()
	at := kernel.Offset(f.mapped, b)
	if at < 0 || at%page != 0 || len(b)%page != 0 || len(b) == 0 {
		panic("what is given back is not pages of the file")
	}
	for i := at / page; i < (at+len(b))/page; i++ {
		f.forgotten[i] = true
	}
	return f.file.Forget(b)
}

// TestWhatIsComparedIsGivenBack: what is read only to compare it with checksums stays in no memory of
// the process: of an index of 10⁷ graphs it would be gigabytes, of which a search needs little.
func TestWhatIsComparedIsGivenBack(t *testing.T) {
	dir := filled(t, inMemory(t), 3000)
	must(t, writeSegmentAt(t.Context(), dir, 1))
	fs := &forgetful{files: make(map[string]*forgetfulFile)}
	s, err := Open(dir, Options{})
	must(t, err)
	s.fs = fs
	c, err := s.Load(t.Context())
	must(t, err)
	c.Segment.Signatures()
	c.Segment.Sheet()
	c.Segment.ByID()
	for _, e := range c.Engines {
		_, err := e.Open()
		must(t, err)
	}
	must(t, c.Segment.Err())
	page := int64(os.Getpagesize())
	// given fails unless all whole pages between two offsets were given back.
	given := func(path, what string, from, to int64) {
		t.Helper()
		for i := (from + page - 1) / page; (i+1)*page <= to; i++ {
			if !fs.files[path].forgotten[i] {
				t.Errorf("page %d of %s is kept in memory", i, what)
				return
			}
		}
	}
	pages := 0
	layout := c.Segment.layout
	for _, p := range layout.Sections {
		if at := layout.find(p.Name); p.Name != recordPayloads && p.Length >= 2*page {
			given(filepath.Join(dir, layout.fileName()), p.Name, at.offset, at.offset+p.Length)
			pages++
		}
	}
	if pages < 5 {
		t.Fatalf("%d sections are large enough", pages)
	}
	for _, v := range s.files {
		given(v.path, "vectors", vectorsHeader, v.offset(c.Segment.Len()))
	}
	must(t, c.Held.Release())
	must(t, s.Close())
}

// TestForget: memory that was given back holds what the file does, and a copy stays as it is.
func TestForget(t *testing.T) {
	page := os.Getpagesize()
	path := filepath.Join(t.TempDir(), "file")
	want := bytes.Repeat([]byte("content"), 3*page)
	must(t, os.WriteFile(path, want, 0o666))
	f, err := osFiles{}.Open(path, false)
	must(t, err)
	m, err := mapFile(f, len(want))
	must(t, err)
	for _, part := range [][]byte{m.data, m.data[1:], m.data[:page-1], m.data[page+1 : 3*page+7], m.data[5:5], nil, bytes.Clone(m.data)} {
		before := bytes.Clone(part)
		m.forget(part)
		if !bytes.Equal(part, before) || !bytes.Equal(m.data, want) {
			t.Fatalf("part of %d bytes is another", len(part))
		}
	}
	must(t, m.release())
	must(t, f.Close())
}

// TestRest: a large segment gives its memory back once searches have looked at many graphs, a small
// one never.
func TestRest(t *testing.T) {
	dir := filled(t, inMemory(t), 3000)
	must(t, writeSegmentAt(t.Context(), dir, 1))
	fs := &forgetful{files: make(map[string]*forgetfulFile)}
	s, err := Open(dir, Options{})
	must(t, err)
	s.fs = fs
	c, err := s.Load(t.Context())
	must(t, err)
	h := c.Segment
	records := h.layout.find(recordPayloads)
	middle := (records.offset + records.Length/2) / int64(os.Getpagesize())
	forgotten := func() bool { return fs.files[h.path].forgotten[middle] }
	h.Rest(10 * restAfter)
	h.rest(restAfter-1, 1000)
	if forgotten() {
		t.Error("memory was given back early")
	}
	h.rest(1, 1000)
	if !forgotten() {
		t.Error("no memory was given back")
	}
	if got := h.Record(2000); got.ID != "2000" || h.Err() != nil {
		t.Errorf("afterwards graph 2000 is %q, %v", got.ID, h.Err())
	}
	must(t, c.Held.Release())
	must(t, s.Close())
}
