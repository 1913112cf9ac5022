package store

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// guard runs do and turns what a torn database file leads to, a panic of bbolt
// or an access beyond the file, into an error that wraps [ErrDamaged]. Panics
// of this package go through.
func guard(path string, do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if text, ok := r.(string); ok && strings.HasPrefix(text, "store: ") {
			panic(r)
		}
		err = fmt.Errorf("%s: %w: %v", path, ErrDamaged, r)
	}()
	return do()
}
