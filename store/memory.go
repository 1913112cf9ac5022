package store

import (
	"errors"
	"sync/atomic"
)

// memory is a part of a file that is mapped, for as long as somebody needs it.
type memory struct {
	data  []byte
	file  file
	users atomic.Int64
}

// mapFile maps the first n bytes of a file, which the caller then uses.
func mapFile(f file, n int) (*memory, error) {
	m := &memory{file: f}
	m.users.Store(1)
	if n == 0 {
		return m, nil
	}
	var err error
	m.data, err = f.Map(n)
	return m, err
}

// release ends one use; the memory is given back with the last.
func (m *memory) release() error {
	if m.users.Add(-1) > 0 || m.data == nil {
		return nil
	}
	return m.file.Unmap(m.data)
}

// Held is mapped memory that is in use.
type Held []*memory

// add counts one more use of m, unless it is there.
func (h *Held) add(m *memory) {
	for _, have := range *h {
		if have == m {
			return
		}
	}
	m.users.Add(1)
	*h = append(*h, m)
}

// Release ends the use. The memory must not be read any more.
func (h *Held) Release() error {
	var errs []error
	for _, m := range *h {
		errs = append(errs, m.release())
	}
	*h = nil
	return errors.Join(errs...)
}

// take hands the uses over to the caller.
func (h *Held) take() Held {
	taken := *h
	*h = nil
	return taken
}

// Again returns the same memory, in use once more.
func (h *Held) Again() Held {
	var more Held
	for _, m := range *h {
		more.add(m)
	}
	return more
}
