// Package filelock distinguishes files that a running process is writing from those that a
// killed one left behind: a process locks the files that it writes, and its locks end with it.
package filelock

import (
	"errors"
	"os"
	"time"
)

// RemoveAbandoned removes the file or folder at path by remove if nobody holds it, and
// reports whether it did so. Nobody can come to hold it meanwhile. Where files cannot be
// locked it is abandoned a day after it was last written.
func RemoveAbandoned(path string, remove func(string) error) (bool, error) {
	return removeAbandoned(path, remove, Supported)
}

func removeAbandoned(path string, remove func(string) error, locks bool) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, nil
	}
	defer f.Close()
	if !locks {
		info, err := f.Stat()
		if err != nil || time.Since(info.ModTime()) <= 24*time.Hour {
			return false, nil
		}
		f.Close() // where files cannot be locked, those that are open often cannot be removed
		return true, remove(path)
	}
	if held, err := Hold(f, path); err != nil || !held {
		return false, nil
	}
	return true, remove(path)
}

// Hold locks the file or folder that is open as f, and reports whether that is
// still what stands at path: another process may have removed it as abandoned
// between its making and its locking.
func Hold(f *os.File, path string) (bool, error) {
	if free, err := Try(f, true); err != nil || !free {
		return false, err
	}
	have, err := f.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(have, there), nil
}

// Make calls open until it holds what that opened: another process may remove it as abandoned
// between its making and its locking. open returns nil to be called again.
func Make(open func() (*os.File, error)) (*os.File, error) {
	for {
		f, err := open()
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		held, err := Hold(f, f.Name())
		if held && err == nil {
			return f, nil
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
}
