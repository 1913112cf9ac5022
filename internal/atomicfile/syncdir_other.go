//go:build !unix

package atomicfile

// SyncDir does nothing: directories cannot be flushed here, and on Windows the
// file system journals renames itself.
func SyncDir(string) error { return nil }
