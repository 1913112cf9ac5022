//go:build !noasm

package kernel

func snapToGrid(level Level, cell []uint8, rest, q, base []float32, inverse float32, hinge bool) {
	switch level {
	case Generic:
		snapToGridGeneric(cell, rest, q, base, inverse, hinge)
	case AVX2:
		snapToGridAVX2(&cell[0], &rest[0], &q[0], &base[0], len(q), inverse, bit(hinge))
	default:
		snapToGridAVX512(&cell[0], &rest[0], &q[0], &base[0], len(q), inverse, bit(hinge))
	}
}

func screenGrid(level Level, dst *[GridLane]float32, cell, codes []uint8, offset []float32, pairs []int, step float32, hinge, greatest bool) {
	flags := flagHinge*bit(hinge) | flagMax*bit(greatest)
	switch level {
	case Generic:
		screenGridGeneric(dst, cell, codes, offset, pairs, step, hinge, greatest)
	case AVX2:
		screenGridAVX2(&dst[0], &cell[0], &codes[0], &offset[0], &pairs[0], len(pairs), step, flags)
	default:
		screenGridAVX512(&dst[0], &cell[0], &codes[0], &offset[0], &pairs[0], len(pairs), step, flags)
	}
}
