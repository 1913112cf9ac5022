package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/greedgraph/greed/internal/filelock"
)

// View calls read with the collection as it is now. The snapshot is valid until read
// returns. Nobody can write until then, so long readers should use [Store.Load]
// or [Store.Hold].
func (s *Store) View(ctx context.Context, read func(*Snapshot) error) error {
	return s.transact(ctx, false, func(db *bolt.DB) error {
		return db.View(func(tx *bolt.Tx) error {
			snap, err := s.snapshot(tx)
			if err != nil {
				return err
			}
			defer snap.held.Release()
			return read(snap)
		})
	})
}

// update runs change in a transaction and commits the manifest that it leaves as the
// next generation.
func (s *Store) update(ctx context.Context, change func(*Snapshot) error) error {
	var snap *Snapshot
	rows := make(map[int]int) // the files before the change
	err := s.transact(ctx, true, func(db *bolt.DB) error {
		return db.Update(func(tx *bolt.Tx) (err error) {
			if snap, err = s.snapshot(tx); err != nil {
				return err
			}
			defer snap.held.Release()
			for _, e := range snap.m.Embeddings {
				rows[e.File] = e.Rows
			}
			if err := s.flushName(snap.m); err != nil {
				return err
			}
			if err := s.sweep(snap.m); err != nil {
				return err
			}
			if err := change(snap); err != nil {
				return err
			}
			snap.m.Generation++
			return snap.m.write(tx)
		})
	})
	if err != nil {
		// The next change may overwrite rows whose checksums were verified.
		s.mu.Lock()
		defer s.mu.Unlock()
		for number, f := range s.files {
			f.unverify(rows[number])
		}
		return err
	}
	s.learn(snap.labels)
	s.removeDropped(snap)
	return s.forget(snap.m)
}

// flushName flushes the folder unless that is known to have happened since the database got its
// name. Whoever compacted the collection may have failed to, and then a loss of power may bring
// the old database back, without what was committed to this one.
func (s *Store) flushName(m *manifest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flushed == m.Moves+1 {
		return nil
	}
	err := s.fs.SyncDir(s.dir)
	if err == nil {
		s.flushed = m.Moves + 1
	}
	return err
}

// removeDropped removes files that a change left unused. The change is committed, so
// what cannot be removed now is left to the next sweep.
func (s *Store) removeDropped(snap *Snapshot) {
	for _, path := range snap.dropped {
		_ = s.fs.Remove(path)
	}
}

// exclusively calls use while nobody else reads or writes the collection. use may replace
// the database.
func (s *Store) exclusively(ctx context.Context, use func(*Snapshot) error) error {
	var snap *Snapshot
	err := s.transact(ctx, true, func(db *bolt.DB) error {
		return db.View(func(tx *bolt.Tx) (err error) {
			if snap, err = s.snapshot(tx); err != nil {
				return err
			}
			defer snap.held.Release()
			return use(snap)
		})
	})
	if err == nil {
		s.removeDropped(snap)
	}
	return err
}

// transact opens the database while use runs: exclusively, or shared with other
// readers.
func (s *Store) transact(ctx context.Context, alone bool, use func(*bolt.DB) error) error {
	path := filepath.Join(s.dir, databaseFile)
	if err := regular(path); err != nil {
		return err
	}
	return guard(s.dir, func() error {
		var file *os.File
		var db *bolt.DB
		over := false
		defer func() {
			// A panic in bbolt may leave its transaction open, and Close would wait for it.
			// Release the lock at once.
			if !over {
				if file != nil {
					_ = filelock.Release(file)
					_ = file.Close()
				}
				if db != nil {
					go db.Close()
				}
			}
		}()
		opt := boltOptions()
		opt.ReadOnly, opt.Timeout = !alone, s.wait
		opt.OpenFile = func(path string, flag int, _ os.FileMode) (f *os.File, err error) {
			file, err = s.acquire(ctx, path, flag, alone)
			return file, err
		}
		db, err := bolt.Open(path, 0, opt)
		switch {
		case errors.Is(err, berrors.ErrTimeout):
			err = s.busy()
		case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrVersionMismatch),
			errors.Is(err, berrors.ErrChecksum):
			err = fmt.Errorf("%s: %w: %w", path, ErrFormat, err)
		}
		if err == nil {
			err = use(db)
			err = errors.Join(err, db.Close())
		}
		over = true
		return err
	})
}

func boltOptions() *bolt.Options {
	return &bolt.Options{PageSize: pageSize, FreelistType: bolt.FreelistMapType, NoStatistics: true}
}

// regular returns an error unless path can be a database.
func regular(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return notThere(filepath.Dir(path), err)
	}
	if !info.Mode().IsRegular() || info.Size() < 4*pageSize {
		return fmt.Errorf("%s: %w: cut short", path, ErrFormat)
	}
	return nil
}

func notThere(dir string, err error) error {
	for _, cause := range []error{fs.ErrNotExist, syscall.ENOTDIR} {
		if errors.Is(err, cause) {
			return fmt.Errorf("%s: %w: %w", dir, ErrFormat, cause)
		}
	}
	return err
}

func (s *Store) busy() error { return fmt.Errorf("%s: %w: waited %v", s.dir, ErrLocked, s.wait) }

// acquire opens the database file and locks it, shared if it is only to be read.
//
// bbolt would try to get the lock every 50 ms, and a process that releases it and asks
// again at once would get it before all that wait. So there is a turn, which is the
// lock of the folder: a process holds the turn while it waits for the file. Those that
// come later wait for the turn, and so does the last holder of the file.
func (s *Store) acquire(ctx context.Context, path string, flag int, alone bool) (*os.File, error) {
	deadline := time.Now().Add(s.wait)
	if !s.alone { // otherwise its maker has locked the folder
		turn, err := os.Open(s.dir)
		if err != nil {
			return nil, err
		}
		defer turn.Close()
		if err := s.await(ctx, deadline, turn, true); err != nil {
			return nil, err
		}
	}
	for {
		f, err := s.fs.OpenDatabase(path, flag&^os.O_CREATE)
		if err != nil {
			return nil, err
		}
		err = s.await(ctx, deadline, f, alone)
		if err == nil {
			current, same := f.Stat()
			there, err := os.Stat(path)
			if same == nil && err == nil && os.SameFile(current, there) {
				return f, nil
			}
		}
		// A compaction replaced the file: lock the new one.
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
}

const (
	firstAsk = 50 * time.Microsecond
	lastAsk  = 2 * time.Millisecond
)

// await locks f as soon as other processes allow.
func (s *Store) await(ctx context.Context, deadline time.Time, f *os.File, alone bool) error {
	for pause := firstAsk; ; pause = min(2*pause, lastAsk) {
		free, err := filelock.Try(f, alone)
		if err != nil {
			return fmt.Errorf("%s: cannot be locked: %w", f.Name(), err)
		}
		if free {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return s.busy()
		}
		time.Sleep(pause)
	}
}

// sweep removes files that the manifest does not name and nobody uses, which a killed
// process left. It does so once for each store.
func (s *Store) sweep(m *manifest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.swept {
		return nil
	}
	names := map[string]bool{}
	for _, e := range m.Embeddings {
		names[e.fileName()] = true
	}
	if m.Segment != nil {
		names[m.Segment.fileName()] = true
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		ours := name == newDatabase || strings.HasPrefix(name, vectorsPrefix) || strings.HasPrefix(name, segmentPrefix)
		path := filepath.Join(s.dir, name)
		if !ours || names[name] {
			continue
		}
		if _, err := filelock.RemoveAbandoned(path, s.fs.Remove); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	s.swept = true
	return nil
}
