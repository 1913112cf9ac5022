package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// filled returns a collection of n graphs with a model and some holes.
func filled(t testing.TB, folder string, n int) string {
	t.Helper()
	dir := empty(t, folder)
	use(t, dir, func(s *Store) { must(t, s.AddEmbedding(context.Background(), "ged", newModel(edit.GED, 1))) })
	vocab := graph.NewVocabulary()
	var records []dataset.Record
	for i := range n {
		records = append(records, newRecord(vocab, fmt.Sprint(i), i))
	}
	_, err := addAt(t.Context(), dir, records, 1)
	must(t, err)
	_, err = addAt(t.Context(), dir, records[:n/5], 1)
	must(t, err)
	use(t, dir, func(s *Store) {
		_, err := s.Delete(context.Background(), []string{"3", "5"})
		must(t, err)
	})
	return dir
}

// TestFlippedBits flips a bit of a file, anywhere. Reading then gives what was
// there or says that it is damaged, and if it says so, or the bit counts, check
// does.
func TestFlippedBits(t *testing.T) {
	t.Run("read", func(t *testing.T) { flipBits(t, filled(t, inMemory(t), 150)) })
	t.Run("mapped", func(t *testing.T) {
		dir := filled(t, inMemory(t), 150)
		must(t, writeSegmentAt(t.Context(), dir, 1))
		flipBits(t, dir)
	})
}

func flipBits(t *testing.T, dir string) {
	want := load(t, dir)
	rng := rand.New(rand.NewPCG(1, 2))
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	must(t, err)
	refused, harmless := 0, 0
	flips := sweep.Trials(150)
	for _, path := range names {
		whole, err := os.ReadFile(path)
		must(t, err)
		for range flips {
			at := rng.IntN(len(whole))
			bad := bytes.Clone(whole)
			bad[at] ^= 1 << rng.IntN(8)
			must(t, os.WriteFile(path, bad, 0o666))
			got, err := tryLoad(dir)
			switch {
			case err == nil:
				harmless++
				if fmt.Sprint(got.Engines[0].Vectors) != fmt.Sprint(want.Engines[0].Vectors) || len(got.Records) != len(want.Records) {
					t.Fatalf("%s: byte %d flipped: other content", path, at)
				}
				for i := range got.Records {
					same(t, got.Records[i], want.Records[i])
				}
			case errors.Is(err, ErrDamaged), errors.Is(err, ErrFormat), errors.Is(err, ErrVersion):
				refused++
				if r, err := Check(t.Context(), dir); err == nil && len(r.Problems) == 0 {
					t.Fatalf("%s: byte %d flipped: not noticed by check", path, at)
				}
			default:
				t.Fatalf("%s: byte %d flipped: error %v", path, at, err)
			}
		}
		must(t, os.WriteFile(path, whole, 0o666))
	}
	t.Logf("%d refused, %d harmless", refused, harmless)
	if refused == 0 {
		t.Error("nothing was noticed")
	}
	sound(t, dir)
}

// TestCheckNamesTornRows: check goes on after damage and names it.
func TestCheckNamesTornRows(t *testing.T) {
	dir := filled(t, inMemory(t), 3000)
	path := filepath.Join(dir, "vectors-00000000")
	whole, err := os.ReadFile(path)
	must(t, err)
	whole[vectorsHeader+64*10] ^= 1
	whole[vectorsHeader+64*2000] ^= 1
	must(t, os.WriteFile(path, whole, 0o666))
	r, err := Check(t.Context(), dir)
	must(t, err)
	want := []string{
		"embedding ged: " + path + ": damaged: rows 0 to 1023 do not match their checksum",
		"embedding ged: " + path + ": damaged: rows 1024 to 2047 do not match their checksum",
	}
	if fmt.Sprint(r.Problems) != fmt.Sprint(want) {
		t.Errorf("problems %q, want %q", r.Problems, want)
	}
	if _, err := tryLoad(dir); !errors.Is(err, ErrDamaged) {
		t.Errorf("torn rows were read: error %v", err)
	}
}

