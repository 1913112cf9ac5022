package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/filelock"
)

// observed is a file system that reports what a disk needs time for, before it is done.
type observed struct {
	osFiles
	before func(what string)
}

type observedFile struct {
	file
	fs   observed
	path string
}

func (w observed) Create(path string) (file, error) {
	f, err := w.osFiles.Create(path)
	return &observedFile{f, w, path}, err
}

func (w observed) Open(path string, write bool) (file, error) {
	f, err := w.osFiles.Open(path, write)
	if err != nil {
		return nil, err
	}
	return &observedFile{f, w, path}, nil
}

func (w observed) Rename(from, to string) error {
	w.before("rename to " + filepath.Base(to))
	return w.osFiles.Rename(from, to)
}

func (w observed) SyncDir(dir string) error {
	w.before("flush the folder")
	return w.osFiles.SyncDir(dir)
}

func (f *observedFile) Sync() error {
	f.fs.before("flush " + filepath.Base(f.path))
	return f.file.Sync()
}

// othersWait reports whether somebody has the collection for himself.
func othersWait(t testing.TB, dir string) bool {
	f, err := os.Open(filepath.Join(dir, databaseFile))
	must(t, err)
	defer f.Close()
	free, err := filelock.Try(f, false)
	must(t, err)
	return !free
}

// withModels returns an index of records with two models.
func withModels(t testing.TB, folder string, records int) string {
	dir := empty(t, folder)
	use(t, dir, func(s *Store) {
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			must(t, s.AddEmbedding(t.Context(), task.String(), newModel(task, 1)))
		}
		_, _, err := s.Add(t.Context(), many("a", records), true, 1)
		must(t, err)
	})
	return dir
}

func many(prefix string, n int) (list []dataset.Record) {
	vocab := graph.NewVocabulary()
	for i := range n {
		list = append(list, newRecord(vocab, fmt.Sprint(prefix, i), i))
	}
	return list
}

// TestCompactionKeepsOthersFromLittle: others wait for no flush at the beginning of a
// compaction, and at its end for those of the last changes and of the new names alone.
func TestCompactionKeepsOthersFromLittle(t *testing.T) {
	dir := withModels(t, inMemory(t), 50)
	var mu sync.Mutex
	var list []string
	s, err := open(dir, Options{}, observed{before: func(what string) {
		mu.Lock()
		defer mu.Unlock()
		if othersWait(t, dir) {
			list = append(list, what)
		}
	}})
	must(t, err)
	_, err = s.Delete(t.Context(), []string{"none"}) // the first change flushes the folder
	must(t, err)
	list = nil
	_, _, err = s.Compact(t.Context(), 1)
	must(t, err)
	must(t, s.Close())
	flushes := list[:min(2, len(list))]
	slices.Sort(flushes) // they are made at the same time
	if want := "flush vectors-00000002, flush vectors-00000003, rename to collection.db, flush the folder"; strings.Join(list, ", ") != want {
		t.Errorf("others wait for %v, want %s", list, want)
	}
	sound(t, dir)
}

// TestCompactionBesideManyWrites: a compaction ends although more than it may carry over in its
// last step is written during each of its flushes.
func TestCompactionBesideManyWrites(t *testing.T) {
	dir := withModels(t, inMemory(t), 50)
	writes := 0
	s, err := open(dir, Options{}, observed{before: func(what string) {
		if what != "flush vectors-00000002" || othersWait(t, dir) {
			return
		}
		if writes++; writes > 10 {
			t.Error("it does not end")
			return
		}
		_, err := addAt(t.Context(), dir, many(fmt.Sprint("b", writes, "-"), fewChanges+1), 1)
		must(t, err)
	}})
	must(t, err)
	_, _, err = s.Compact(t.Context(), 1)
	must(t, err)
	must(t, s.Close())
	if got, want := len(load(t, dir).Records), 50+writes*(fewChanges+1); writes == 0 || got != want {
		t.Errorf("%d records after %d flushes, want %d", got, writes, want)
	}
	sound(t, dir)
}

// TestVectorsAreFlushedTogether: a change flushes the vectors of all models at the same time.
func TestVectorsAreFlushedTogether(t *testing.T) {
	dir := withModels(t, inMemory(t), 5)
	synctest.Test(t, func(t *testing.T) {
		var both sync.WaitGroup
		both.Add(2)
		s, err := open(dir, Options{}, observed{before: func(what string) {
			if strings.HasPrefix(what, "flush vectors") {
				both.Done()
				both.Wait() // if one flush waits for the other, synctest reports a deadlock
			}
		}})
		must(t, err)
		_, _, err = s.Add(t.Context(), many("b", 1), true, 1)
		must(t, err)
		must(t, s.Close())
	})
	sound(t, dir)
}

// TestPiecesOfWriting: transactions of a long work are as long as others may wait, and no longer.
func TestPiecesOfWriting(t *testing.T) {
	for _, c := range []struct {
		n    int
		took time.Duration
		want int
	}{
		{256, 30 * time.Millisecond, 170}, // before, these went on as they were
		{256, 15 * time.Millisecond, 256},
		{64, 15 * time.Millisecond, 85},
		{64, time.Millisecond, mostPiece},
		{64, 0, mostPiece},
		{16, time.Second, leastPiece},
		{256, time.Hour, leastPiece},
	} {
		if got := nextPiece(c.n, c.took); got != c.want {
			t.Errorf("after %d in %v come %d, want %d", c.n, c.took, got, c.want)
		}
	}
}
