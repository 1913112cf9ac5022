package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/greedgraph/greed/internal/atomicfile"
)

// CopyTo writes the collection as it is now to a new folder, whatever is
// written meanwhile. The folder appears whole or not at all.
func (s *Store) CopyTo(dir string) (err error) {
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
	err = s.View(func(snap *Snapshot) error {
		err := writeFile(filepath.Join(temp, databaseFile), func(w io.Writer) error {
			_, err := snap.tx.WriteTo(w)
			return err
		})
		if err != nil {
			return err
		}
		for _, e := range snap.m.Embeddings {
			v, err := s.openVectors(e)
			if err != nil {
				return err
			}
			if _, err := v.rows(snap.tx, e.Rows); err != nil {
				return err
			}
			err = writeFile(filepath.Join(temp, e.fileName()), func(w io.Writer) error {
				_, err := io.Copy(w, io.NewSectionReader(v, 0, v.offset(e.Rows)))
				return err
			})
			if err != nil {
				return err
			}
		}
		return snap.copySettled(temp)
	})
	if err != nil {
		return err
	}
	if err := atomicfile.SyncDir(temp); err != nil {
		return err
	}
	return publish(temp, dir)
}

// copySettled writes the settled file, if there is one, to another folder.
func (s *Snapshot) copySettled(dir string) error {
	if s.m.Settled == nil {
		return nil
	}
	shelf, err := s.openShelf()
	if err != nil {
		return err
	}
	err = writeFile(filepath.Join(dir, s.m.Settled.fileName()), func(w io.Writer) error {
		_, err := w.Write(shelf.data)
		return err
	})
	return errors.Join(err, shelf.unmap())
}

// writeFile makes a new file that lasts.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	return errors.Join(write(w), w.Flush(), f.Sync(), f.Close())
}
