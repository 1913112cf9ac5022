package ged

import "math"

// unit is the unit in which the search counts costs: a cost c is the integer
// round(c·perOne). If exact, rounding loses nothing.
type unit struct {
	perOne float64
	exact  bool
}

// roundedBits is the precision of the largest cost where costs have no common
// unit. Sums of 2¹⁴ of them, doubled and refined, still fit 63 bits.
const roundedBits = 36

// commonUnit returns the largest of some convenient units that divides every cost, or
// else a fine one, to which costs are rounded.
func commonUnit(costs []float64) unit {
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
	return unit{math.Ldexp(1, roundedBits-exponent), false}
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

func (u unit) count(cost float64) int { return int(math.Round(cost * u.perOne)) }
