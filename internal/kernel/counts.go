package kernel

import "fmt"

// CountLane is the number of vectors of counts that are compared at a time.
const CountLane = 64

// CompareCounts compares a vector of counts with [CountLane] others, of which the
// bounds are known, group by group of their coordinates:
//
//	for each group g of widths[g] coordinates i {
//		over[g][v] = min(255, sum of max(0, q[i]-high[i][v]))
//		under[g][v] = min(255, sum of max(0, low[i][v]-q[i]))
//	}
//
// low and high may be the same: the counts themselves. Bits are the same at all
// levels.
func (o Ops) CompareCounts(over, under, q, low, high []uint8, widths []int) {
	n := 0
	for _, w := range widths {
		if w < 1 {
			panic(fmt.Sprintf("kernel: a group of %d counts", w))
		}
		n += w
	}
	checkLength("over", len(over), len(widths)*CountLane)
	checkLength("under", len(under), len(widths)*CountLane)
	checkLength("q", len(q), n)
	checkLength("low", len(low), n*CountLane)
	checkLength("high", len(high), n*CountLane)
	switch {
	case n == 0:
	case o.level == Generic:
		compareCountsGeneric(over, under, q, low, high, widths)
	default:
		compareCountsAVX2(&over[0], &under[0], &q[0], &low[0], &high[0], &widths[0], len(widths))
	}
}

// FewEdits returns in which of [CountLane] lanes few edits do, by what CompareCounts found
// of four groups: two of nodes, one of edges, and one of ends of edges. Bit v of lanes says
// whether
//
//	nodes = the greatest of over[0][v], over[1][v], under[0][v], under[1][v]
//	edges = the greater of max(over[2][v], under[2][v]) and (over[3][v]+1)/2 + (under[3][v]+1)/2
//	nodes + edges ≤ most
//
// where use, eight bytes that are 0 or 255, masks over[0] to over[3] and then under[0] to
// under[3]. Sums are those of 8 bits with saturation.
func (o Ops) FewEdits(over, under, use []uint8, most uint8) (lanes uint64) {
	if len(over) < 4*CountLane || len(under) < 4*CountLane {
		panic(fmt.Sprintf("kernel: %d and %d sums of counts", len(over), len(under)))
	}
	checkLength("use", len(use), 8)
	if o.level == Generic {
		return fewEditsGeneric(over, under, use, most)
	}
	return fewEditsAVX2(&over[0], &under[0], &use[0], most)
}
