package index

import (
	"context"
	"math"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
)

// PivotTree is the index of the GREED paper (appendix, algorithms BuildIndex,
// RangeQuery and k-NN): a node has a vector as pivot and splits the others in
// four by their distances from the pivot and to it, at the medians. Without a
// hinge these are equal and two of the parts are empty.
//
// It departs from the paper in this. The bound |F − m| of k-NN is unsound for
// distances that are not symmetric; the two one-sided bounds that the triangle
// inequality gives are used for k-NN, too. A part that RangeQuery would accept
// whole is still measured, as answers carry their distances. Parts of at most
// 128 vectors, and parts that pivots cannot split, are leaves. Bounds are
// lowered by what rounding may have added.
//
// [BoxTree] is faster; this tree is here to be compared with.
type PivotTree struct {
	ops     kernel.Ops
	norm    norm.Norm
	kernel  kernel.Norm
	n, dim  int
	vectors []float32 // [n, dim]

	nodes     []pivotNode // the first is the root
	positions []int32     // of the vectors in leaves
}

// pivotNode is a node, or a leaf if it has no pivot.
type pivotNode struct {
	pivot    int32 // position, or −1
	out      float64
	back     float64  // medians of distances from and to the pivot
	children [4]int32 // bit 0: farther than back to the pivot; bit 1: farther than out from it; 0: none
	from, to int32    // of a leaf in positions
}

// leafVectors is how many vectors the paper's code leaves together.
const leafVectors = 128

// NewPivotTree returns an index of vectors, [n, dim] row-major, which it
// keeps: they must not change. It returns an error that is [ErrNotFinite] if a
// value is not finite, and another if the norm is not valid.
func NewPivotTree(n norm.Norm, vectors []float32) (*PivotTree, error) {
	count, err := checkVectors(n, vectors)
	if err != nil {
		return nil, err
	}
	t := &PivotTree{ops: kernel.Best(), norm: n, kernel: kernelNorm(n), n: count, dim: n.Dim(), vectors: vectors}
	positions := make([]int32, count)
	for i := range positions {
		positions[i] = int32(i)
	}
	b := pivotBuilder{tree: t, ruler: newRuler(t.ops, &t.kernel, t.dim, vectors)}
	b.build(positions)
	return t, nil
}

// Norm returns the distance.
func (t *PivotTree) Norm() norm.Norm { return t.norm }

// Len returns the number of vectors.
func (t *PivotTree) Len() int { return t.n }

// KNN returns the k nearest vectors of each query.
func (t *PivotTree) KNN(ctx context.Context, queries []Query, k int) ([]Result, error) {
	if err := checkQueries(queries, t.dim); err != nil {
		return nil, err
	}
	return t.each(ctx, queries, func(q Query) *collector { return newNearest(q, &t.kernel, k, t.n) })
}

// Range returns the vectors within theta of each query.
func (t *PivotTree) Range(ctx context.Context, queries []Query, theta float64) ([]Result, error) {
	if err := checkQueries(queries, t.dim); err != nil {
		return nil, err
	}
	if err := checkTheta(theta); err != nil {
		return nil, err
	}
	return t.each(ctx, queries, func(q Query) *collector { return newRange(q, &t.kernel, theta) })
}

func (t *PivotTree) each(ctx context.Context, queries []Query, collect func(Query) *collector) ([]Result, error) {
	results := make([]Result, len(queries))
	r := newRuler(t.ops, &t.kernel, t.dim, t.vectors)
	for i, q := range queries {
		c := collect(q)
		if err := t.query(ctx, c, &r); err != nil {
			return nil, err
		}
		results[i] = c.result()
	}
	return results, ctx.Err()
}

// query visits nodes with the least bound first, until no node can hold an
// answer.
func (t *PivotTree) query(ctx context.Context, c *collector, r *ruler) error {
	queue := visits{{}}
	for steps := 0; len(queue) > 0; steps++ {
		if steps%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v := queue.pop()
		if v.bound > c.reach {
			break
		}
		node := &t.nodes[v.node]
		if node.pivot < 0 {
			t.scan(c, r, t.positions[node.from:node.to])
			continue
		}
		pivot := t.vector(node.pivot)
		back := t.norm.Distance(c.query.Vector, pivot)
		out := t.norm.Distance(pivot, c.query.Vector)
		c.work.Vectors++
		c.work.Bytes += int64(4 * t.dim)
		c.offer(Hit{int(node.pivot), back})
		for part, child := range node.children {
			if bound := max(v.bound, node.bound(part, out, back)); child > 0 && bound <= c.reach {
				queue.push(visit{bound: bound, node: child})
			}
		}
	}
	return ctx.Err()
}

func (t *PivotTree) scan(c *collector, r *ruler, positions []int32) {
	c.work.Vectors += int64(len(positions))
	c.work.Bytes += int64(4 * t.dim * len(positions))
	for len(positions) > 0 {
		some := positions[:min(len(positions), kernel.Lane)]
		for l, d := range r.measure(c.query.Vector, some) {
			c.offer(Hit{int(some[l]), d})
		}
		positions = positions[len(some):]
	}
}

// bound returns a distance from the query that no vector x of a part is
// within, given the query's distance out from the pivot p and back to it:
//
//	d(q, x) ≥ d(q, p) − d(x, p) ≥ back − node.back    of parts near to the pivot
//	d(q, x) ≥ d(p, x) − d(p, q) > node.out − out      of parts far from it
func (n *pivotNode) bound(part int, out, back float64) float64 {
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

// vector returns the vector at a position.
func (t *PivotTree) vector(position int32) []float32 {
	at := int(position) * t.dim
	return t.vectors[at : at+t.dim : at+t.dim]
}
