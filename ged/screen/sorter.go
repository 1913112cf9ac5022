package screen

import "github.com/greedgraph/greed/internal/kernel"

// sorter arranges vectors so that similar ones are in the same blocks.
type sorter struct {
	rows  []uint8
	order []int32
}

// split arranges a part recursively: it divides it at the median of the counter that varies
// most, whole blocks on either side, and then each half.
func (s *sorter) split(part []int32) {
	for len(part) > kernel.CountLane {
		middle := (blocks(len(part)) + 1) / 2 * kernel.CountLane
		s.divide(part, middle, s.widest(part))
		s.split(part[:middle])
		part = part[middle:]
	}
}

// sampled is the number of vectors in the sample that determines the counter that varies
// most.
const sampled = 512

func (s *sorter) widest(part []int32) int {
	step := max(1, len(part)/sampled)
	best, at := -1.0, 0
	for i := range width {
		sum, squares, n := 0.0, 0.0, 0.0
		for k := 0; k < len(part); k += step {
			x := float64(s.rows[int(part[k])*width+i])
			sum += x
			squares += x * x
			n++
		}
		if spread := squares - sum*sum/n; spread > best {
			best, at = spread, i
		}
	}
	return at
}

// divide moves the vectors with the least values of a counter before the middle, by
// counting: values are bytes. Those of the value in the middle keep their order.
func (s *sorter) divide(part []int32, middle, counter int) {
	var count [257]int
	value := func(p int32) uint8 { return s.rows[int(p)*width+counter] }
	for _, p := range part {
		count[int(value(p))+1]++
	}
	for v := range 256 {
		count[v+1] += count[v]
	}
	sorted := make([]int32, len(part))
	for _, p := range part {
		v := value(p)
		sorted[count[v]] = p
		count[v]++
	}
	copy(part, sorted)
}
