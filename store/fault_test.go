package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/sweep"
	"github.com/greedgraph/greed/model"
)

// faulty is a file system that forgets, when the power is cut, what was not
// flushed: of every file any of the sectors written since, of every folder any
// of the names made, renamed or removed since. It can be full, and it can fail.
type faulty struct {
	osFiles
	mu      sync.Mutex
	rng     *rand.Rand          // decides what a flush that fails has lost
	fails   func() error        // called before each operation that writes
	room    int                 // bytes that may yet be written; negative: any number
	unsaved map[string]*unsaved // by path
	made    map[string]bool     // names that may be forgotten
	removed map[string][]byte   // names that may come back, with their content
	renamed []renaming          // that may be undone
}

// renaming is the change of a file's name, with what had the new name before; nil: nothing.
type renaming struct {
	from, to string
	before   []byte
}

// unsaved is what a file had in the sectors written since it was flushed.
type unsaved struct {
	size    int64
	sectors map[int64][]byte
}

const sector = 512

func newFaulty() *faulty {
	return &faulty{room: -1, rng: rand.New(rand.NewPCG(0, 0)), fails: func() error { return nil }, unsaved: make(map[string]*unsaved), made: make(map[string]bool), removed: make(map[string][]byte)}
}

type faultyFile struct {
	file
	fs   *faulty
	path string
}

func (f *faulty) Create(path string) (file, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.room == 0 {
		return nil, syscall.ENOSPC
	}
	if err := f.fails(); err != nil {
		return nil, err
	}
	in, err := f.osFiles.Create(path)
	if err != nil {
		return nil, err
	}
	f.made[path] = true
	delete(f.removed, path)
	return &faultyFile{in, f, path}, nil
}

func (f *faulty) Open(path string, write bool) (file, error) {
	in, err := f.osFiles.Open(path, write)
	if err != nil {
		return nil, err
	}
	return &faultyFile{in, f, path}, nil
}

func (f *faulty) Remove(path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := f.fails(); err != nil {
		return err
	}
	f.removed[path] = content
	delete(f.made, path)
	delete(f.unsaved, path)
	return f.osFiles.Remove(path)
}

func (f *faulty) SyncDir(dir string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.fails(); err != nil {
		return err
	}
	clear(f.made)
	clear(f.removed)
	f.renamed = nil
	return f.osFiles.SyncDir(dir)
}

func (f *faulty) Rename(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.fails(); err != nil {
		return err
	}
	before, err := os.ReadFile(to)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f.renamed = append(f.renamed, renaming{from, to, before})
	return f.osFiles.Rename(from, to)
}

func (f *faulty) OpenDatabase(path string, flag int) (*os.File, error) {
	if flag&os.O_RDWR != 0 {
		f.mu.Lock()
		defer f.mu.Unlock()
		if err := f.fails(); err != nil {
			return nil, err
		}
	}
	return f.osFiles.OpenDatabase(path, flag)
}

func (f *faultyFile) WriteAt(p []byte, at int64) (int, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	size, err := f.Size()
	if err != nil {
		return 0, err
	}
	u := f.fs.unsaved[f.path]
	if u == nil {
		u = &unsaved{size, make(map[int64][]byte)}
		f.fs.unsaved[f.path] = u
	}
	for s := at / sector; s*sector < at+int64(len(p)); s++ {
		if _, ok := u.sectors[s]; !ok {
			old := make([]byte, sector)
			_, _ = f.ReadAt(old, s*sector) // beyond the end are zeros
			u.sectors[s] = old
		}
	}
	if err := f.fs.fails(); err != nil {
		return 0, err
	}
	full := error(nil)
	if room := f.fs.room; room >= 0 {
		if len(p) > room {
			p, full = p[:room], syscall.ENOSPC
		}
		f.fs.room -= len(p)
	}
	n, err := f.file.WriteAt(p, at)
	if err == nil {
		err = full
	}
	return n, err
}

func (f *faultyFile) Sync() error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if err := f.fs.fails(); err != nil {
		// The system takes for written what it could not write, and says so once.
		if u := f.fs.unsaved[f.path]; u != nil {
			u.forget(f.path, f.fs.rng)
			delete(f.fs.unsaved, f.path)
		}
		return err
	}
	delete(f.fs.unsaved, f.path)
	return f.file.Sync()
}

