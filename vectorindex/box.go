package vectorindex

import (
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/norm"
)

// The distance from q to a box [lo, hi] is a hinge norm. Under a hinge it is
// that of q − hi. Without one it is that of max(q − hi, lo − q), and because
// one of the two is never positive, also that of both side by side: of (q, −q)
// against (hi, −lo), block by block. So a box is kept as a vector, (hi, −lo)
// or hi alone, and the kernels for vectors serve.

// boxNorm returns the norm of the coordinates of boxes.
func boxNorm(n norm.Norm) kernel.Norm {
	k := kernelNorm(n)
	if n.Hinge {
		return k
	}
	k.Hinge = true
	k.Widths = make([]int, len(n.Widths))
	for i, w := range n.Widths {
		k.Widths[i] = 2 * w
	}
	return k
}

// appendBox appends the coordinates that a vector has among those of boxes.
func (t *BoxTree) appendBox(dst, x []float32) []float32 {
	if t.norm.Hinge {
		return append(dst, x...)
	}
	for _, w := range t.norm.Widths {
		dst = append(dst, x[:w]...)
		for _, x := range x[:w] {
			dst = append(dst, -x)
		}
		x = x[w:]
	}
	return dst
}

// widen makes a box hold another, or a vector.
func widen(box, inner []float32) {
	for i, x := range inner {
		box[i] = max(box[i], x)
	}
}
