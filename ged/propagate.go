package ged

// propagate excludes pairs that leave no place for a row or a column that must be
// matched: if only one pair is left for it, all others with the same partner go. It
// reports whether the state can still reach the goal.
//
// A row must be matched if mapping never loses profit, and any row or column if leaving
// it out costs more than the bound has to spare.
func (g *strongSearch) propagate(d *dual) bool {
	spare := d.bound - g.need()
	for again := true; again; {
		again = false
		for a := range d.n {
			if !g.p.full && d.u[a] <= spare {
				continue
			}
			b, left := d.inRow(a)
			switch left {
			case 0:
				return false
			case 1:
				again = g.ascent.fix(d, a, b) || again
			}
		}
		for b := range d.m {
			if d.v[b] <= spare {
				continue
			}
			a, left := d.inCol(b)
			switch left {
			case 0:
				return false
			case 1:
				again = g.ascent.fix(d, a, b) || again
			}
		}
		if g.p.clock.Spend(2 * d.n * d.m) {
			return true
		}
	}
	return true
}

// inRow returns the last column that is left for row a, and how many there are.
func (d *dual) inRow(a int) (col, left int) { return lastLeft(d.profit[a*d.m:a*d.m+d.m], 1) }

// inCol returns the last row that is left for column b, and how many there are.
func (d *dual) inCol(b int) (row, left int) { return lastLeft(d.profit[b:], d.m) }

// lastLeft counts the profits, step apart, that are not excluded, and finds the last. It does without
// branches, which would be mispredicted often.
func lastLeft(profit []int, step int) (last, left int) {
	for at, i := 0, 0; at < len(profit); at, i = at+step, i+1 {
		open := int(uint(forbidden/2-1-profit[at]) >> 63) // 1 unless excluded
		last += (i - last) & -open
		left += open
	}
	return last, left
}
