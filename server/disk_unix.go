//go:build unix

package server

import (
	"errors"
	"syscall"
)

// isFull tells whether an error is that of a full disk.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
