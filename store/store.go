// Package store keeps a collection in an index, a folder: records, and any number of
// named embeddings with their models. Every acknowledged change survives a killed
// process, a power loss and a full disk. A reader sees all of a change or nothing.
//
// Records, ids, models, labels and the manifest are in a bbolt database, which provides
// transactions, one writer at a time and consistent reads meanwhile. Vectors are in
// files of their own, which only grow and are mapped into memory. The database records
// how many rows are valid and their checksums; rows are flushed before the transaction
// that counts them commits. docs/formats.md describes the layout.
//
// A [Store] opens the database for each transaction only, so that processes can take
// turns. It reads each model once, and labels once until they are renumbered.
package store

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/greedgraph/greed/model"
)

// Errors that callers branch on.
var (
	// ErrFormat is wrapped if a folder is not a collection.
	ErrFormat = errors.New("not a greed index")
	// ErrVersion is wrapped if a collection is of another version.
	ErrVersion = errors.New("index of another version")
	// ErrExists is wrapped if a collection, an embedding or a graph would replace one
	// that must stay.
	ErrExists = errors.New("it exists already")
	// ErrLocked is wrapped if other processes use the collection, or the file to be
	// written, for longer than Options.Wait.
	ErrLocked = errors.New("in use by another process")
	// ErrDamaged is wrapped if data differ from what was written.
	ErrDamaged = errors.New("damaged")
	// ErrVectors is wrapped if vectors do not fit the embeddings of the collection, for
	// example because it was given another model meanwhile.
	ErrVectors = errors.New("vectors do not fit the collection's embeddings")
	// ErrNotFound is wrapped if an id or an embedding does not exist.
	ErrNotFound = errors.New("not found")
	// ErrKind is wrapped if a collection of neighbourhoods or of foreign vectors cannot
	// do what one of graphs can.
	ErrKind = errors.New("not that kind of collection")
	// ErrChanged is wrapped if a change is for another state of the collection.
	ErrChanged = errors.New("the collection has changed")
	// ErrRecord is wrapped if a record cannot be stored: its id is empty, too long or
	// not UTF-8, or its graph is missing or of another direction.
	ErrRecord = errors.New("the record cannot be stored")
)

const (
	databaseFile = "collection.db"
	newDatabase  = "collection.db.new"
	// pageSize is that of the database on every machine.
	pageSize = 4096
)

// pieceTime is how long a long piece of work keeps the collection open at a time, so
// that others wait no longer.
const pieceTime = 15 * time.Millisecond

// Options are options of [Open].
type Options struct {
	// Wait is how long a transaction waits for other processes; 0 means 10 s.
	Wait time.Duration

	alone bool // no other process knows the collection yet
}

// Store is a collection on the disk, as this process knows it. It may be used
// concurrently. Close it.
type Store struct {
	dir    string
	folder os.FileInfo // identifies the folder that was opened
	pin    *os.File    // keeps the system from giving the folder's number to another
	wait   time.Duration
	piece  time.Duration // pieceTime, except in tests
	fs     fileSystem

	mu     sync.Mutex
	labels labels
	files  map[int]*vectorFile
	models map[string]parsedModel // by fingerprint
	// serving holds the models of all embeddings, as of the last change that needed
	// them; nil if unknown.
	serving map[string]*model.Model
	swept   bool
	flushed int  // 1 more than the Moves of the database that flushName knows to have its name; 0: none
	alone   bool // no other process knows the collection yet
}

// Exists reports whether path is a folder that claims to be a collection.
func Exists(path string) bool {
	info, err := os.Stat(filepath.Join(path, databaseFile))
	return err == nil && info.Mode().IsRegular()
}

// Open opens the collection at dir. Errors wrap [ErrFormat], [ErrVersion],
// [ErrLocked] or [ErrDamaged].
func Open(dir string, opt Options) (*Store, error) { return open(dir, opt, osFiles{}) }

func open(dir string, opt Options, files fileSystem) (*Store, error) {
	opt.Wait = cmp.Or(opt.Wait, 10*time.Second)
	// If path is a link that is changed later, it leads to another collection.
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, notThere(dir, err)
	}
	pin, err := os.Open(real)
	if err != nil {
		return nil, notThere(dir, err)
	}
	s := &Store{
		dir: real, pin: pin, wait: opt.Wait, piece: pieceTime, alone: opt.alone, fs: files, labels: newLabels(),
		files: make(map[int]*vectorFile), models: make(map[string]parsedModel),
	}
	if s.folder, err = pin.Stat(); err == nil {
		err = s.View(context.Background(), func(*Snapshot) error { return nil })
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Is reports whether path leads to the folder that was opened.
func (s *Store) Is(path string) bool {
	info, err := os.Stat(path)
	return err == nil && os.SameFile(info, s.folder)
}

// Close closes the files and unmaps vectors. Transactions must have ended.
func (s *Store) Close() error {
	errs := []error{s.pin.Close()}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	s.files = nil
	return errors.Join(errs...)
}

// forget closes the files of embeddings that the collection no longer has.
func (s *Store) forget(m *manifest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for number, f := range s.files {
		if !slices.ContainsFunc(m.Embeddings, func(e Embedding) bool { return e.File == number }) {
			errs = append(errs, f.Close())
			delete(s.files, number)
		}
	}
	maps.DeleteFunc(s.models, func(fingerprint string, _ parsedModel) bool {
		return !slices.ContainsFunc(m.Embeddings, func(e Embedding) bool { return e.Model == fingerprint })
	})
	return errors.Join(errs...)
}
