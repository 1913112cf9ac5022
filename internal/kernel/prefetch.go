package kernel

import "unsafe"

// Prefetch asks for the memory of s to be brought into the cache while other
// work goes on. It changes nothing else and does nothing where the level is
// [Generic].
func Prefetch[T uint8 | float32](s []T) {
	if len(s) > 0 && best > Generic {
		prefetch((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(s[0])))
	}
}
