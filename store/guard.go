package store

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/greedgraph/greed/internal/fault"
)

// guard runs do. A torn database file leads to an access beyond the file, or to a panic
// inside bbolt; guard turns both into an error that wraps [ErrDamaged]. Other panics
// are bugs and pass through. Every error that wraps it names the folder, path.
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
	if errors.Is(err, ErrDamaged) && !strings.Contains(err.Error(), path) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return err
}

// raisedByBolt reports whether the panic being recovered began in bbolt: whether the
// first frame below the runtime's is bbolt's. The deferred function must call it
// directly.
func raisedByBolt() bool {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	raised := ""
	for {
		f, more := frames.Next()
		switch {
		case strings.HasPrefix(f.Function, "runtime."):
			// The stack shows a panic again, above the first, if a deferred function raised it
			// anew. The lowest one is the origin.
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
