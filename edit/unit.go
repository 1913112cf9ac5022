package edit

import (
	"math"
	"math/bits"
	"slices"
)

// Unit is what all sums of costs are counted in, wherever bounds are computed. If it is
// exact, every cost is a multiple of it. Otherwise it is a power of two, and costs are
// rounded down: so the count of a node map is never above its cost, less than one unit
// below for every edit, and a lower bound of counts is one of costs as it stands.
//
// Equal counts are equal costs, to the last bit, whoever has counted: so bounds of
// different origin are compared as they are.
type Unit struct {
	perOne float64
	exact  bool
}

// MostElements is the number of nodes and edges of two graphs up to which sums of costs, and
// of halves of them, are exact in float64, whatever the costs.
const MostElements = 1 << 20

const (
	// countBits bounds sums of counts: halves and refined ones still are integers of float64
	// or far from the limits of int.
	countBits = 50
	// mostPerOne is the finest exact unit, and mostCount the greatest count of a cost in one.
	mostPerOne = 1e6
	mostCount  = 1 << 30
	// decimal is the relative error of costs that decimal fractions, and sums of some,
	// have in binary. No unit as coarse as an exact one is so near to numbers that it does
	// not divide.
	decimal = 1e-15
	// tolerance is the relative difference of distances that are taken as equal, since
	// they may have been added in another order.
	tolerance = 1e-12
)

// UnitOf returns the largest unit that divides every cost or, if that is too small, the
// finest in which so many costs can be added.
func UnitOf(costs []float64, addends int) Unit {
	largest, perOne, exact := 0.0, 1.0, true
	for _, x := range costs {
		largest = max(largest, x)
		if exact {
			perOne *= denominator(x * perOne)
			exact = perOne <= mostPerOne
		}
	}
	if exact && largest*perOne < mostCount {
		return Unit{perOne, true}
	}
	return rounding(largest, addends)
}

// rounding returns the finest unit in which so many costs up to the largest can be added.
func rounding(largest float64, addends int) Unit {
	_, exponent := math.Frexp(largest)
	return Unit{math.Ldexp(1, countBits-bits.Len(uint(addends))-exponent), false}
}

// denominator returns the least denominator, by continued fractions, of a number that is
// as good as x, or a number above mostPerOne.
func denominator(x float64) float64 {
	before, now, rest := 0.0, 1.0, x
	for now <= mostPerOne {
		if y := x * now; math.Abs(y-math.Round(y)) <= decimal*y {
			break
		}
		rest = 1 / (rest - math.Floor(rest))
		before, now = now, math.Floor(rest)*now+before
	}
	return now
}

// Unit returns the unit of the costs of p, whatever the labels, of which so
// many are added at most.
func (p *Pricing) Unit(addends int) Unit {
	c := p.costs
	if p.task == SED {
		c.NodeInsert, c.EdgeInsert = 0, 0
	}
	values := c.Values()
	if c.Measured() { // what parts of labels cost besides is known of pairs alone
		return rounding(slices.Max(values), addends)
	}
	return UnitOf(values, addends)
}

// Exact reports whether every cost is a multiple of the unit.
func (u Unit) Exact() bool { return u.exact }

// PerOne returns the number of units in a cost of 1.
func (u Unit) PerOne() float64 { return u.perOne }

// Count returns a cost in units.
func (u Unit) Count(cost float64) int {
	if u.exact {
		return int(math.Round(cost * u.perOne))
	}
	return int(cost * u.perOne)
}

// Counted is Count for sums of counts and halves of them, which float64 has exactly.
func (u Unit) Counted(cost float64) float64 {
	if math.IsInf(cost, 1) {
		return cost
	}
	return float64(u.Count(cost))
}

// Cost returns the cost of a count.
func (u Unit) Cost(count float64) float64 { return count / u.perOne }

// Most returns the greatest cost of so many edits that are counted as so much.
func (u Unit) Most(count float64, edits int) float64 {
	if !u.exact {
		count += float64(edits)
	}
	return u.Cost(count)
}

// Sum returns a sum of costs that was added in any order as [Unit.Cost] gives it.
func (u Unit) Sum(cost float64) float64 {
	if !u.exact {
		return cost
	}
	return u.Cost(math.Round(cost * u.perOne))
}

// Within returns the greatest count of node maps that may cost at most so much; limits that
// no distance reaches count as one that none reaches.
func (u Unit) Within(cost float64) int {
	return u.limit(math.Floor(Within(cost) * u.perOne))
}

// Below returns the greatest count of node maps that may cost less than so much.
func (u Unit) Below(cost float64) int {
	x := cost * u.perOne
	if u.exact {
		x -= tolerance * x
	}
	return u.limit(math.Ceil(x) - 1)
}

func (u Unit) limit(count float64) int { return int(max(-1, min(count, 1<<countBits))) }

// Above returns the least cost that is not within one.
func (u Unit) Above(cost float64) float64 {
	if math.IsInf(cost, 1) {
		return cost
	}
	return u.Cost(float64(u.Within(cost) + 1))
}

// Within returns the greatest distance that counts as at most the given one: sums of costs
// such as 0.1 depend on their order.
func Within(distance float64) float64 { return distance + tolerance*max(0, distance) }
