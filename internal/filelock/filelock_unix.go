//go:build unix

package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Supported reports whether files can be locked here.
const Supported = true

// Try locks f, alone or shared with others who share it, and reports whether
// nobody else's lock stood in the way. The lock ends when f is closed, or with
// the process. Locking again through the same f changes the lock.
func Try(f *os.File, alone bool) (bool, error) {
	how := unix.LOCK_SH
	if alone {
		how = unix.LOCK_EX
	}
	err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// Release ends the lock of f. Closing f is not enough where the file is mapped: the
// mapping keeps it open.
func Release(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) }
