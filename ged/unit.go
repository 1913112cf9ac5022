package ged

import (
	"math"
	"math/bits"
)

// unit is the unit in which all sums of costs are counted. If it is exact, every cost is a
// multiple of it. Otherwise it is a power of two, and costs are rounded down: so the count
// of a node map is never above its cost, less than one unit below for every edit, and a
// lower bound of counts is one of costs as it stands.
type unit struct {
	perOne float64
	exact  bool
}

// countBits bounds sums of counts: refined into grains they are still far from forbidden
// pairs.
const countBits = 50

// commonUnit returns the largest of some convenient units that divides every cost, or
// else the finest in which so many costs can be added.
func commonUnit(costs []float64, addends int) unit {
	largest := 0.0
	for _, x := range costs {
		largest = max(largest, x)
	}
	for _, perOne := range []float64{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 32, 64, 100, 128, 256, 1000, 1024, 1e4, 1e5, 1e6} {
		if largest*perOne < 1<<30 && allIntegers(costs, perOne) {
			return unit{perOne, true}
		}
	}
	_, exponent := math.Frexp(largest)
	return unit{math.Ldexp(1, countBits-bits.Len(uint(addends))-exponent), false}
}

// allIntegers reports whether all costs are integers in the unit, allowing for the
// rounding of decimal fractions to binary ones.
func allIntegers(costs []float64, perOne float64) bool {
	for _, x := range costs {
		y := x * perOne
		if math.Abs(y-math.Round(y)) > 1e-12*y {
			return false
		}
	}
	return true
}

// count returns a cost in units.
func (u unit) count(cost float64) int {
	if u.exact {
		return int(math.Round(cost * u.perOne))
	}
	return int(cost * u.perOne)
}

// most returns the greatest count of the node maps that may cost at most cost, or less
// than cost if strict; limits that no distance reaches count as one that none reaches. What
// decimal fractions lose in binary is allowed for.
func (u unit) most(cost float64, strict bool) int {
	x := cost * u.perOne
	switch {
	case !strict:
		x = math.Floor(x + tolerance*max(0, x))
	case u.exact:
		x = math.Ceil(x-tolerance*x) - 1
	default:
		x = math.Ceil(x) - 1
	}
	return int(max(-1, min(x, 1<<countBits)))
}

// tolerance is the relative difference of sums that are taken as equal, since they may
// have been added in another order.
const tolerance = 1e-12