// TestTornCommit leaves the database file as a power loss in the middle of a
// commit may: bbolt writes pages that nothing refers to yet, flushes them, and
// then one root page. Any part of the former, and a root page cut anywhere,
// give the collection before or after.
func TestTornCommit(t *testing.T) {
	dir := filled(t, inMemory(t), 200)
	path := filepath.Join(dir, databaseFile)
	rng := rand.New(rand.NewPCG(3, 4))
	vocab := graph.NewVocabulary()
	for i := range 20 {
		before, err := os.ReadFile(path)
		must(t, err)
		rows := make([]float32, 16)
		use(t, dir, func(s *Store) {
			_, err := s.Put(context.Background(), []dataset.Record{newRecord(vocab, fmt.Sprint("torn", i%3), i)}, map[string][]float32{"ged": rows})
			must(t, err)
		})
		after, err := os.ReadFile(path)
		must(t, err)
		for range 10 {
			torn := bytes.Clone(after)
			for page := 0; page*pageSize < len(torn); page++ {
				end := (page + 1) * pageSize
				switch {
				case page < 2 || end <= len(before) && rng.IntN(2) == 0:
					copy(torn[page*pageSize:], before[page*pageSize:end])
				case end > len(before) && rng.IntN(2) == 0:
					clear(torn[page*pageSize : end])
				}
			}
			must(t, os.WriteFile(path, torn, 0o666))
			steps(t, dir, i-1)
		}
		torn := bytes.Clone(after)
		cut := rng.IntN(2 * pageSize)
		copy(torn[cut:2*pageSize], before[cut:])
		must(t, os.WriteFile(path, torn, 0o666))
		steps(t, dir, i-1, i)
		must(t, os.WriteFile(path, after, 0o666))
		steps(t, dir, i)
	}
}

// steps fails unless the last record put is one of those wanted.
func steps(t *testing.T, dir string, wanted ...int) {
	t.Helper()
	last := -1
	for _, rec := range load(t, dir).Records {
		if len(rec.ID) > 4 {
			last = max(last, int(rec.Attributes["version"].(float64)))
		}
	}
	for _, w := range wanted {
		if last == w {
			return
		}
	}
	t.Fatalf("the last step is %d, want one of %v", last, wanted)
}

// unopened is a file system in which some files cannot be opened.
type unopened struct {
	osFiles
	prefix string
}

func (f unopened) Open(path string, write bool) (file, error) {
	if strings.HasPrefix(filepath.Base(path), f.prefix) {
		return nil, &os.PathError{Op: "open", Path: path, Err: syscall.EMFILE}
	}
	return f.osFiles.Open(path, write)
}

// TestFilesThatCannotBeOpened: only a file that is gone is damage. Of one that the system does not
// open, because the process has too many or may not, nothing is known.
func TestFilesThatCannotBeOpened(t *testing.T) {
	dir := filled(t, inMemory(t), 50)
	must(t, writeSegmentAt(t.Context(), dir, 1))
	for _, prefix := range []string{"vectors-", "settled-"} {
		use(t, dir, func(s *Store) {
			s.fs = unopened{prefix: prefix}
			if _, err := s.Load(t.Context()); !errors.Is(err, syscall.EMFILE) || errors.Is(err, ErrDamaged) || strings.Contains(err.Error(), "compact") {
				t.Errorf("too many files, %s: %v", prefix, err)
			}
		})
		names, err := filepath.Glob(filepath.Join(dir, prefix+"*"))
		must(t, err)
		if len(names) == 0 {
			t.Fatalf("there is no file %s*", prefix)
		}
		must(t, os.Rename(names[0], names[0]+".away"))
		if _, err := tryLoad(dir); !errors.Is(err, ErrDamaged) {
			t.Errorf("without %s: %v", names[0], err)
		}
		must(t, os.Rename(names[0]+".away", names[0]))
	}
}

// TestNoPlaceForCopies: the error says what the folder, which nobody named, is for.
func TestNoPlaceForCopies(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	t.Setenv("TMPDIR", gone)
	t.Setenv("TMP", gone)
	if _, _, err := copyFolder(); err == nil || !strings.Contains(err.Error(), "temporary files") || !strings.Contains(err.Error(), gone) {
		t.Error(err)
	}
}
