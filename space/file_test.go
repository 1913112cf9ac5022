package space

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/processor"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// written returns the file of a space.
func written(t testing.TB, s *Space) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestFile: a space that was written and read answers as before, and is written to the same bytes.
func TestFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 9))
	for range sweep.Trials(60) {
		e := enumerate(t, randomSpace(t, rng))
		if len(e.texts) == 0 {
			continue
		}
		file := written(t, e.Space)
		again, err := decode(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(file, written(t, again)) || again.Tag() != e.Tag() {
			t.Fatal("it is written to other bytes")
		}
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			q := edited(rng, e.query(t, e.texts[rng.IntN(len(e.texts))]), rng.IntN(3))
			radius := float64(rng.IntN(3))
			was, err := e.Search(t.Context(), q, Options{Task: task, Radius: &radius})
			if err != nil {
				t.Fatal(err)
			}
			is, err := again.Search(t.Context(), graph.In(again.vocab.Extend(), q), Options{Task: task, Radius: &radius})
			if err != nil {
				t.Fatal(err)
			}
			for i := range was.Answers {
				if i >= len(is.Answers) || was.Answers[i].SMILES != is.Answers[i].SMILES ||
					!reflect.DeepEqual(was.Answers[i].Map, is.Answers[i].Map) {
					t.Fatalf("answer %d differs", i)
				}
			}
			if len(is.Answers) != len(was.Answers) || was.Stats != is.Stats {
				t.Fatalf("%d answers, %+v, want %d, %+v", len(is.Answers), is.Stats, len(was.Answers), was.Stats)
			}
		}
	}
}

// TestDamagedFile: whatever byte is another one, a file is refused, and if the checksum fits, nothing is read outside of
// it and a search of what it holds ends.
func TestDamagedFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 10))
	file := written(t, randomSpace(t, rng))
	radius := 1.0
	for range sweep.Trials(3000) {
		bad := bytes.Clone(file)
		bad[rng.IntN(len(bad))] ^= byte(1 + rng.IntN(255))
		if _, err := decode(t.Context(), bad); err == nil {
			t.Fatal("accepted")
		}
		end := len(bad) - sha256.Size
		sum := sha256.Sum256(bad[:end])
		copy(bad[end:], sum[:])
		s, err := decode(t.Context(), bad)
		if err != nil {
			if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrVersion) && !errors.Is(err, ErrFile) {
				t.Fatal(err)
			}
			continue
		}
		e := &enumerated{Space: s}
		_, _ = s.Search(t.Context(), e.query(t, "CCO"), Options{Radius: &radius, K: 5})
	}
	for end := range len(file) {
		if _, err := decode(t.Context(), file[:end]); err == nil {
			t.Fatalf("%d of %d bytes are accepted", end, len(file))
		}
	}
}

// TestFileOfVersion2 reads a file that version 2 wrote.
func TestFileOfVersion2(t *testing.T) {
	path := filepath.Join("testdata", "version2.index")
	s := parse(t, "SMILES\tsynton_id\tsynton#\treaction_id\nc1ccccc1C(=O)[1*]\ta\t1\tamide\n[1*]NCC1CC1\tb\t2\tamide\n")
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !IsFile(path) || !bytes.Equal(file, written(t, s)) {
		t.Error("it is written in another way")
	}
	if read, err := ReadFile(t.Context(), path); err != nil || read.Tag() != s.Tag() {
		t.Error(err)
	}
}

// TestFileSize: a synthon takes at most 200 bytes beyond its SMILES and its id.
func TestFileSize(t *testing.T) {
	for _, name := range []string{"synthon_space_1M.tsv.gz", "idorsia_toy_space_a.txt"} {
		s := public(t, name)
		record, n := 0, 0
		for _, r := range s.Reactions {
			for _, c := range r.Components {
				for _, x := range c.Synthons {
					record, n = record+len(x.ID)+len(x.SMILES), n+1
				}
			}
		}
		size := len(written(t, s))
		each := float64(size-record) / float64(n)
		t.Logf("%s: %d synthons, %d bytes, %.0f a synthon beyond its record", name, n, size, each)
		if each > 200 {
			t.Errorf("%s: %.0f bytes a synthon", name, each)
		}
	}
}

// BenchmarkOpen reads the public space of 990,829 products from its text and from its file.
func BenchmarkOpen(b *testing.B) {
	s := public(b, "synthon_space_1M.tsv.gz")
	var text bytes.Buffer
	text.WriteString("SMILES\tsynton_id\tsynton#\treaction_id\n")
	for _, r := range s.Reactions {
		for _, c := range r.Components {
			for _, x := range c.Synthons {
				fmt.Fprintf(&text, "%s\t%s\t%d\t%s\n", x.SMILES, x.ID, c.Number, r.ID)
			}
		}
	}
	file := written(b, s)
	for name, read := range map[string]func() error{
		"text": func() error { _, err := Read(b.Context(), bytes.NewReader(text.Bytes()), "text"); return err },
		"file": func() error { _, err := decode(b.Context(), file); return err },
	} {
		b.Run(name, func(b *testing.B) {
			begin := processor.Time()
			for b.Loop() {
				if err := read(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processor.Time()-begin).Seconds()*1000/float64(b.N), "cpu-ms")
		})
	}
}
