// Package varint reads and writes the numbers and texts of stored records: numbers are
// uvarints, texts come after their length.
package varint

import (
	"encoding/binary"
	"errors"
	"math"
)

// ErrShort says that bytes end early, or hold a number beyond its limit.
var ErrShort = errors.New("cut short")

// AppendText adds a text to b.
func AppendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// AppendFloat adds a number in the eight bytes of IEEE 754, little endian.
func AppendFloat(b []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
}

// Reader takes values from the front of Rest until the first error. After that it gives
// zeros.
type Reader struct {
	Rest []byte
	Err  error
}

// Fail notes the first error.
func (r *Reader) Fail(err error) {
	if r.Err == nil {
		r.Err, r.Rest = err, nil
	}
}

// Byte returns the next byte.
func (r *Reader) Byte() byte {
	if len(r.Rest) == 0 {
		r.Fail(ErrShort)
		return 0
	}
	x := r.Rest[0]
	r.Rest = r.Rest[1:]
	return x
}

// Number returns the next number. It fails if that is greater than limit.
func (r *Reader) Number(limit int) int {
	if len(r.Rest) > 0 && r.Rest[0] < 0x80 && int(r.Rest[0]) <= limit { // as most are
		x := r.Rest[0]
		r.Rest = r.Rest[1:]
		return int(x)
	}
	x, size := binary.Uvarint(r.Rest)
	if size <= 0 || x > uint64(limit) {
		r.Fail(ErrShort)
		return 0
	}
	r.Rest = r.Rest[size:]
	return int(x)
}

// Float returns the next number of eight bytes.
func (r *Reader) Float() float64 {
	if len(r.Rest) < 8 {
		r.Fail(ErrShort)
		return 0
	}
	x := math.Float64frombits(binary.LittleEndian.Uint64(r.Rest))
	r.Rest = r.Rest[8:]
	return x
}

// Count returns the next number, which counts things of a byte each at least.
func (r *Reader) Count() int { return r.Number(len(r.Rest)) }

// Text returns the next text.
func (r *Reader) Text() string { return string(r.Bytes()) }

// Skip skips a text.
func (r *Reader) Skip() { r.Bytes() }

// Bytes returns the next text as a part of what is read.
func (r *Reader) Bytes() []byte {
	n := r.Count()
	if n > len(r.Rest) {
		r.Fail(ErrShort)
		return nil
	}
	text := r.Rest[:n]
	r.Rest = r.Rest[n:]
	return text
}
