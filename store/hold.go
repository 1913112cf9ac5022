package store

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// Hold calls read with the collection as it is at the start of the call. Others may write
// meanwhile: they wait only while the database is copied to a temporary file. Vectors and
// settled records need no copy, since their files only grow and stay as long as they are
// mapped.
func (s *Store) Hold(ctx context.Context, read func(*Snapshot) error) (err error) {
	folder, err := os.MkdirTemp("", "greed-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, databaseFile)
	var shelf *opened
	var held Held
	err = s.View(ctx, func(snap *Snapshot) error {
		for _, e := range snap.m.Embeddings {
			_, _ = snap.store.openVectors(e) // who reads it meets the error again
		}
		if snap.m.Settled != nil {
			shelf = new(opened)
			shelf.Shelf, shelf.err = snap.openShelf()
		}
		held = snap.held.take()
		return writeFile(path, false, func(w io.Writer) error {
			_, err := snap.tx.WriteTo(w)
			return err
		})
	})
	defer func() { err = errors.Join(err, held.Release()) }()
	if err != nil {
		return err
	}
	return guard(s.dir, func() error {
		opt := boltOptions()
		opt.ReadOnly = true
		db, err := bolt.Open(path, 0, opt)
		if err != nil {
			return err
		}
		err = db.View(func(tx *bolt.Tx) error {
			snap, err := s.snapshotOf(tx)
			if err != nil {
				return err
			}
			defer snap.held.Release()
			snap.shelf = shelf
			return read(snap)
		})
		return errors.Join(err, db.Close())
	})
}

// opened is a shelf, or why there is none.
type opened struct {
	*Shelf
	err error
}
