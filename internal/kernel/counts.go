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
	if n > 0 {
		compareCounts(o.level, over, under, q, low, high, widths)
	}
}
