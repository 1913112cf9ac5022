package screen

import (
	"github.com/greedgraph/greed/internal/kernel"
)

// tree holds the counts of graphs in blocks of 64 similar ones, with boxes around the blocks,
// blocks of 64 boxes with boxes around those, and so on. It is immutable.
type tree struct {
	order  []int32 // the position of the graph in every lane of the leaves
	levels []level // the leaves first; the last has a single block
}

// level holds blocks of vectors or boxes: [blocks, width, 64]. Those of graphs are
// both bounds at once.
type level struct {
	count     int // vectors or boxes
	low, high []uint8
}

func (t *tree) len() int {
	if t == nil {
		return 0
	}
	return len(t.order)
}

// leaves yields the blocks of graphs.
func (t *tree) leaves() func(yield func(int, []uint8) bool) {
	return func(yield func(int, []uint8) bool) {
		for b := range blocks(len(t.order)) {
			if !yield(b, t.levels[0].block(t.levels[0].low, b)) {
				return
			}
		}
	}
}

func (l *level) block(data []uint8, b int) []uint8 {
	size := width * kernel.CountLane
	return data[b*size : (b+1)*size : (b+1)*size]
}

func blocks(n int) int { return (n + kernel.CountLane - 1) / kernel.CountLane }

// newTree returns the tree of the vectors in rows, [n, width].
func newTree(rows []uint8) *tree {
	n := len(rows) / width
	s := sorter{rows, make([]int32, n)}
	for i := range s.order {
		s.order[i] = int32(i)
	}
	s.split(s.order)
	leaves := make([]uint8, blocks(n)*width*kernel.CountLane)
	for at, p := range s.order {
		block := leaves[at/kernel.CountLane*width*kernel.CountLane:]
		for i, c := range rows[int(p)*width : int(p+1)*width] {
			block[i*kernel.CountLane+at%kernel.CountLane] = c
		}
	}
	return treeOf(s.order, leaves, func([]byte) {})
}

// treeOf returns the tree above leaves. It calls forget with leaves that it has read.
func treeOf(order []int32, leaves []uint8, forget func([]byte)) *tree {
	t := &tree{order, []level{{len(order), leaves, leaves}}}
	for {
		below := &t.levels[len(t.levels)-1]
		if below.count <= kernel.CountLane {
			return t
		}
		t.levels = append(t.levels, below.boxes(forget))
		forget = func([]byte) {} // what is above is needed by every query
	}
}

// boxes returns the boxes around the blocks of l. It calls forget with what it has read.
func (l *level) boxes(forget func([]byte)) level {
	const stride, size = 1024, width * kernel.CountLane
	n := blocks(l.count)
	up := level{count: n}
	up.low = make([]uint8, blocks(n)*width*kernel.CountLane)
	up.high = make([]uint8, len(up.low))
	for b := range n {
		low, high := l.block(l.low, b), l.block(l.high, b)
		lanes := min(kernel.CountLane, l.count-b*kernel.CountLane)
		at := b/kernel.CountLane*width*kernel.CountLane + b%kernel.CountLane
		for i := range width {
			least, most := uint8(255), uint8(0)
			for v := range lanes {
				least = min(least, low[i*kernel.CountLane+v])
				most = max(most, high[i*kernel.CountLane+v])
			}
			up.low[at+i*kernel.CountLane], up.high[at+i*kernel.CountLane] = least, most
		}
		if (b+1)%stride == 0 || b == n-1 {
			forget(l.low[b/stride*stride*size : (b+1)*size])
		}
	}
	return up
}
