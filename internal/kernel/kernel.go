// Package kernel holds the inner loops over float32 vectors: matrix products,
// sums over neighbours, optimiser steps and distances. Each has a plain Go
// form, which defines it, and an assembly form for AVX2 with FMA. Matrix
// products and sweeps over stars have forms for AVX-512 as well; the others
// are as fast without. The nested module gen generates the assembly, and the
// build tag noasm leaves it out.
//
// Matrices are row-major. A width is the number of columns that a kernel
// works on and is a multiple of [Lane] unless said otherwise; pad with zeros.
// Slices that are written come first and must not overlap those that are
// read, unless they are the same slice and the kernel says so. Kernels panic
// on sizes that do not fit; they never allocate, and [Ops] may be shared
// between goroutines.
package kernel

import "fmt"

// Lane is the number of float32 values that widths are multiples of.
const Lane = 16

// Level is a set of machine instructions to use.
type Level uint8

// The levels, slowest first.
const (
	Generic Level = iota // plain Go
	AVX2                 // AVX2 and FMA, 8 lanes
	AVX512               // AVX-512 F, BW, DQ and VL, 16 lanes
)

// String returns "generic", "avx2" or "avx512".
func (l Level) String() string {
	switch l {
	case Generic:
		return "generic"
	case AVX2:
		return "avx2"
	case AVX512:
		return "avx512"
	}
	return fmt.Sprintf("level(%d)", uint8(l))
}

// Levels returns the levels that this machine runs, slowest first. The first
// is always [Generic].
func Levels() []Level {
	levels := []Level{Generic}
	for l := AVX2; l <= best; l++ {
		levels = append(levels, l)
	}
	return levels
}

// Ops are the kernels of one level. The zero Ops are those of [Generic].
//
// Results are functions of the arguments and the level alone. Unless a kernel
// says otherwise, they are the same at every level, bit for bit.
type Ops struct{ level Level }

// Best returns the kernels of the fastest level that this machine runs.
func Best() Ops { return Ops{best} }

// At returns the kernels of a level. It panics if this machine does not run
// it.
func At(l Level) Ops {
	if l > best {
		panic(fmt.Sprintf("kernel: this machine does not run %v", l))
	}
	return Ops{l}
}

// Level returns the level of the kernels.
func (o Ops) Level() Level { return o.level }

// Pad returns the least multiple of [Lane] that is at least n.
func Pad(n int) int { return (n + Lane - 1) &^ (Lane - 1) }
