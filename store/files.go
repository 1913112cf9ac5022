package store

import (
	"errors"
	"io"
	"os"
	"sync"

	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/filelock"
)

// fileSystem is what the collection needs of a file system, apart from the pages of
// databases. Tests replace it by one that fails as disks do.
type fileSystem interface {
	// Create makes a new file. A file that exists is an error.
	Create(path string) (file, error)
	Open(path string, write bool) (file, error)
	Remove(path string) error
	Rename(from, to string) error
	// OpenDatabase opens a file for bbolt.
	OpenDatabase(path string, flag int) (*os.File, error)
	// SyncDir makes creations, renames and removals in dir durable.
	SyncDir(dir string) error
}

type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Sync() error
	Size() (int64, error)
	// Hold locks the file and reports whether it did. It does not if another file is at
	// path by now.
	Hold(path string) (bool, error)
	// Map maps the first n bytes. n may exceed the file's length, but only bytes within
	// the file may be touched. Where files cannot be mapped, Map returns a copy.
	Map(n int) ([]byte, error)
	// Unmap gives back what Map returned.
	Unmap([]byte) error
	// Forget says of a part of what Map returned, whole pages, that it is not needed soon. Its
	// memory is free until it is read again.
	Forget([]byte) error
}

// osFiles is the file system of the machine.
type osFiles struct{}

type osFile struct{ *os.File }

func (osFiles) Create(path string) (file, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (osFiles) Open(path string, write bool) (file, error) {
	mode := os.O_RDONLY
	if write {
		mode = os.O_RDWR
	}
	f, err := os.OpenFile(path, mode, 0)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (osFiles) Remove(path string) error     { return os.Remove(path) }
func (osFiles) Rename(from, to string) error { return os.Rename(from, to) }

func (osFiles) OpenDatabase(path string, flag int) (*os.File, error) {
	return os.OpenFile(path, flag, 0o666)
}

func (osFiles) SyncDir(dir string) error { return atomicfile.SyncDir(dir) }

func (f osFile) Hold(path string) (bool, error) { return filelock.Hold(f.File, path) }

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// together runs flushes at the same time, which takes a disk hardly longer than one.
func together(flushes ...func() error) error {
	errs := make([]error, len(flushes))
	var wait sync.WaitGroup
	for i, flush := range flushes {
		wait.Go(func() { errs[i] = flush() })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// steadyBytes is how much of a large file is written between flushes. Others' flushes wait
// until all of it is on the disk: at 100 MB a second, 20 ms.
const steadyBytes = 2 << 20

// steady writes to a file and flushes it every steadyBytes.
type steady struct {
	*os.File
	unflushed int
}

func (s *steady) Write(b []byte) (int, error) {
	n, err := s.File.Write(b)
	if s.unflushed += n; err == nil && s.unflushed >= steadyBytes {
		s.unflushed = 0
		err = s.Sync()
	}
	return n, err
}
