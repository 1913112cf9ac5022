// Package filelock tells files that a living process works on from those that a
// killed one left: who works on a file holds it locked, and the lock goes with
// the process.
package filelock

import (
	"os"
	"time"
)

// Abandoned reports whether the file or folder at path is held by nobody. Where
// files cannot be locked it is so a day after it was last written.
func Abandoned(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	if !Supported {
		info, err := f.Stat()
		return err == nil && time.Since(info.ModTime()) > 24*time.Hour
	}
	free, err := Try(f, true)
	return err == nil && free
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
