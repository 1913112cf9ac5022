package pivottree

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"slices"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/vectorindex"
)

// search answers one query: the k nearest vectors within reach.
type search struct {
	tree  *Tree
	query vectorindex.Query
	k     int
	reach float64 // beyond which nothing can become an answer
	best  hits
}

// run visits nodes with the least bound first, until no node can hold an answer.
func (s *search) run(ctx context.Context, r *ruler) error {
	t := s.tree
	if s.k == 0 || len(t.nodes) == 0 {
		return ctx.Err()
	}
	queue := visits{{}}
	for steps := 0; len(queue) > 0; steps++ {
		if steps%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v := heap.Pop(&queue).(visit)
		if v.bound > s.reach {
			break
		}
		n := &t.nodes[v.node]
		if n.pivot < 0 {
			s.scan(r, t.positions[n.from:n.to])
			continue
		}
		pivot := t.vector(n.pivot)
		back := t.norm.Distance(s.query.Vector, pivot)
		out := t.norm.Distance(pivot, s.query.Vector)
		s.offer(vectorindex.Hit{Position: int(n.pivot), Distance: back})
		for part, child := range n.children {
			if bound := max(v.bound, n.bound(part, out, back)); child > 0 && bound <= s.reach {
				heap.Push(&queue, visit{bound, child})
			}
		}
	}
	return ctx.Err()
}

func (s *search) scan(r *ruler, positions []int32) {
	for some := range slices.Chunk(positions, kernel.Lane) {
		for l, d := range r.measure(s.query.Vector, some) {
			s.offer(vectorindex.Hit{Position: int(some[l]), Distance: d})
		}
	}
}

// offer takes a vector and its exact distance into account.
func (s *search) offer(h vectorindex.Hit) {
	if !(h.Distance <= s.reach) || s.query.Accept != nil && !s.query.Accept(h.Position) {
		return
	}
	heap.Push(&s.best, h)
	if len(s.best) > s.k {
		heap.Pop(&s.best)
	}
	if len(s.best) == s.k {
		s.reach = min(s.reach, s.best[0].Distance)
	}
}

func (s *search) result() vectorindex.Result {
	slices.SortFunc(s.best, compare)
	return vectorindex.Result{Hits: s.best}
}

// bound returns a distance from the query that no vector x of a part is
// within, given the query's distance out from the pivot p and back to it:
//
//	d(q, x) ≥ d(q, p) − d(x, p) ≥ back − n.back    of parts near to the pivot
//	d(q, x) ≥ d(p, x) − d(p, q) > n.out − out      of parts far from it
func (n *node) bound(part int, out, back float64) float64 {
	bound := 0.0
	if part&1 == 0 {
		bound = max(bound, less(back, n.back))
	}
	if part&2 != 0 {
		bound = max(bound, less(n.out, out))
	}
	return bound
}

// less returns a − b, lowered by what rounding may have added: differences of
// coordinates are rounded to float32, and nothing is known of those that
// overflowed.
func less(a, b float64) float64 {
	if math.IsInf(a, 1) {
		return 0
	}
	return a - b - (a+b)*0x1p-22
}

// compare is the order of answers: by distance, then by position.
func compare(a, b vectorindex.Hit) int {
	return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Position, b.Position))
}

// hits is a heap with the last answer on top.
type hits []vectorindex.Hit

func (h hits) Len() int           { return len(h) }
func (h hits) Less(i, j int) bool { return compare(h[i], h[j]) > 0 }
func (h hits) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *hits) Push(x any)        { *h = append(*h, x.(vectorindex.Hit)) }

func (h *hits) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

// visit is a node to visit, and a bound of the distances inside.
type visit struct {
	bound float64
	node  int32
}

// visits is a heap with the least bound on top.
type visits []visit

func (v visits) Len() int           { return len(v) }
func (v visits) Less(i, j int) bool { return v[i].bound < v[j].bound }
func (v visits) Swap(i, j int)      { v[i], v[j] = v[j], v[i] }
func (v *visits) Push(x any)        { *v = append(*v, x.(visit)) }

func (v *visits) Pop() any {
	last := len(*v) - 1
	x := (*v)[last]
	*v = (*v)[:last]
	return x
}
