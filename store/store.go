// Package store keeps a collection in a folder: graphs with ids, metadata and
// any number of named embeddings with their models. Every change that was
// acknowledged survives a killed process, a power loss and a full disk, and a
// reader sees all of a change or nothing.
//
// Records, ids, models, labels and the manifest are in a bbolt database, which
// brings transactions, one writer at a time and consistent reading beside it.
// Vectors are in files of their own that only grow and are mapped into memory;
// the database says how many rows count and holds their checksums, and rows are
// flushed to the disk before the transaction that counts them. docs/formats.md
// has the layout.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/greedgraph/greed/graph"
)

// Errors that callers branch on.
var (
	// ErrFormat is wrapped where a folder is not a collection.
	ErrFormat = errors.New("not a greed index")
	// ErrVersion is wrapped where a collection is of a later version.
	ErrVersion = errors.New("index of a newer version")
	// ErrExists is wrapped where a collection would replace something.
	ErrExists = errors.New("it exists already")
	// ErrLocked is wrapped where another process is writing to the
	// collection, or reading what is to be written.
	ErrLocked = errors.New("in use by another process")
	// ErrDamaged is wrapped where what is read is not what was written.
	ErrDamaged = errors.New("damaged")
	// ErrVectors is wrapped where vectors do not belong to the embeddings
	// of the collection, such as when it was given another model meanwhile.
	ErrVectors = errors.New("vectors do not fit the collection's embeddings")
	// ErrNotFound is wrapped where an id or an embedding does not exist.
	ErrNotFound = errors.New("not found")
	// ErrKind is wrapped where a collection of neighbourhoods or of foreign
	// vectors is asked for what only graphs can give.
	ErrKind = errors.New("not that kind of collection")
)

const (
	databaseFile = "collection.db"
	newDatabase  = "collection.db.new"
	// pageSize is that of the database, on every machine.
	pageSize = 4096
)

// Database returns the path of the file that every change of the collection at
// dir writes to.
func Database(dir string) string { return filepath.Join(dir, databaseFile) }

// Options steer [Open]. The zero value opens for writing.
type Options struct {
	ReadOnly bool
	// Wait is how long to wait for another process; 0 means 10 s.
	Wait time.Duration
}

// Store is an open collection. It may be used concurrently. Close it.
type Store struct {
	dir      string
	readOnly bool
	fs       fileSystem
	db       *bolt.DB
	vocab    *graph.Vocabulary

	mu    sync.Mutex
	files map[int]*vectorFile
}

// Exists tells whether path is a folder that claims to be a collection.
func Exists(path string) bool {
	info, err := os.Stat(filepath.Join(path, databaseFile))
	return err == nil && info.Mode().IsRegular()
}

// Open opens the collection at dir. Until it is closed, other processes can
// read it if this one does, too. Errors wrap [ErrFormat], [ErrVersion],
// [ErrLocked] or [ErrDamaged].
func Open(dir string, opt Options) (*Store, error) { return open(dir, opt, osFiles{}) }

func open(dir string, opt Options, files fileSystem) (*Store, error) {
	db, err := openDatabase(filepath.Join(dir, databaseFile), opt)
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir, readOnly: opt.ReadOnly, fs: files, db: db, vocab: graph.NewVocabulary(), files: make(map[int]*vectorFile)}
	if err := s.begin(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// openDatabase opens the file that is at path once it is free: compacting puts
// another one there.
func openDatabase(path string, opt Options) (*bolt.DB, error) {
	if opt.Wait == 0 {
		opt.Wait = 10 * time.Second
	}
	for {
		before, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %w", filepath.Dir(path), ErrFormat, err)
		}
		if !before.Mode().IsRegular() || before.Size() < 4*pageSize {
			return nil, fmt.Errorf("%s: %w: cut short", path, ErrFormat)
		}
		var db *bolt.DB
		err = guard(path, func() (err error) {
			db, err = bolt.Open(path, 0o666, boltOptions(opt))
			return err
		})
		switch {
		case errors.Is(err, berrors.ErrTimeout):
			return nil, fmt.Errorf("%s: %w: waited %v", filepath.Dir(path), ErrLocked, opt.Wait)
		case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrVersionMismatch), errors.Is(err, berrors.ErrChecksum):
			return nil, fmt.Errorf("%s: %w: %w", path, ErrFormat, err)
		case err != nil:
			return nil, err
		}
		after, err := os.Stat(path)
		if err == nil && os.SameFile(before, after) {
			return db, nil
		}
		if err := errors.Join(err, db.Close()); err != nil {
			return nil, err
		}
	}
}

func boltOptions(opt Options) *bolt.Options {
	return &bolt.Options{
		ReadOnly: opt.ReadOnly, Timeout: opt.Wait, PageSize: pageSize, FreelistType: bolt.FreelistMapType,
		NoStatistics: true,
	}
}

// begin reads what every use needs and, where it may write, removes what a
// killed process left.
func (s *Store) begin() error {
	return s.view(func(tx *bolt.Tx) error {
		m, err := readManifest(tx)
		if err != nil {
			return err
		}
		if err := readLabels(tx, m, s.vocab); err != nil {
			return err
		}
		if s.readOnly {
			return nil
		}
		// Readers that begin now may want them after they were dropped.
		for _, e := range m.Embeddings {
			if _, err := s.openVectors(e); err != nil {
				return err
			}
		}
		return s.sweep(m)
	})
}

// walk checks the pages of the database, which nobody changes meanwhile.
func (s *Store) walk() error {
	f, err := os.Open(filepath.Join(s.dir, databaseFile))
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		err = checkTree(f, info.Size())
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", s.dir, err)
	}
	return errors.Join(err, f.Close())
}

// sweep removes files that the manifest does not name.
func (s *Store) sweep(m *manifest) error {
	names := map[string]bool{}
	for _, e := range m.Embeddings {
		names[e.fileName()] = true
	}
	if m.Settled != nil {
		names[m.Settled.fileName()] = true
	}
	list := []string{filepath.Join(s.dir, newDatabase)}
	for _, prefix := range []string{vectorsPrefix, settledPrefix} {
		found, err := filepath.Glob(filepath.Join(s.dir, prefix+"*"))
		if err != nil {
			return err
		}
		list = append(list, found...)
	}
	for _, path := range list {
		if names[filepath.Base(path)] || inProgress(path) {
			continue
		}
		if err := s.fs.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// inProgress tells whether another process may be settling into the file.
func inProgress(path string) bool {
	ours, _ := filepath.Match(newSettled, filepath.Base(path))
	info, err := os.Stat(path)
	return ours && err == nil && time.Since(info.ModTime()) < abandoned
}

// Close gives the collection back, and the memory of vectors that were read.
func (s *Store) Close() error {
	errs := []error{s.db.Close()}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	s.files = nil
	return errors.Join(errs...)
}

// Vocabulary returns the vocabulary of the graphs that are read.
func (s *Store) Vocabulary() *graph.Vocabulary { return s.vocab }

func (s *Store) view(read func(*bolt.Tx) error) error {
	return guard(s.dir, func() error { return s.db.View(read) })
}

// update runs change on the manifest and the rest in a transaction, and keeps
// the manifest that change leaves.
func (s *Store) update(change func(tx *bolt.Tx, m *manifest) error) error {
	return guard(s.dir, func() error {
		return s.db.Update(func(tx *bolt.Tx) error {
			m, err := readManifest(tx)
			if err != nil {
				return err
			}
			if err := change(tx, m); err != nil {
				return err
			}
			return m.write(tx)
		})
	})
}
