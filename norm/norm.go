// Package norm describes the distance of a model between two vectors, so that
// models, indexes and foreign stores compute the same one: a norm of z_q − z_t
// (graph edit distance) or of max(0, z_q − z_t) (subgraph edit distance), put
// together from blocks of coordinates.
package norm

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Kind is the norm of one block.
type Kind string

// The norms of a block.
const (
	L1 Kind = "l1"
	L2 Kind = "l2"
)

// Combine names how the norms of the blocks are combined.
type Combine string

// The ways to combine blocks: ℓ1 and ℓ∞ over the norms of the blocks.
const (
	Sum Combine = "sum"
	Max Combine = "max"
)

// MaxBlock is the greatest width of a block.
const MaxBlock = 100

// Norm is a norm over blocks of consecutive coordinates. With Hinge the norm
// is taken of max(0, q − x): not symmetric, zero where x dominates q, and
// still obeying the triangle inequality, because every kind of block norm and
// combination is monotone on the non-negative orthant. Without Hinge it is a
// metric on vectors.
type Norm struct {
	Widths  []int   `json:"widths"`
	Kind    Kind    `json:"kind"`
	Combine Combine `json:"combine"`
	Hinge   bool    `json:"hinge"`
}

// Single returns the norm with one block of the given width.
func Single(kind Kind, width int, hinge bool) Norm {
	return Norm{Widths: []int{width}, Kind: kind, Combine: Sum, Hinge: hinge}
}

// Blocks returns the norm with count blocks of the same width.
func Blocks(kind Kind, combine Combine, width, count int, hinge bool) Norm {
	return Norm{Widths: slices.Repeat([]int{width}, count), Kind: kind, Combine: combine, Hinge: hinge}
}

// String names the norm as KIND, or as KIND:COMBINE:WIDTHxBLOCKS where there are
// several blocks, WIDTHxBLOCKS once for every change of width.
func (n Norm) String() string {
	if len(n.Widths) == 1 {
		return string(n.Kind)
	}
	var parts []string
	for i := 0; i < len(n.Widths); {
		from, w := i, n.Widths[i]
		for i < len(n.Widths) && n.Widths[i] == w {
			i++
		}
		parts = append(parts, fmt.Sprintf("%dx%d", w, i-from))
	}
	return fmt.Sprintf("%s:%s:%s", n.Kind, n.Combine, strings.Join(parts, ","))
}

// Dim returns the number of coordinates.
func (n Norm) Dim() int {
	d := 0
	for _, w := range n.Widths {
		d += w
	}
	return d
}

// Check returns an error unless the description is one that this package
// computes.
func (n Norm) Check() error {
	if len(n.Widths) == 0 {
		return errors.New("norm: no blocks")
	}
	for _, w := range n.Widths {
		if w < 1 || w > MaxBlock {
			return fmt.Errorf("norm: block of width %d, want 1 to %d", w, MaxBlock)
		}
	}
	if n.Kind != L1 && n.Kind != L2 {
		return fmt.Errorf("norm: unknown kind %q, want l1 or l2", n.Kind)
	}
	if n.Combine != Sum && n.Combine != Max {
		return fmt.Errorf("norm: unknown combination %q, want sum or max", n.Combine)
	}
	return nil
}

// Equal reports whether both describe the same function.
func (n Norm) Equal(o Norm) bool {
	return n.Kind == o.Kind && n.Combine == o.Combine && n.Hinge == o.Hinge && slices.Equal(n.Widths, o.Widths)
}

// Distance returns the distance from q to x, both [n.Dim()]. Differences are
// taken in float32 and added up in float64, coordinate by coordinate, so the
// result is the reference for every faster kernel. It panics if the lengths
// differ from the norm's.
func (n Norm) Distance(q, x []float32) float64 {
	if len(q) != n.Dim() || len(x) != n.Dim() {
		panic(fmt.Sprintf("norm: vectors of %d and %d coordinates, want %d", len(q), len(x), n.Dim()))
	}
	total := 0.0
	at := 0
	for _, w := range n.Widths {
		b := n.block(q[at:at+w], x[at:at+w])
		if n.Combine == Max {
			total = math.Max(total, b)
		} else {
			total += b
		}
		at += w
	}
	return total
}

func (n Norm) block(q, x []float32) float64 {
	sum := 0.0
	for i, a := range q {
		d := float64(a - x[i])
		if n.Hinge {
			d = math.Max(0, d)
		}
		if n.Kind == L2 {
			sum += d * d
		} else {
			sum += math.Abs(d)
		}
	}
	if n.Kind == L2 {
		return math.Sqrt(sum)
	}
	return sum
}
