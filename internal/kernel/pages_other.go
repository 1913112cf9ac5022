//go:build !linux

package kernel

// Huge does nothing: here the system decides how large pages are.
func Huge[T Fixed](values []T) {}
