//go:build unix

package store

import "golang.org/x/sys/unix"

func (f osFile) Map(n int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, n, unix.PROT_READ, unix.MAP_SHARED)
}

func (osFile) Unmap(b []byte) error { return unix.Munmap(b) }

func (osFile) Forget(b []byte) error { return unix.Madvise(b, unix.MADV_DONTNEED) }
