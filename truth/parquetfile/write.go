// Package parquetfile writes Parquet files that hold a checksum of all their bytes, and
// reads Parquet files that may be damaged.
package parquetfile

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/parquet-go/parquet-go"
)

const (
	// checksumKey is where the metadata of a file have the checksum of its bytes. Pages have
	// checksums of their own, but what says how to read them, headers and footer, has none.
	checksumKey = "greed.checksum"
	// noChecksum stands for the checksum when it is computed.
	noChecksum = "00000000"
	// mark stands before the checksum: the key, and the type and length of the value.
	mark = checksumKey + "\x18\x08"
	// markWithin is how far from the end of a file the mark is at most. Behind it are only the
	// name of the program and the orders of the columns.
	markWithin = 1 << 12
	// rowsAtATime is how many rows are handed to or taken from the Parquet package.
	rowsAtATime = 1 << 10
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Writer writes rows of type T. Equal rows give equal bytes.
type Writer[T any] struct {
	rows *parquet.GenericWriter[T]
	out  summed
	buf  []T
}

// NewWriter returns a writer of a file to w. The Parquet package holds rowsInGroup rows in
// memory until it writes them.
func NewWriter[T any](w io.Writer, rowsInGroup int64) *Writer[T] {
	p := &Writer[T]{out: summed{w: w}, buf: make([]T, 0, rowsAtATime)}
	p.rows = parquet.NewGenericWriter[T](&p.out, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("greed", "", ""),
		parquet.MaxRowsPerRowGroup(rowsInGroup))
	return p
}

// Write adds a row.
func (w *Writer[T]) Write(row T) error {
	w.buf = append(w.buf, row)
	if len(w.buf) < cap(w.buf) {
		return nil
	}
	return w.flush()
}

func (w *Writer[T]) flush() error {
	_, err := w.rows.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}

// SetMetadata adds to the metadata of the file.
func (w *Writer[T]) SetMetadata(key, value string) { w.rows.SetKeyValueMetadata(key, value) }

// Close ends the file.
func (w *Writer[T]) Close() error {
	if err := errors.Join(w.flush(), w.rows.Flush()); err != nil {
		return err
	}
	w.rows.SetKeyValueMetadata(checksumKey, noChecksum) // the last of the metadata, however large others are
	w.out.held = []byte{}
	if err := w.rows.Close(); err != nil {
		return err
	}
	return w.out.end()
}

// summed passes on what is written to it, with its checksum. It holds the end of the file back,
// where the checksum belongs.
type summed struct {
	w    io.Writer
	crc  uint32
	held []byte // nil: pass on
}

func (s *summed) Write(p []byte) (int, error) {
	if s.held != nil {
		s.held = append(s.held, p...)
		return len(p), nil
	}
	s.crc = crc32.Update(s.crc, castagnoli, p)
	return s.w.Write(p)
}

func (s *summed) end() error {
	at := bytes.LastIndex(s.held, []byte(mark)) + len(mark)
	if at < len(mark) || len(s.held)-at > markWithin {
		return errors.New("the checksum of a Parquet file has no place")
	}
	s.crc = crc32.Update(s.crc, castagnoli, s.held)
	copy(s.held[at:], fmt.Sprintf("%08x", s.crc))
	_, err := s.w.Write(s.held)
	return err
}
