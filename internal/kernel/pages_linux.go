package kernel

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of the pages that [Huge] asks for.
const hugePage = 2 << 20

// Huge asks for large pages under values that are about to be written for the
// first time and then read all over: reading a line here and a line there costs
// less where the processor has fewer pages to remember.
func Huge[T Fixed](values []T) {
	b := Bytes(values)
	if len(b) < 2*hugePage || !little() {
		return
	}
	from := -uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (hugePage - 1)
	size := (uintptr(len(b)) - from) &^ (hugePage - 1)
	_ = unix.Madvise(b[from:from+size], unix.MADV_HUGEPAGE) // slower without, no more
}
