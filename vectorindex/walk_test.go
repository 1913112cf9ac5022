package vectorindex

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/norm"
)

// TestRangeJustBelowBounds asks for radii between the bound of a box and what
// the kernel's rounding leaves open: such a box is queued although nothing in it
// can be an answer, and those behind it on the stack may still hold some.
func TestRangeJustBelowBounds(t *testing.T) {
	const dim, count = 8, 6000
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(rng.NormFloat64())
		}
		return x
	}
	vectors := random(count * dim)
	for _, hinge := range []bool{false, true} {
		n := norm.Single(norm.L1, dim, hinge)
		tree, err := NewBoxTree(n, vectors)
		if err != nil {
			t.Fatal(err)
		}
		flat, err := NewFlat(n, vectors)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			q := []Query{{Vector: random(dim)}}
			for _, bound := range tree.bounds(q[0].Vector) {
				theta := math.Nextafter(bound, 0)
				if theta <= 0 {
					continue
				}
				want, err := flat.Range(t.Context(), q, theta)
				if err != nil {
					t.Fatal(err)
				}
				got, err := tree.Range(t.Context(), q, theta)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got[0].Hits, want[0].Hits) {
					t.Fatalf("hinge %v, theta %v: %d answers, want %d", hinge, theta, len(got[0].Hits), len(want[0].Hits))
				}
			}
		}
	}
}

// bounds returns the bounds of the boxes of all levels.
func (t *BoxTree) bounds(q []float32) []float64 {
	var all []float64
	box := t.appendBox(nil, q)
	var screened [nodeBoxes]float32
	for _, l := range t.levels {
		for node := 0; node*nodeBoxes < l.nodes; node++ {
			codes, slack := l.boxes.group(node)
			t.ops.ScreenCodes(screened[:], box, &codes, &t.box)
			for _, b := range screened[:min(nodeBoxes, l.nodes-node*nodeBoxes)] {
				all = append(all, t.box.Below(b)-slack)
			}
		}
	}
	return all
}
