//go:build !unix

package filelock

import "os"

// Supported reports whether files can be locked here.
const Supported = false

// Try does nothing and reports success.
func Try(*os.File, bool) (bool, error) { return true, nil }

// Release does nothing.
func Release(*os.File) error { return nil }
