package vectorindex

import (
	"github.com/greedgraph/greed/internal/kernel"
)

// ruler computes exact distances to vectors that lie here and there in
// vectors, [n, dim].
type ruler struct {
	ops       kernel.Ops
	norm      *kernel.Norm
	dim       int
	vectors   []float32
	rows      []float32 // [dim, 16]
	distances [kernel.Lane]float64
}

func newRuler(ops kernel.Ops, n *kernel.Norm, dim int, vectors []float32) ruler {
	return ruler{ops: ops, norm: n, dim: dim, vectors: vectors, rows: make([]float32, kernel.Lane*dim)}
}

func (r *ruler) vector(position int32) []float32 {
	at := int(position) * r.dim
	return r.vectors[at : at+r.dim : at+r.dim]
}

// measure returns the distances from q to at most 16 vectors, until the next
// call.
func (r *ruler) measure(q []float32, positions []int32) []float64 {
	for l, p := range positions {
		to := r.rows[l:]
		for i, x := range r.vector(p) {
			to[i*kernel.Lane] = x
		}
	}
	r.ops.Exact(r.distances[:], q, r.rows, r.norm)
	return r.distances[:len(positions)]
}
