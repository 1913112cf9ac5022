package store

import (
	"io"
	"os"

	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/filelock"
)

// fileSystem is what the vector files need of one. Tests put one in its place
// that fails as disks do.
type fileSystem interface {
	// Create returns a new file; it is an error if there is one.
	Create(path string) (file, error)
	Open(path string, write bool) (file, error)
	Remove(path string) error
	// SyncDir makes what was created, renamed or removed in dir last.
	SyncDir(dir string) error
}

type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Sync() error
	Size() (int64, error)
	// Hold locks the file, if it still is the one at path, and reports whether
	// it has.
	Hold(path string) (bool, error)
	// Map returns the first n bytes as memory, which may be more than the
	// file has; only those that it has may be touched. Where files cannot be
	// mapped it is a copy.
	Map(n int) ([]byte, error)
	// Unmap gives back what Map returned.
	Unmap([]byte) error
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

func (osFiles) Remove(path string) error { return os.Remove(path) }
func (osFiles) SyncDir(dir string) error { return atomicfile.SyncDir(dir) }

func (f osFile) Hold(path string) (bool, error) { return filelock.Hold(f.File, path) }

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// steadyBytes is how much is written to a file beside the collection's before it is
// flushed. Much that is flushed at once would hold up the flushes of others.
const steadyBytes = 4 << 20

// steady writes to a file that is flushed again and again.
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
