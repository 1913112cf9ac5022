package pivottree

import "github.com/greedgraph/greed/internal/kernel"

// ruler computes exact distances to vectors at any positions, by the kernels that
// the other indexes use, so that a comparison is of the indexes alone.
type ruler struct {
	tree      *Tree
	rows      []float32 // [dim, 16]
	distances [kernel.Lane]float64
}

func (t *Tree) newRuler() *ruler {
	return &ruler{tree: t, rows: make([]float32, kernel.Lane*t.dim)}
}

// measure returns the distances from q to at most 16 vectors, until the next
// call.
func (r *ruler) measure(q []float32, positions []int32) []float64 {
	for l, p := range positions {
		for i, x := range r.tree.vector(p) {
			r.rows[i*kernel.Lane+l] = x
		}
	}
	r.tree.ops.Exact(r.distances[:], q, r.rows, &r.tree.kernel)
	return r.distances[:len(positions)]
}
