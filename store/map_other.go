//go:build !unix

package store

import (
	"errors"
	"io"
)

func (f osFile) Map(n int) ([]byte, error) {
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	b := make([]byte, min(int64(n), size))
	if _, err := f.ReadAt(b, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return b, nil
}

func (osFile) Unmap([]byte) error { return nil }

func (osFile) Forget([]byte) error { return nil }
