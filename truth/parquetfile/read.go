package parquetfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime/debug"

	"github.com/parquet-go/parquet-go"
)

// Magic begins and ends a Parquet file.
const Magic = "PAR1"

// Open opens a Parquet file. It refuses files that were cut short and, of those that [Writer]
// wrote, all that have other bytes. Of damaged files of other programs it ends the reading of
// those that would go on for ever; the Parquet package panics at others, or gives other rows,
// and may read memory that is not theirs: see [Recover].
func Open(r io.ReaderAt, size int64) (file *parquet.File, err error) {
	defer Recover(&err)()
	if err := checkEnds(r, size); err != nil {
		return nil, err
	}
	summed, err := check(r, size)
	if err != nil {
		return nil, err
	}
	if !summed {
		r = &rationed{r, rereads*size + 1<<20}
	}
	if file, err = parquet.OpenFile(r, size); err != nil {
		return nil, err
	}
	if _, ok := file.Lookup(checksumKey); ok && !summed {
		return nil, errors.New("damaged Parquet file: its checksum cannot be read")
	}
	return file, nil
}

// checkEnds finds files that were cut short, before the Parquet package believes the length
// that it takes for that of the footer.
func checkEnds(r io.ReaderAt, size int64) error {
	const ends = 12 // magic, footer length and magic
	head, tail := make([]byte, 4), make([]byte, 8)
	if size < ends {
		return errors.New("not a Parquet file: too short")
	}
	if _, err := r.ReadAt(head, 0); err != nil {
		return err
	}
	if _, err := r.ReadAt(tail, size-8); err != nil {
		return err
	}
	if string(head) != Magic || string(tail[4:]) != Magic {
		return errors.New("not a whole Parquet file: it does not begin and end with " + Magic)
	}
	if footer := int64(binary.LittleEndian.Uint32(tail)); footer > size-ends {
		return fmt.Errorf("damaged Parquet file: a footer of %d bytes in a file of %d", footer, size)
	}
	return nil
}

// check reports whether a file holds a checksum, which its bytes then have.
func check(r io.ReaderAt, size int64) (bool, error) {
	tail := make([]byte, min(size, markWithin+int64(len(noChecksum)+len(mark))))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil {
		return false, err
	}
	at := bytes.LastIndex(tail, []byte(mark)) + len(mark)
	if at < len(mark) || at+len(noChecksum) > len(tail) {
		return false, nil
	}
	want := string(tail[at : at+len(noChecksum)])
	copy(tail[at:], noChecksum)
	crc := crc32.New(castagnoli)
	if _, err := io.Copy(crc, io.NewSectionReader(r, 0, size-int64(len(tail)))); err != nil {
		return false, err
	}
	crc.Write(tail)
	if got := fmt.Sprintf("%08x", crc.Sum32()); got != want {
		return false, fmt.Errorf("damaged Parquet file: its checksum is %s, written was %s", got, want)
	}
	return true, nil
}

// rereads is how often over a Parquet file may be read. Reading a whole one
// takes each byte a few times; some damaged ones are read without end.
const rereads = 16

// rationed is an [io.ReaderAt] that gives left more bytes.
type rationed struct {
	io.ReaderAt
	left int64
}

func (r *rationed) ReadAt(p []byte, at int64) (int, error) {
	if r.left -= int64(len(p)); r.left < 0 {
		return 0, errors.New("damaged Parquet file: its parts point at each other")
	}
	return r.ReaderAt.ReadAt(p, at)
}

// Recover makes what follows the deferred call of its result an error where damage makes the
// Parquet package panic, or its texts point to no memory.
//
//	defer parquetfile.Recover(&err)()
func Recover(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if x := recover(); x != nil {
			*err = fmt.Errorf("damaged Parquet file: %v", x)
		}
	}
}

// Reader reads the rows of a file.
type Reader[T any] struct {
	rows *parquet.GenericReader[T]
	buf  []T
	left []T   // of buf
	err  error // after left
}

// NewReader returns a reader of all rows.
func NewReader[T any](file *parquet.File) (r *Reader[T], err error) {
	defer Recover(&err)()
	return &Reader[T]{rows: parquet.NewGenericReader[T](file), buf: make([]T, rowsAtATime)}, nil
}

// Next returns the next row, which is valid until the next call, or [io.EOF].
func (r *Reader[T]) Next() (*T, error) {
	if len(r.left) == 0 && r.err == nil {
		r.fill()
	}
	if len(r.left) == 0 {
		return nil, r.err
	}
	row := &r.left[0]
	r.left = r.left[1:]
	return row, nil
}

// fill reads the next rows.
func (r *Reader[T]) fill() {
	defer Recover(&r.err)()
	n, err := r.rows.Read(r.buf)
	if n == 0 && err == nil {
		err = io.ErrNoProgress
	}
	r.left, r.err = r.buf[:n], err
}

// Close frees what reading takes.
func (r *Reader[T]) Close() (err error) {
	defer Recover(&err)()
	return r.rows.Close()
}
