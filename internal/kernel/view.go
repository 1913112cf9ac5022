package kernel

import (
	"bytes"
	"encoding/binary"
	"unsafe"
)

// Fixed are the numbers that [View] and [Bytes] know.
type Fixed interface {
	uint8 | uint16 | int32 | int64 | float32 | float64
}

// View returns the little-endian numbers that b holds. Where the machine is
// little-endian and b is aligned, as a mapped file is, the result shares its
// memory; else it is a copy. It panics if b ends within a number.
func View[T Fixed](b []byte) []T {
	size := int(unsafe.Sizeof(*new(T)))
	if len(b)%size != 0 {
		panic("kernel: bytes are no whole number of values")
	}
	if len(b) == 0 {
		return nil
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	if little() && uintptr(p)%uintptr(size) == 0 {
		return unsafe.Slice((*T)(p), len(b)/size)
	}
	values := make([]T, len(b)/size)
	if _, err := binary.Decode(b, binary.LittleEndian, values); err != nil {
		panic("kernel: " + err.Error())
	}
	return values
}

// Bytes returns numbers as little-endian bytes, which share their memory where
// the machine is little-endian.
func Bytes[T Fixed](values []T) []byte {
	if len(values) == 0 {
		return nil
	}
	if little() {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(values[0])))
	}
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, values) // a Buffer takes everything
	return b.Bytes()
}

// Offset returns where in whole the memory of part begins, or -1 if it is not all in there.
func Offset(whole, part []byte) int {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(part))) - uintptr(unsafe.Pointer(unsafe.SliceData(whole)))
	if at > uintptr(len(whole)) || uintptr(len(part)) > uintptr(len(whole))-at {
		return -1
	}
	return int(at)
}

func little() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }
