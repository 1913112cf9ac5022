package ged

import "slices"

// dive looks for a good node map below the state at depth k. In rounds, it decides the
// rows that the linear program is most sure of and solves what is left roughly. It needs
// no bounds, so it costs far less than the search down to a leaf. It takes what its steps
// cost from diving.
func (g *strongSearch) dive(k int) {
	d, l := &g.below, &g.programBelow
	if !g.linear || !g.duals[k].copyTo(d, g.p.clock) || !l.shrink(g.program(k), d, &g.ascent) {
		return
	}
	for !g.budget.spent() {
		l.round(d, &g.rounded, &g.ascent.assign)
		g.price(&g.rounded)
		if len(l.pairs) == 0 || !g.decideSure(d, l) || !l.shrink(l, d, &g.ascent) {
			break
		}
		l.steps(diveSteps, &g.ascent)
		g.diving -= diveSteps*l.work() + 40*(len(l.pairs)+len(l.point.Dual))
	}
	g.climbOff()
}

const (
	diveSteps  = 20  // steps after each round of a dive
	diveRounds = 20  // at least one row in so many is decided in a round
	sure       = 0.8 // the x from which a row is decided in any case
)

// decideSure decides the rows that the program l is most sure of. It reports
// whether any was left to be decided.
func (g *strongSearch) decideSure(d *dual, l *linear) bool {
	doubt := g.doubts(d, l)
	g.order = g.order[:0]
	for a := range d.n {
		if d.decided[a] < 0 && doubt[a].top > 0 {
			g.order = append(g.order, int32(a))
		}
	}
	slices.SortStableFunc(g.order, func(a, b int32) int {
		switch x, y := doubt[a].top, doubt[b].top; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	for i, a := range g.order {
		top := &doubt[a]
		if i > d.n/diveRounds && top.top < sure {
			break
		}
		if !excluded(d.profit[int(a)*d.m+top.col]) {
			g.decide(d, int(a), top.col)
		}
	}
	return len(g.order) > 0
}