// forget undoes some of the writes since the last flush.
func (u *unsaved) forget(path string, rng *rand.Rand) {
	out, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	defer out.Close()
	for s, old := range u.sectors {
		if rng.IntN(2) == 0 {
			if _, err := out.WriteAt(old, s*sector); err != nil {
				panic(err)
			}
		}
	}
}

// cut leaves on the disk what a power loss might.
func (f *faulty) cut(t fatal, rng *rand.Rand) {
	for path, u := range f.unsaved {
		u.forget(path, rng)
		if rng.IntN(2) == 0 {
			must(t, os.Truncate(path, u.size))
		}
	}
	for _, r := range slices.Backward(f.renamed) {
		if rng.IntN(2) == 0 {
			break // those before are on the disk, too
		}
		err := os.Rename(r.to, r.from)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was removed since
		}
		must(t, err)
		if r.before != nil {
			must(t, os.WriteFile(r.to, r.before, 0o666))
		}
	}
	for path := range f.made {
		if rng.IntN(2) == 0 {
			must(t, os.Remove(path))
		}
	}
	for path, content := range f.removed {
		if rng.IntN(2) == 0 {
			must(t, os.WriteFile(path, content, 0o666))
		}
	}
}

// faultyModel is what the collection holds by what was acknowledged.
type faultyModel struct {
	records map[string]int // id to version
	models  map[edit.Task]*model.Model
}

func newFaultyModel() faultyModel {
	return faultyModel{make(map[string]int), make(map[edit.Task]*model.Model)}
}

func (m faultyModel) clone() faultyModel {
	return faultyModel{maps.Clone(m.records), maps.Clone(m.models)}
}

// step changes a collection at random and returns what it then holds if the
// change was acknowledged.
func (m faultyModel) step(s *Store, rng *rand.Rand, vocab *graph.Vocabulary, version int) (faultyModel, error) {
	next := m.clone()
	switch rng.IntN(10) {
	case 0:
		id := fmt.Sprint(rng.IntN(20))
		delete(next.records, id)
		_, err := s.Delete(context.Background(), []string{id})
		return next, err
	case 1:
		task := []edit.Task{edit.GED, edit.SED}[rng.IntN(2)]
		next.models[task] = newModel(task, uint64(version))
		return next, s.Reembed(context.Background(), fmt.Sprint("e", version), next.models[task], false, 1, nil)
	case 2:
		_, _, err := s.Compact(context.Background(), 1)
		return m, err
	case 3:
		return m, s.WriteSegment(context.Background(), 1)
	}
	return m.put(s, rng, vocab, version, 100)
}

// put deletes records at random, and puts up to most others.
func (m faultyModel) put(s *Store, rng *rand.Rand, vocab *graph.Vocabulary, version, most int) (faultyModel, error) {
	next := m.clone()
	var c Change
	for range rng.IntN(6) {
		id := fmt.Sprint(rng.IntN(20))
		c.Delete = append(c.Delete, id)
		delete(next.records, id)
	}
	for range 1 + rng.IntN(most) {
		id := fmt.Sprint(rng.IntN(20))
		next.records[id] = version
		c.Put = append(c.Put, newRecord(vocab, id, version))
	}
	_, _, err := s.apply(context.Background(), c, 1)
	return next, err
}

// hasModels reports whether a collection has these models and no others.
func hasModels(c *loaded, models map[edit.Task]*model.Model) bool {
	for _, e := range c.Engines {
		if m := models[e.Model.Metadata().Task]; m == nil || m.Fingerprint() != e.Model.Fingerprint() {
			return false
		}
	}
	return len(c.Engines) == len(models)
}

