//go:build !noasm

package kernel

func compareCounts(level Level, over, under, q, low, high []uint8, widths []int) {
	switch level {
	case Generic:
		compareCountsGeneric(over, under, q, low, high, widths)
	case AVX2:
		compareCountsAVX2(&over[0], &under[0], &q[0], &low[0], &high[0], &widths[0], len(widths))
	default:
		compareCountsAVX512(&over[0], &under[0], &q[0], &low[0], &high[0], &widths[0], len(widths))
	}
}
