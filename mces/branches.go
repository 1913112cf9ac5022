package mces

import (
	"container/heap"
	"slices"

	"github.com/greedgraph/greed/edit"
)

// The share of the time, and the branches, that byBlocks may take.
const (
	blockShare  = 0.5
	blockStates = 10_000
)

// rule says of a node of a and one of b that they are mapped to each other, or that they are not.
type rule struct {
	v, x   int32
	mapped bool
	before *rule
}

// branch is a case of byBlocks: the maps that obey its rules, none of which keeps more edges than its size.
type branch struct {
	size  int32
	rules *rule
	root  *rule // that says what is mapped; nil: none does
}

// branches is a heap, the largest first.
type branches []branch

func (b branches) Len() int           { return len(b) }
func (b branches) Less(i, j int) bool { return b[i].size > b[j].size }
func (b branches) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *branches) Push(x any)        { *b = append(*b, x.(branch)) }
func (b *branches) Pop() any {
	last := (*b)[len(*b)-1]
	*b = (*b)[:len(*b)-1]
	return last
}

// byBlocks looks for the largest connected map where the blocks of one graph are small, as in molecules of chains and
// single rings: by the maps of [local]. Where one maps two nodes to one, either the first is not mapped to that, or it
// is, and no other.
func (s *growth) byBlocks() {
	s.clock.Share(blockShare)
	defer func() {
		s.clock.Whole()
		s.stopped = s.clock.Ended() || s.opt.States > 0 && s.states >= s.opt.States
	}()
	l, swapped := newLocal(s, &s.q, &s.t), false
	if l == nil {
		if l, swapped = newLocal(s, &s.t, &s.q), true; l == nil {
			return
		}
	}
	open := branches{{size: int32(s.upper)}}
	for len(open) > 0 && int(open[0].size) > max(s.best, s.least) {
		s.upper = min(s.upper, int(open[0].size))
		if s.states++; s.states > blockStates || s.opt.States > 0 && s.states >= s.opt.States {
			return
		}
		b := heap.Pop(&open).(branch)
		image, size := l.largest(b, max(s.best, s.least))
		if l.ended() {
			return // what bounds b still holds
		}
		if image == nil {
			continue
		}
		b.size = min(b.size, size)
		v := s.take(image, swapped)
		if v < 0 {
			continue // it is one to one, and no map of this branch keeps more
		}
		heap.Push(&open, branch{b.size, &rule{v: v, x: image[v], before: b.rules}, b.root})
		yes := &rule{v: v, x: image[v], mapped: true, before: b.rules}
		heap.Push(&open, branch{b.size, yes, yes})
	}
	s.upper = max(s.best, min(s.least, s.upper))
}

// largest returns a map of a branch that keeps the most edges, and how many, or nil if they are no more than least.
func (l *local) largest(b branch, least int) (image []int32, size int32) {
	l.obey(b.rules, 1)
	defer l.obey(b.rules, -1)
	l.clear()
	size, root := int32(least), b.root
	try := func(r *rule) {
		if n := l.rest(r.v, int32(len(l.at[r.v])), r.x, 0); n > size {
			size, root, image = n, r, slices.Repeat([]int32{edit.Deleted}, len(l.a.arcs))
		}
	}
	if b.root != nil {
		try(b.root)
	} else {
		for v := range int32(len(l.a.arcs)) {
			for x := range int32(len(l.b.arcs)) {
				if l.may(v, x) && !l.ended() {
					try(&rule{v: v, x: x})
				}
			}
		}
	}
	if image != nil {
		l.trace(root.v, int32(len(l.at[root.v])), root.x, 0, image)
	}
	return image, size
}

// obey rules out, or with −1 no longer, what rules do.
func (l *local) obey(r *rule, n int32) {
	m := len(l.b.arcs)
	for ; r != nil; r = r.before {
		at := int(r.v)*m + int(r.x)
		if !r.mapped {
			l.ruledOut[at] += n
			continue
		}
		for x := range m {
			l.ruledOut[int(r.v)*m+x] += n
		}
		for v := range l.a.arcs {
			l.ruledOut[v*m+int(r.x)] += n
		}
		l.ruledOut[at] -= 2 * n
	}
}

// take offers the one to one parts of a map, of q or, swapped, of t, and returns a node that has its image with
// another; −1: none has.
func (s *growth) take(image []int32, swapped bool) int32 {
	shared := int32(-1)
	for _, last := range []bool{false, true} {
		m := make(edit.NodeMap, len(s.q.arcs))
		for v := range m {
			m[v] = edit.Deleted
		}
		used := make(map[int32]bool)
		for i := range image {
			v := int32(i)
			if last {
				v = int32(len(image) - 1 - i)
			}
			x := image[v]
			switch {
			case x < 0:
			case used[x]:
				shared = v
			case swapped:
				m[x] = int(v)
			default:
				m[v] = int(x)
			}
			if x >= 0 {
				used[x] = true
			}
		}
		s.offer(m, true)
	}
	return shared
}
