package store

import (
	"errors"
	"os"
	"slices"
	"sync/atomic"

	"github.com/greedgraph/greed/internal/kernel"
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

// forgetBytes is how much is read of large arrays before its memory is given back.
const forgetBytes = 4 << 20

// forget gives back the memory of a part of what is mapped, but for the pages at its ends that it
// shares with others. Who reads it later gets it from the system's cache, or from the disk. What
// is a copy of mapped memory stays.
func (m *memory) forget(part []byte) {
	from := kernel.Offset(m.data, part)
	if from < 0 {
		return
	}
	page := os.Getpagesize()
	to := (from + len(part)) / page * page
	if from = (from + page - 1) / page * page; from < to {
		_ = m.file.Forget(m.data[from:to]) // it takes more memory without, no more
	}
}

// Held is mapped memory that is in use.
type Held []*memory

// add counts one more user of m, unless h holds m already.
func (h *Held) add(m *memory) {
	if slices.Contains(*h, m) {
		return
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
