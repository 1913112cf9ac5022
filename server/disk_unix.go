//go:build unix

package server

import (
	"errors"
	"syscall"
)

// isFull reports whether an error says that the disk, or a file, has no room.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) ||
		errors.Is(err, syscall.EROFS)
}
