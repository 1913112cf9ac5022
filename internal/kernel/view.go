package kernel

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// Float32s returns the little-endian float32 values that b holds. Where the
// machine is little-endian and b is aligned, as a mapped file is, the result
// shares its memory; else it is a copy. It panics unless 4 divides len(b).
func Float32s(b []byte) []float32 {
	if len(b)%4 != 0 {
		panic("kernel: bytes are no whole number of float32")
	}
	if len(b) == 0 {
		return nil
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 && uintptr(p)%4 == 0 {
		return unsafe.Slice((*float32)(p), len(b)/4)
	}
	values := make([]float32, len(b)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return values
}
