package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/internal/filelock"
)

// Hold calls read with the collection as it is at the start of the call. Others may write
// meanwhile: they wait only while the database is copied to a temporary file. Vectors and
// records in the segment need no copy, since their files only grow and stay as long as they are
// mapped. A process that is killed meanwhile may leave the copy; the next call removes it.
func (s *Store) Hold(ctx context.Context, read func(*Snapshot) error) (err error) {
	removeCopies()
	folder, lock, err := copyFolder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder), lock.Close()) }()
	path := filepath.Join(folder, databaseFile)
	var segment *heldSegment
	var held Held
	var known labels
	err = s.View(ctx, func(snap *Snapshot) error {
		for _, e := range snap.m.Embeddings {
			_, _ = snap.store.openVectors(e) // who reads it meets the error again
		}
		if snap.m.Segment != nil {
			segment = new(heldSegment)
			segment.Segment, segment.err = snap.openSegment()
		}
		held, known = snap.held.take(), snap.labels
		return snap.copyDatabase(path)
	})
	defer func() { err = errors.Join(err, held.Release()) }()
	if err != nil {
		return err
	}
	return guard(s.dir, func() error {
		if err := checkPages(path); err != nil {
			return err
		}
		opt := boltOptions()
		opt.ReadOnly = true
		db, err := bolt.Open(path, 0, opt)
		if err != nil {
			return err
		}
		_ = os.Remove(path) // where an open file can be removed, no kill leaves it from now on
		err = db.View(func(tx *bolt.Tx) error {
			snap, err := s.snapshotOf(tx, known)
			if err != nil {
				return err
			}
			defer snap.held.Release()
			snap.segment = segment
			return read(snap)
		})
		return errors.Join(err, db.Close())
	})
}

// copyPrefix begins the names of the folders for copies, among temporary files.
const copyPrefix = "greed-held-"

// copyFolder makes a temporary folder and locks it, which shows others that its maker is
// alive.
func copyFolder() (folder string, lock *os.File, err error) {
	for {
		if folder, err = os.MkdirTemp("", copyPrefix); err != nil {
			return "", nil, fmt.Errorf("the folder for temporary files: %w", err)
		}
		if lock, err = os.Open(folder); err == nil {
			// Where folders cannot be locked, none is taken for left either.
			if held, err := filelock.Hold(lock, folder); held || err != nil {
				return folder, lock, nil
			}
			err = lock.Close()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", nil, errors.Join(err, os.RemoveAll(folder))
		}
		// Another process took it for left before it was locked.
	}
}

// removeCopies removes the copies that killed processes left, as far as it can.
func removeCopies() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), copyPrefix+"*"))
	for _, folder := range left {
		_, _ = filelock.RemoveAbandoned(folder, os.RemoveAll)
	}
}

// heldSegment is a segment, or why there is none.
type heldSegment struct {
	*Segment
	err error
}
