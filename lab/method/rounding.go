package method

import (
	"math"

	"github.com/greedgraph/greed/edit"
)

// rounding says how exact sums of edit costs are.
type rounding struct {
	integral bool // every cost, and so every distance, is an integer
	exact    bool // sums and halves of costs are free of rounding
}

// slack is the relative error allowed to a sum that rounds: far above that of
// thousands of additions in float64, far below any difference that matters.
const slack = 1e-11

// roundingOf looks at all costs. Multiples of 2⁻¹⁰ below 2²⁰ leave room for
// sums of millions of them in the 53 bits of a float64.
func roundingOf(c edit.Costs) rounding {
	r := rounding{integral: !c.Measured(), exact: !c.Measured()}
	for _, x := range c.Values() {
		r.integral = r.integral && x == math.Trunc(x) && x < 1<<20
		r.exact = r.exact && x*1024 == math.Trunc(x*1024) && x < 1<<20
	}
	return r
}

// Lower turns a computed lower bound into a proven one. Where distances are integers it
// rounds up; otherwise it subtracts what rounding may have added.
func (r rounding) Lower(x float64) float64 {
	switch {
	case r.integral:
		return math.Max(0, math.Ceil(x))
	case r.exact:
		return math.Max(0, x)
	}
	return math.Max(0, x-slack*(1+math.Abs(x)))
}

// Tolerance returns how far rounding alone may move x.
func (r rounding) Tolerance(x float64) float64 {
	if r.exact {
		return 0
	}
	return 2 * slack * (1 + math.Abs(x))
}
