//go:build !noasm

package kernel

func compareCounts(level Level, over, under, q, low, high []uint8, widths []int) {
	if level == Generic {
		compareCountsGeneric(over, under, q, low, high, widths)
		return
	}
	compareCountsAVX2(&over[0], &under[0], &q[0], &low[0], &high[0], &widths[0], len(widths))
}

func fewEdits(level Level, over, under, use []uint8, most uint8) uint64 {
	if level == Generic {
		return fewEditsGeneric(over, under, use, most)
	}
	return fewEditsAVX2(&over[0], &under[0], &use[0], most)
}
