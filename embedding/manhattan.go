package embedding

import (
	"fmt"

	"github.com/greedgraph/greed/norm"
)

// Manhattan returns the vectors with one more coordinate each, [n, dim+1], by which a hinge
// of ℓ1 becomes a Manhattan distance, for databases that know no hinge. With the constant c
// that it returns, the distance from q to x is
//
//	Σ max(0, q−x) = ½(‖(q, 0) − (x, c−Σx)‖₁ + Σq − c)
//
// because |d| = 2·max(0, d) − d, and c ≥ Σx for every x. All but rounding in float32 is
// exact, and the order of the nearest is the same. Other norms are an error.
func (s *Set) Manhattan() (rows []float32, c float64, err error) {
	n := s.Norm
	if n.Kind != norm.L1 || !n.Hinge || n.Combine != norm.Sum && len(n.Widths) > 1 {
		return nil, 0, fmt.Errorf("embedding: the distance %v is not a hinge of l1 summed over blocks, the only one "+
			"that "+
			"becomes a Manhattan distance with one more coordinate", n)
	}
	sums := make([]float64, s.Len())
	for i := range sums {
		for _, x := range s.Vector(i) {
			sums[i] += float64(x)
		}
		if i == 0 || sums[i] > c {
			c = sums[i]
		}
	}
	rows = make([]float32, 0, len(s.Vectors)+len(sums))
	for i, sum := range sums {
		rows = append(append(rows, s.Vector(i)...), float32(c-sum))
	}
	return rows, c, nil
}
