//go:build !unix

package atomicfile

// syncDir does nothing: directories cannot be flushed here, and on Windows the
// file system journals renames itself.
func syncDir(string) error { return nil }
