package train

import (
	"math"

	"github.com/greedgraph/greed/edit"
)

// Near says how pairs that are near to each other count in the loss. People search near, but
// random pairs are far, so a mean over all pairs says little about searches.
//
// A search within a radius asks whether the prediction is at most the radius. Where all distances
// are multiples of a step, any prediction above d − step and not above d answers that right for
// every radius of such a multiple. So the loss is content with predictions of the nearest pairs, those
// at one step, in this interval. Wider intervals for pairs at a few steps gain little more and cost
// accuracy (docs/tried-learning.md), and none can have its upper end below d for all: by the triangle
// inequality ten edits in a row, each predicted below 1, are predicted below 10 together.
type Near struct {
	weight float64 // added to that of the nearest pairs; all others weigh 1
	step   float64 // that all distances are multiples of; 0: there is none
	unit   float64 // the least cost above 0
}

// nearSlack is the part of a step by which predictions of the nearest pairs may be too low.
const nearSlack = 0.8

// NewNear returns how pairs count under these costs. The weight is that of [Options].Near.
func NewNear(costs edit.Costs, weight float64) Near {
	n := Near{weight: weight}
	list := costs.Values()
	unit := edit.UnitOf(list, 1)
	divisor := 0
	for _, c := range list {
		if c > 0 && (n.unit == 0 || c < n.unit) {
			n.unit = c
		}
		divisor = gcd(divisor, unit.Count(c))
	}
	if unit.Exact() && !costs.Measured() {
		n.step = unit.Cost(float64(divisor))
	}
	return n
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Goal returns what the loss wants of the prediction ŷ of a pair with these bounds,
// low ≤ ŷ ≤ high, and the weight of the square of what is missing.
func (n Near) Goal(lower, upper float32) (low, high, weight float32) {
	if n.weight == 0 || n.unit == 0 {
		return lower, upper, 1
	}
	d := math.Max(1, float64(lower+upper)/2/n.unit)
	weight = float32(1 + n.weight/(d*d))
	low, high = lower, upper
	if lower == upper && lower == float32(n.step) {
		low -= float32(nearSlack * n.step)
	}
	return low, high, weight
}
