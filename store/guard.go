package store

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/greedgraph/greed/internal/fault"
)

// guard runs do and turns what a torn database file leads to, an access beyond
// the file or a panic that bbolt raises, into an error that wraps [ErrDamaged].
// All other panics are bugs and go through.
func guard(path string, do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if !raisedByBolt() {
				panic(r)
			}
			err = fmt.Errorf("%s: %w: %v", path, ErrDamaged, r)
		}
	}()
	err = fault.Guard(do)
	if gone := (*fault.Error)(nil); errors.As(err, &gone) {
		err = fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
	}
	return err
}

// raisedByBolt reports whether the panic that is being recovered began in bbolt:
// whether the first frame below the runtime's is one of its. It is called by the
// deferred function.
func raisedByBolt() bool {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	raised := ""
	for {
		f, more := frames.Next()
		switch {
		case strings.HasPrefix(f.Function, "runtime."):
			// A panic that a deferred function passed on comes above the one
			// that it recovered: the lowest counts.
			raised = "runtime."
		case raised == "runtime.":
			raised = f.Function
			if strings.HasPrefix(raised, boltPackage) {
				return true
			}
		}
		if !more {
			return false
		}
	}
}

const boltPackage = "go.etcd.io/bbolt"
