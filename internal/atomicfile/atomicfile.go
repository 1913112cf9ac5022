// Package atomicfile replaces files whole: a reader sees the old content or
// the new, never a mixture, whatever fails in between.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/greedgraph/greed/internal/filelock"
)

// Write calls write with a buffered writer and makes what it wrote the content
// of the file at path. The data goes to a new file in the same directory, which
// is flushed to the disk and then renamed, and the directory is flushed too, so
// that the file survives a crash of the machine. On any error, write's own and
// a full disk included, the file at path is as it was before and the new file
// is removed; only a killed process leaves one, named ".<name>.<hex>.tmp", which the
// next that writes to path removes.
//
// A symbolic link is followed, and the permissions of an existing file are
// kept. What cannot be replaced (a device, a pipe) is written to directly.
func Write(path string, write func(io.Writer) error) error {
	path, err := resolve(path)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o666)
	exists := false
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return fmt.Errorf("write %s: is a directory", path)
	case err == nil && !info.Mode().IsRegular():
		return direct(path, write)
	case err == nil:
		mode, exists = info.Mode().Perm(), true
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	removeAbandoned(path)
	f, err := create(path, mode)
	if err != nil {
		return naming(path, err)
	}
	if err := fill(f, mode, exists, write); err != nil {
		return errors.Join(naming(path, err), f.Close(), os.Remove(f.Name()))
	}
	if err := f.Close(); err != nil {
		return errors.Join(naming(path, err), os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return errors.Join(naming(path, err), os.Remove(f.Name()))
	}
	return SyncDir(filepath.Dir(path))
}

// naming returns an error of the system about the new file as one about path, which
// is the file that the caller knows.
func naming(path string, err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		if isTemp(e.Path, path) {
			return &fs.PathError{Op: e.Op, Path: path, Err: e.Err}
		}
	case *os.LinkError:
		if e.New == path {
			return &fs.PathError{Op: e.Op, Path: path, Err: e.Err}
		}
	}
	return err
}

// WriteBytes makes data the content of the file at path, as [Write] does.
func WriteBytes(path string, data []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// resolve follows path as far as it is a symbolic link, so that the file it
// points to is replaced and not the link.
func resolve(path string) (string, error) {
	for range 40 { // as many as Linux follows
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return "", fmt.Errorf("write %s: too many symbolic links", path)
}

// create makes the new file and holds it locked, so that nobody takes it for left.
func create(path string, mode fs.FileMode) (*os.File, error) {
	dir, name := filepath.Split(path)
	for {
		temp := filepath.Join(dir, fmt.Sprintf(".%s.%016x.tmp", name, rand.Uint64()))
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// Where files cannot be locked, none is taken for left either.
		if held, err := filelock.Hold(f, temp); held || err != nil {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
}

// removeAbandoned removes the new files of killed processes that wrote to path, as
// far as it can.
func removeAbandoned(path string) {
	dir, _ := filepath.Split(path)
	entries, _ := os.ReadDir(filepath.Clean(dir))
	for _, e := range entries {
		if left := filepath.Join(dir, e.Name()); isTemp(left, path) {
			_, _ = filelock.RemoveAbandoned(left, os.Remove)
		}
	}
}

// isTemp reports whether a file is named as a new file for path is.
func isTemp(file, path string) bool {
	random, ours := strings.CutPrefix(filepath.Base(file), "."+filepath.Base(path)+".")
	random, temp := strings.CutSuffix(random, ".tmp")
	return ours && temp && len(random) == 16 && strings.Trim(random, "0123456789abcdef") == ""
}

func fill(f *os.File, mode fs.FileMode, keepMode bool, write func(io.Writer) error) error {
	if keepMode {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	buf := bufio.NewWriterSize(f, 1<<16)
	if err := write(buf); err != nil {
		return err
	}
	if err := buf.Flush(); err != nil {
		return err
	}
	return f.Sync()
}

func direct(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	buf := bufio.NewWriterSize(f, 1<<16)
	if err := write(buf); err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(buf.Flush(), f.Close())
}
