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

func fewEdits(level Level, over, under, use []uint8, most uint8) uint64 {
	switch level {
	case Generic:
		return fewEditsGeneric(over, under, use, most)
	case AVX2:
		return fewEditsAVX2(&over[0], &under[0], &use[0], most)
	}
	return fewEditsAVX512(&over[0], &under[0], &use[0], most)
}
