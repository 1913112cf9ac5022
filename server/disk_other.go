//go:build !unix

package server

// isFull reports whether an error is that of a full disk.
func isFull(error) bool { return false }
