package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/internal/atomicfile"
)

// Build makes a new collection at dir, which must not exist, of what fill puts
// into an empty one at another place. The folder appears whole or not at all;
// only a killed process leaves its work, in the folder whose name ends with
// ".tmp".
func Build(dir string, fill func(temp string) error) (err error) {
	dir = filepath.Clean(dir)
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("%s: %w", dir, ErrExists)
	}
	temp := dir + ".tmp"
	if err := os.Mkdir(temp, 0o777); err != nil {
		return fmt.Errorf("%w (left by a run that was stopped? remove it)", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temp))
		}
	}()
	if err := create(filepath.Join(temp, databaseFile)); err != nil {
		return err
	}
	if err := atomicfile.SyncDir(temp); err != nil {
		return err
	}
	if err := fill(temp); err != nil {
		return err
	}
	return publish(temp, dir)
}

// create makes the database of an empty collection.
func create(path string) error {
	db, err := bolt.Open(path, 0o666, boltOptions(Options{}))
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bolt.Tx) error {
		for _, name := range buckets() {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		m := manifest{Version: Version, Embeddings: []Embedding{}}
		return m.write(tx)
	})
	return errors.Join(err, db.Close())
}

// publish gives a folder its name, for good.
func publish(temp, dir string) error {
	if err := os.Rename(temp, dir); err != nil {
		return err
	}
	return atomicfile.SyncDir(filepath.Dir(dir))
}
