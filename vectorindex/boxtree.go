package vectorindex

import (
	"context"

	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
)

// BoxTree is an exact index for vectors that cluster, as embeddings of graphs do.
// A query reads few of the vectors, and most of those in 8 bits a coordinate.
//
// Near vectors share a cell. A cell has a box: the least and the greatest value
// of every coordinate. Near boxes share a node, which has a box, and so on up to
// the root. Vectors are coded in 8 bits a coordinate, as steps between the least
// and the greatest value in a frame, a few near cells. The distance from a query
// to a box bounds the distances to all vectors inside. Under a hinge only the
// greatest values matter: SED is the distance to an orthant. Boxes are coded like
// vectors, relative to the box around them and rounded outwards.
//
// A range query visits the boxes that can hold an answer. A k-NN query visits
// those with the least bounds first. If the 8 bits of a vector leave open whether
// it is an answer, its distance is computed exactly.
type BoxTree struct {
	ops     kernel.Ops
	norm    norm.Norm
	kernel  kernel.Norm // of vectors
	box     kernel.Norm // of boxes
	n, dim  int
	vectors []float32 // [n, dim]

	memory    memory
	cells     coded
	positions []int32 // of the vectors in the cells, [n]
	levels    []level // of boxes: level 0 those of cells, the last one node
}

const (
	cellVectors = 32 // of a cell
	frameCells  = 4  // that share a frame
	nodeBoxes   = 64 // of a node
)

// level holds the boxes of the nodes of one height, or of the cells.
type level struct {
	nodes int
	boxes coded
	first []int32 // the least position of a vector inside, [nodes]
}

// NewBoxTree returns an index of vectors, [n, dim] row-major, which it keeps:
// they must not change. It adds about 0.3 bytes for each of theirs. It returns
// an error that is [ErrNotFinite] if a value is not finite, and another if the
// norm is not valid.
func NewBoxTree(n norm.Norm, vectors []float32) (*BoxTree, error) {
	return newBoxTree(n, vectors, kernel.Best())
}

func newBoxTree(n norm.Norm, vectors []float32, ops kernel.Ops) (*BoxTree, error) {
	count, err := checkVectors(n, vectors)
	if err != nil {
		return nil, err
	}
	t := shapeBoxTree(n, vectors, count, memory{fresh: true}, ops)
	arrange(t.positions, n, vectors, ops)
	if count > 0 {
		t.build()
	}
	return t, nil
}

// OpenBoxTree returns the tree over vectors, [n, dim] row-major, that
// [BoxTree.WriteTo] wrote as data, without building it. It keeps both. The
// error is [ErrTree] if data has the wrong form. [BoxTree.Check] looks at the
// content.
func OpenBoxTree(n norm.Norm, vectors []float32, data []byte) (*BoxTree, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	t := shapeBoxTree(n, vectors, len(vectors)/n.Dim(), memory{rest: data}, kernel.Best())
	return t, t.whole()
}

// shapeBoxTree returns a tree whose arrays are taken from memory.
func shapeBoxTree(n norm.Norm, vectors []float32, count int, m memory, ops kernel.Ops) *BoxTree {
	t := &BoxTree{
		ops: ops, norm: n, kernel: kernelNorm(n), box: boxNorm(n),
		n: count, dim: n.Dim(), vectors: vectors, memory: m,
	}
	t.positions = take[int32](&t.memory, count)
	if count == 0 {
		return t
	}
	boxes := (count + cellVectors - 1) / cellVectors
	t.cells = newCoded(&t.memory, boxes, cellVectors, t.dim, frameCells)
	for {
		nodes := (boxes + nodeBoxes - 1) / nodeBoxes
		t.levels = append(t.levels, level{
			nodes: boxes, boxes: newCoded(&t.memory, nodes, nodeBoxes, t.box.Dim(), 1),
			first: take[int32](&t.memory, boxes),
		})
		if nodes == 1 {
			return t
		}
		boxes = nodes
	}
}

// vector returns the vector at a position.
func (t *BoxTree) vector(position int32) []float32 {
	at := int(position) * t.dim
	return t.vectors[at : at+t.dim : at+t.dim]
}

// Norm returns the distance.
func (t *BoxTree) Norm() norm.Norm { return t.norm }

// Len returns the number of vectors.
func (t *BoxTree) Len() int { return t.n }

// KNN returns the k nearest vectors of each query.
func (t *BoxTree) KNN(ctx context.Context, queries []Query, k int) ([]Result, error) {
	return t.each(ctx, queries, func(q Query) *collector { return newNearest(q, &t.kernel, k, t.n) })
}

// Range returns the vectors within theta of each query.
func (t *BoxTree) Range(ctx context.Context, queries []Query, theta float64) ([]Result, error) {
	if err := checkTheta(theta); err != nil {
		return nil, err
	}
	return t.each(ctx, queries, func(q Query) *collector { return newRange(q, &t.kernel, theta) })
}

func (t *BoxTree) each(ctx context.Context, queries []Query, collect func(Query) *collector) ([]Result, error) {
	if err := checkQueries(queries, t.dim); err != nil {
		return nil, err
	}
	results := make([]Result, len(queries))
	w := newWalk(t)
	for i, q := range queries {
		w.collector = collect(q)
		if err := w.run(ctx); err != nil {
			return nil, err
		}
		results[i] = w.collector.result()
	}
	return results, ctx.Err()
}