// wantModel fails unless the collection is sound and holds what m says.
func wantModel(t *testing.T, dir string, m faultyModel) {
	t.Helper()
	sound(t, dir)
	c := load(t, dir)
	vectorsFit(t, c)
	if !hasModels(c, m.models) {
		t.Fatalf("%d engines, want the %d models", len(c.Engines), len(m.models))
	}
	must(t, with(dir, Options{}, func(s *Store) error {
		return s.View(context.Background(), func(snap *Snapshot) error {
			if snap.Len() != len(m.records) {
				t.Fatalf("%d records, want %d", snap.Len(), len(m.records))
			}
			return snap.Range(0, snap.Slots(), func(_ int, rec dataset.Record) error {
				if version := m.records[rec.ID]; rec.Attributes["version"] != float64(version) {
					t.Fatalf("record %s has %v, want %d", rec.ID, rec.Attributes, version)
				}
				return nil
			})
		})
	}))
}

// TestPowerLoss changes collections on a disk that forgets what was not
// flushed, and cuts the power after some changes: all of them are there.
func TestPowerLoss(t *testing.T) {
	for seed := range uint64(sweep.Trials(60)) {
		rng := rand.New(rand.NewPCG(seed, 0))
		dir := empty(t, inMemory(t))
		m := newFaultyModel()
		version := 0
		for range 5 {
			disk := newFaulty()
			s, err := open(dir, Options{}, disk)
			must(t, err)
			vocab := graph.NewVocabulary()
			for range rng.IntN(8) {
				version++
				m, err = m.step(s, rng, vocab, version)
				must(t, err)
			}
			must(t, s.Close())
			disk.cut(t, rng)
			wantModel(t, dir, m)
		}
	}
}

// TestPowerLossAfterReembed: what is put while a collection is given another model, to the
// very end, survives as the rest does.
func TestPowerLossAfterReembed(t *testing.T) {
	for seed := range uint64(sweep.Trials(40)) {
		rng := rand.New(rand.NewPCG(seed, 2))
		dir := empty(t, inMemory(t))
		disk := newFaulty()
		s, err := open(dir, Options{}, disk)
		must(t, err)
		m, vocab, version := newFaultyModel(), graph.NewVocabulary(), 0
		renewed := newModel(edit.GED, seed+1)
		must(t, s.Reembed(t.Context(), "e", renewed, false, 1, func(int) {
			version++
			m, err = m.put(s, rng, vocab, version, 20)
			must(t, err)
		}))
		m.models[edit.GED] = renewed
		must(t, s.Close())
		disk.cut(t, rng)
		wantModel(t, dir, m)
	}
}

// TestNewDatabaseStays: nothing is acknowledged in a new database before its name is on the disk, as the old
// one may come back.
func TestNewDatabaseStays(t *testing.T) {
	ctx := context.Background()
	dir := empty(t, inMemory(t))
	disk := newFaulty()
	s, err := open(dir, Options{}, disk)
	must(t, err)
	defer s.Close()
	vocab := graph.NewVocabulary()
	put := func(s *Store, id string) error {
		_, err := s.Put(ctx, []dataset.Record{newRecord(vocab, id, 1)}, nil)
		return err
	}
	must(t, put(s, "before"))
	other, err := open(dir, Options{}, disk) // as another process
	must(t, err)
	defer other.Close()
	must(t, put(other, "other"))
	disk.fails = func() error {
		if n := len(disk.renamed); n > 0 && filepath.Base(disk.renamed[n-1].to) == databaseFile {
			return syscall.EIO
		}
		return nil
	}
	if _, _, err := s.Compact(ctx, 1); !errors.Is(err, syscall.EIO) {
		t.Fatalf("a folder that cannot be flushed: error %v", err)
	}
	disk.fails = func() error { return nil }
	renamed := disk.renamed
	for _, s := range []*Store{s, other} {
		disk.renamed = renamed
		must(t, put(s, "after"))
		if len(disk.renamed) > 0 {
			t.Error("a change was acknowledged that may be lost with the name of its file")
		}
	}
}

// named is a disk on which the files that a new database needs have names that are on the disk.
type named struct {
	*faulty
	t        *testing.T
	replaced int
}

func (n *named) Rename(from, to string) error {
	if filepath.Base(to) == databaseFile {
		n.replaced++
		if len(n.made) > 0 {
			n.t.Errorf("the database is replaced before the names of %v are on the disk", slices.Collect(maps.Keys(n.made)))
		}
	}
	return n.faulty.Rename(from, to)
}

