package screen

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
)

// Parts are the parts of a sheet, for storing it in a file.
type Parts struct {
	Order  []int32  // [graphs] the position of the graph in every lane
	Counts []uint8  // [blocks, counters, 64] its counts
	Starts []int64  // [graphs+1] where the branches of the graph at a position begin; nil: there are no graphs
	Lists  []uint16 // numbers of branches
	// Kinds holds two numbers that mean nothing, and then every branch, as unsigned varints: its
	// label, the number of edges that leave, of those that enter, and their labels.
	Kinds []byte
}

// Parts returns the parts of s, which share its memory.
func (s *Sheet) Parts() Parts {
	if s.tree.len() < s.n {
		whole := *s
		whole.Build()
		return whole.Parts()
	}
	p := Parts{Starts: s.branches.starts, Lists: s.branches.ids}
	if s.tree != nil {
		p.Order, p.Counts = s.tree.order, s.tree.levels[0].low
	}
	p.Kinds = append(p.Kinds, 0, 0)
	for i := range s.branches.kinds {
		p.Kinds = s.branches.kinds[i].key(p.Kinds)
	}
	return p
}

// Open returns the sheet with these parts, whose memory it keeps and does not change. The
// error says what is wrong with them. If forget is not nil, it is called with memory that has
// been read.
func (p Parts) Open(forget func([]byte)) (*Sheet, error) {
	if forget == nil {
		forget = func([]byte) {}
	}
	n := len(p.Order)
	s := &Sheet{n: n, branches: lists{starts: p.Starts, ids: p.Lists}}
	if len(p.Counts) != blocks(n)*width*kernel.CountLane {
		return nil, fmt.Errorf("screen: %d counts of %d graphs", len(p.Counts), n)
	}
	seen := make([]bool, n)
	for _, at := range p.Order {
		if at < 0 || int(at) >= n || seen[at] {
			return nil, errors.New("screen: invalid order")
		}
		seen[at] = true
	}
	if n > 0 && (len(p.Starts) != n+1 || p.Starts[0] != 0 || p.Starts[n] != int64(len(p.Lists))) ||
		n == 0 && len(p.Lists) > 0 {
		return nil, fmt.Errorf("screen: branches of %d graphs, want %d", len(p.Starts)-1, n)
	}
	if !slices.IsSorted(p.Starts) {
		return nil, errors.New("screen: branches out of order")
	}
	forget(kernel.Bytes(p.Order))
	forget(kernel.Bytes(p.Starts))
	if err := s.readKinds(p.Kinds); err != nil {
		return nil, err
	}
	for part := range slices.Chunk(p.Lists, 1<<20) {
		for _, id := range part {
			if id != rare && int(id) >= len(s.branches.kinds) {
				return nil, fmt.Errorf("screen: branch %d of %d", id, len(s.branches.kinds))
			}
		}
		forget(kernel.Bytes(part))
	}
	if n > 0 {
		s.tree = treeOf(p.Order, p.Counts, forget)
	}
	return s, nil
}

func (s *Sheet) readKinds(b []byte) error {
	bad := errors.New("screen: invalid branches")
	next := func() (uint64, error) {
		x, n := binary.Uvarint(b)
		if n <= 0 || x > 1<<32 {
			return 0, bad
		}
		b = b[n:]
		return x, nil
	}
	for range 2 {
		if _, err := next(); err != nil {
			return err
		}
	}
	for len(b) > 0 {
		var head [3]uint64
		for i := range head {
			var err error
			if head[i], err = next(); err != nil {
				return err
			}
		}
		if head[1] > uint64(len(b)) || head[2] > uint64(len(b)) {
			return bad
		}
		k := branch{label: graph.Label(head[0])}
		for i, side := range []*[]graph.Label{&k.out, &k.in} {
			for range head[1+i] {
				l, err := next()
				if err != nil {
					return err
				}
				*side = append(*side, graph.Label(l))
			}
		}
		s.branches.kinds = append(s.branches.kinds, k)
	}
	if len(s.branches.kinds) > rare {
		return bad
	}
	return nil
}
