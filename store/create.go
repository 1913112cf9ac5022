package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/filelock"
	"github.com/greedgraph/greed/internal/kernel"
)

// Build makes a new collection at dir, which must not exist, and lets fill fill it. The
// folder appears whole or not at all. A process that is killed meanwhile leaves a
// folder whose name ends with ".tmp"; the next attempt removes it.
func Build(dir string, fill func(*Store) error) error {
	return makeFolder(dir, func(temp string) error {
		if err := create(filepath.Join(temp, databaseFile)); err != nil {
			return err
		}
		if err := atomicfile.SyncDir(temp); err != nil {
			return err
		}
		s, err := Open(temp, Options{alone: true})
		if err != nil {
			return err
		}
		return errors.Join(fill(s), s.Close())
	})
}

// CopyTo writes the collection to a new folder, as it is at the start of the call.
// Others may write meanwhile. The folder appears whole or not at all.
func (s *Store) CopyTo(ctx context.Context, dir string) error {
	return makeFolder(dir, func(temp string) error {
		// Only the database must be read in the transaction: other files only grow.
		database := filepath.Join(temp, databaseFile)
		var held Held
		var segment *Segment
		files := make(map[string][][]byte)
		var verify []func() error
		err := s.View(ctx, func(snap *Snapshot) (err error) {
			for _, e := range snap.m.Embeddings {
				rows, compare, err := snap.rowsUnverified(e)
				if err != nil {
					return err
				}
				verify = append(verify, compare)
				files[e.fileName()] = [][]byte{vectorsHead(e.Norm.Dim()), kernel.Bytes(rows)}
			}
			if snap.m.Segment != nil {
				if segment, err = snap.openSegment(); err != nil {
					return err
				}
				files[snap.m.Segment.fileName()] = [][]byte{segment.memory.data}
			}
			held = snap.held.take()
			return snap.copyDatabase(database)
		})
		if err == nil {
			err = guard(s.dir, func() error { return writeFiles(temp, segment, verify, files) })
		}
		return errors.Join(err, held.Release(), syncFile(database), atomicfile.SyncDir(temp))
	})
}

// writeFiles writes the files of a copy. verify checks what they hold against its checksums.
func writeFiles(dir string, segment *Segment, verify []func() error, files map[string][][]byte) error {
	for _, compare := range verify {
		if err := compare(); err != nil {
			return err
		}
	}
	if segment != nil {
		if err := segment.verifyAll(); err != nil {
			return err
		}
	}
	for name, parts := range files {
		err := writeFile(filepath.Join(dir, name), true, func(w io.Writer) error {
			for _, b := range parts {
				if _, err := w.Write(b); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// makeFolder makes the folder dir, which must not exist. It lets fill write to a
// temporary folder and then renames that. A temporary folder that a killed process left
// is removed first.
func makeFolder(dir string, fill func(temp string) error) (err error) {
	dir = filepath.Clean(dir)
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("%s: %w: name another folder, or remove this one first", dir, ErrExists)
	}
	temp := dir + ".tmp"
	held, err := makeHeld(temp)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temp))
		}
		err = errors.Join(err, held.Close())
	}()
	if err := fill(temp); err != nil {
		return err
	}
	if err := os.Rename(temp, dir); err != nil {
		return err
	}
	return atomicfile.SyncDir(filepath.Dir(dir))
}

// makeHeld makes a folder and locks it, which shows other processes that its maker is alive.
func makeHeld(path string) (*os.File, error) {
	return filelock.Make(func() (*os.File, error) {
		err := os.Mkdir(path, 0o777)
		if errors.Is(err, os.ErrExist) {
			removed, err := filelock.RemoveAbandoned(path, os.RemoveAll)
			if err == nil && !removed {
				err = fmt.Errorf("%s: %w: it is being written", path, ErrLocked)
			}
			return nil, err
		}
		if err != nil {
			return nil, err
		}
		f, err := os.Open(path)
		if errors.Is(err, os.ErrNotExist) {
			return nil, nil // another process took it for left before it was locked
		}
		return f, err
	})
}

// create makes the database of an empty collection.
func create(path string) error {
	db, err := bolt.Open(path, 0o666, boltOptions())
	if err != nil {
		return err
	}
	return errors.Join(db.Update(makeBuckets), db.Close())
}

// makeBuckets makes an empty collection in an empty database.
func makeBuckets(tx *bolt.Tx) error {
	for _, name := range buckets() {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	m := manifest{Version: Version, Embeddings: []Embedding{}}
	return m.write(tx)
}

// writeFile makes a new file and flushes it.
func writeFile(path string, flush bool, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	err = write(w)
	if err == nil { // a writer that has failed would say the same again
		err = w.Flush()
	}
	if flush {
		err = errors.Join(err, f.Sync())
	}
	return errors.Join(err, f.Close())
}

// copyDatabase writes the database to a new file, and leaves it to others to flush that.
func (s *Snapshot) copyDatabase(path string) error {
	return writeFile(path, false, func(w io.Writer) error {
		_, err := s.tx.WriteTo(w)
		return err
	})
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
