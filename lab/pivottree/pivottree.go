// Package pivottree is the index of the GREED paper, to compare others with.
package pivottree

import (
	"context"
	"fmt"
	"math"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/vectorindex"
)

// Tree is the tree of the paper's appendix (algorithms BuildIndex, RangeQuery and
// k-NN): a node has a vector as pivot and splits the others in four by their
// distances from the pivot and to it, at the medians. Without a hinge these are
// equal and two of the parts are empty.
//
// It departs from the paper in this. The bound |F − m| of k-NN is unsound for
// distances that are not symmetric; the two one-sided bounds that the triangle
// inequality gives are used for k-NN, too. A part that RangeQuery would accept
// whole is still measured, as answers carry their distances. Parts of at most
// 128 vectors, and parts that pivots cannot split, are leaves. Bounds are
// lowered by what rounding may have added.
type Tree struct {
	ops     kernel.Ops
	norm    norm.Norm
	kernel  kernel.Norm
	n, dim  int
	vectors []float32 // [n, dim]

	nodes     []node  // the first is the root
	positions []int32 // of the vectors in leaves
}

// node is an inner node, or a leaf if it has no pivot.
type node struct {
	pivot    int32 // position, or −1
	out      float64
	back     float64  // medians of distances from and to the pivot
	children [4]int32 // bit 0: farther than back to the pivot; bit 1: farther than out from it; 0: none
	from, to int32    // of a leaf in positions
}

// leafVectors is how many vectors the paper's code leaves together.
const leafVectors = 128

// New returns a tree of vectors, [n, dim] row-major, which it keeps: they must not
// change. It returns an error that is [vectorindex.ErrNotFinite] if a value is not
// finite, and another if the norm is not valid.
func New(n norm.Norm, vectors []float32) (*Tree, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	for _, x := range vectors {
		if x-x != 0 {
			return nil, vectorindex.ErrNotFinite
		}
	}
	dim := n.Dim()
	if len(vectors)%dim != 0 {
		panic(fmt.Sprintf("pivottree: %d numbers for vectors of %d", len(vectors), dim))
	}
	t := &Tree{
		ops: kernel.Best(), norm: n, n: len(vectors) / dim, dim: dim, vectors: vectors,
		kernel: kernel.Norm{Widths: n.Widths, L2: n.Kind == norm.L2, Max: n.Combine == norm.Max, Hinge: n.Hinge},
	}
	positions := make([]int32, t.n)
	for i := range positions {
		positions[i] = int32(i)
	}
	b := builder{tree: t, ruler: t.newRuler()}
	b.build(positions)
	return t, nil
}

// Norm returns the distance.
func (t *Tree) Norm() norm.Norm { return t.norm }

// Len returns the number of vectors.
func (t *Tree) Len() int { return t.n }

// KNN returns the k nearest vectors of each query.
func (t *Tree) KNN(ctx context.Context, queries []vectorindex.Query, k int) ([]vectorindex.Result, error) {
	return t.each(ctx, queries, max(0, min(k, t.n)), math.Inf(1))
}

// Range returns the vectors within theta of each query.
func (t *Tree) Range(ctx context.Context, queries []vectorindex.Query, theta float64) ([]vectorindex.Result, error) {
	if math.IsNaN(theta) {
		return nil, fmt.Errorf("pivottree: radius %v", theta)
	}
	return t.each(ctx, queries, t.n, theta)
}

func (t *Tree) each(ctx context.Context, queries []vectorindex.Query, k int, reach float64) ([]vectorindex.Result, error) {
	for _, q := range queries {
		if len(q.Vector) != t.dim {
			panic(fmt.Sprintf("pivottree: a query of %d numbers, vectors of %d", len(q.Vector), t.dim))
		}
		for _, x := range q.Vector {
			if x-x != 0 {
				return nil, vectorindex.ErrNotFinite
			}
		}
	}
	results := make([]vectorindex.Result, len(queries))
	r := t.newRuler()
	for i, q := range queries {
		s := search{tree: t, query: q, k: k, reach: reach}
		if err := s.run(ctx, r); err != nil {
			return nil, err
		}
		results[i] = s.result()
	}
	return results, ctx.Err()
}

// vector returns the vector at a position.
func (t *Tree) vector(position int32) []float32 {
	at := int(position) * t.dim
	return t.vectors[at : at+t.dim : at+t.dim]
}
