package store

import (
	"errors"
	"sync/atomic"
)

// memory is a mapped part of a file, with a count of its users.
type memory struct {
	data  []byte
	file  file
	users atomic.Int64
}

// mapFile maps the first n bytes of a file. The caller is its first user.
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

// release ends one use. The last one unmaps the memory.
func (m *memory) release() error {
	if m.users.Add(-1) > 0 || m.data == nil {
		return nil
	}
	return m.file.Unmap(m.data)
}

// Held is mapped memory that is in use.
type Held []*memory

// add counts one more user of m, unless h holds m already.
func (h *Held) add(m *memory) {
	for _, have := range *h {
		if have == m {
			return
		}
	}
	m.users.Add(1)
	*h = append(*h, m)
}

// Release ends the use. The memory must not be read afterwards.
func (h *Held) Release() error {
	var errs []error
	for _, m := range *h {
		errs = append(errs, m.release())
	}
	*h = nil
	return errors.Join(errs...)
}

// take passes the uses to the caller.
func (h *Held) take() Held {
	taken := *h
	*h = nil
	return taken
}

// Again returns the same memory with one more user.
func (h *Held) Again() Held {
	var more Held
	for _, m := range *h {
		more.add(m)
	}
	return more
}