// TestNamesBeforeDatabase: the names of what a new database needs are on the disk before its own.
func TestNamesBeforeDatabase(t *testing.T) {
	dir := empty(t, inMemory(t))
	disk := &named{newFaulty(), t, 0}
	s, err := open(dir, Options{}, disk)
	must(t, err)
	defer s.Close()
	must(t, s.PutNew(t.Context(), []dataset.Record{newRecord(graph.NewVocabulary(), "a", 1)}, nil))
	must(t, s.Reembed(t.Context(), "e", newModel(edit.GED, 1), false, 1, nil))
	_, _, err = s.Compact(t.Context(), 1)
	must(t, err)
	if disk.replaced != 2 {
		t.Errorf("the database was replaced %d times, want 2", disk.replaced)
	}
}

// TestFullDisk: a change for which there is no room changes nothing, and the
// next goes on as before once there is.
func TestFullDisk(t *testing.T) {
	for seed := range uint64(sweep.Trials(60)) {
		rng := rand.New(rand.NewPCG(seed, 0))
		dir := empty(t, inMemory(t))
		disk := newFaulty()
		s, err := open(dir, Options{}, disk)
		must(t, err)
		m := newFaultyModel()
		m.models[edit.GED] = newModel(edit.GED, 1)
		must(t, s.AddEmbedding(context.Background(), "e", m.models[edit.GED]))
		vocab := graph.NewVocabulary()
		failed := 0
		for version := range 20 {
			disk.room = rng.IntN(9600)
			next, err := m.put(s, rng, vocab, version, 200)
			if err != nil {
				failed++
				continue
			}
			m = next
		}
		disk.room = -1
		must(t, s.Close())
		if seed == 0 && (failed == 0 || failed == 20) {
			t.Errorf("%d of 20 changes failed: the test shows nothing", failed)
		}
		disk.cut(t, rng)
		wantModel(t, dir, m)
	}
}

// TestFailingDisk: an operation on the disk fails, or all from one on, and then the power
// may be cut. A change that was acknowledged is there, one that failed is not, the error
// says what the disk said, and the same process goes on where it can.
func TestFailingDisk(t *testing.T) {
	failed, done := 0, 0
	for seed := range uint64(sweep.Trials(80)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		dir := empty(t, inMemory(t))
		m := newFaultyModel()
		disk := newFaulty()
		s, err := open(dir, Options{}, disk)
		must(t, err)
		vocab := graph.NewVocabulary()
		for version := 1; version < 12; version++ {
			next, err := m.step(s, rng, vocab, version)
			must(t, err)
			m = next
		}
		for version := 20; version < 24; version++ {
			cause := []error{syscall.EIO, syscall.EROFS}[rng.IntN(2)]
			left, once := rng.IntN(25), cause == syscall.EIO && rng.IntN(2) == 0
			disk.fails = func() error {
				left--
				if left < 0 && !once || left == -1 {
					return &fs.PathError{Op: "test", Path: dir, Err: cause}
				}
				return nil
			}
			next := m
			if rng.IntN(3) == 0 { // which has the most steps
				_, _, err = s.Compact(t.Context(), 1)
			} else {
				next, err = m.step(s, rng, vocab, version)
			}
			switch {
			case err == nil:
				m = next
				done++
			case !errors.Is(err, cause):
				t.Fatalf("seed %d: error %v, want %v", seed, err, cause)
			default:
				failed++
			}
			replacing := err != nil && !maps.Equal(next.models, m.models)
			must(t, s.View(t.Context(), func(snap *Snapshot) error { // also where nothing can be written
				if snap.Len() != len(m.records) {
					t.Errorf("seed %d: %d records, want %d", seed, snap.Len(), len(m.records))
				}
				return nil
			}))
			if rng.IntN(2) == 0 {
				must(t, s.Close())
				disk.cut(t, rng)
				disk = newFaulty()
				s, err = open(dir, Options{}, disk)
				must(t, err)
			}
			disk.fails = func() error { return nil }
			if replacing && hasModels(load(t, dir), next.models) {
				m = next // the new database is there, and may not stay
			}
			wantModel(t, dir, m)
		}
		must(t, s.Close())
	}
	t.Logf("%d changes failed, %d did not", failed, done)
	if least := sweep.Trials(50); failed < least || done < least {
		t.Error("the test shows nothing")
	}
}
