package screen

import "github.com/greedgraph/greed/edit"

// floor holds the least costs of the edits of one kind of element, in units: sums of them and
// of halves are exact.
type floor struct{ insert, delete, substitute float64 }

func floorOf(u edit.Unit, ins, del, sub float64, table *edit.Table) floor {
	if table != nil {
		ins, del, _, sub = table.Least()
	}
	return floor{u.Counted(ins), u.Counted(del), u.Counted(sub)}
}

// least returns the least cost of d deletions, i insertions and s substitutions
// with
//
//	d ≥ lost, i ≥ won, d + s ≥ over, i + s ≥ under,
//
// which grows with each of the four. It is convex and piecewise linear in s, so it
// is least where s is 0 or one of the two conditions on sums gives way to the one
// before it.
func (f *floor) least(lost, won, over, under int) float64 {
	cost := func(s int) float64 {
		s = max(0, s)
		return times(max(lost, over-s), f.delete) + times(max(won, under-s), f.insert) + times(s, f.substitute)
	}
	return min(cost(0), cost(over-lost), cost(under-won))
}

// times returns count·cost, and 0 for no edits, whatever they would cost.
func times(count int, cost float64) float64 {
	if count == 0 {
		return 0
	}
	return float64(count) * cost
}
