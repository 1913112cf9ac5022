// Package fault turns a fault in mapped memory into an error. Such a fault occurs when
// somebody cuts the mapped file short; without this package the process ends with SIGBUS.
package fault

import (
	"fmt"
	"runtime/debug"
)

// Error says that mapped memory could not be read.
type Error struct{ Address uintptr }

func (e *Error) Error() string {
	return fmt.Sprintf("mapped memory at %#x is gone: its file was cut short while it was read", e.Address)
}

// Guard runs read and returns an [Error] if it touches memory that is not there.
// It watches over its own goroutine alone: goroutines that read starts need a
// Guard each. Other panics go through.
func Guard(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			if err = Of(r); err == nil {
				panic(r)
			}
		}
	}()
	return read()
}

// Of returns the error for what recover gave, nil if that was no fault.
func Of(recovered any) error {
	// The runtime's error for a fault has an address; other errors of the
	// runtime, an index out of range or a nil pointer, have none.
	if f, ok := recovered.(interface{ Addr() uintptr }); ok {
		return &Error{f.Addr()}
	}
	return nil
}
