package ged

import "slices"

// dive looks for a good node map below the state at depth k. In rounds, it decides the
// rows that the linear program is most sure of and solves what is left roughly. It needs
// no bounds, so it costs far less than the search down to a leaf. It ends early once the program says,
// twice in a row, that the best map earns more by an edge. It takes what its steps cost from diving.
func (g *strongSearch) dive(k int) {
	d, l := &g.below, &g.programBelow
	if !g.linear || !g.duals[k].copyTo(d, g.p.clock) || !l.shrink(g.program(k), d, &g.ascent) {
		return
	}
	doubt := diveDoubt
	if k == 0 {
		doubt = rootDoubt
	}
	for lost := 0; !g.budget.spent(); {
		if lost++; float64(d.fixed)+l.value() >= float64(g.bestProfit)*grain-l.scale {
			lost = 0
		}
		l.round(d, &g.rounded, &g.ascent.assign)
		g.price(&g.rounded)
		if lost == 2 || len(l.pairs) == 0 || !g.decideSure(d, l, doubt) || !l.shrink(l, d, &g.ascent) {
			break
		}
		l.steps(diveSteps, &g.ascent)
		g.diving -= diveSteps*l.work() + 40*(len(l.pairs)+l.constraints())
	}
	g.climbOff()
	g.wander.polish(diveWalk)
}

const (
	diveSteps = 20 // steps after each round of a dive
	diveWalk  = 30 // rounds of wandering from its last map

	// The doubts of the rows that a round decides add up to at most so much. The root has one dive alone.
	diveDoubt = 0.7
	rootDoubt = 0.25
)

// decideSure decides the row that the program l is most sure of, whose x is the greatest, and others
// while their doubts, 1 - x, add up to no more than most. It reports whether any was left to be decided.
func (g *strongSearch) decideSure(d *dual, l *linear, most float64) bool {
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
	sum := 0.0
	for i, a := range g.order {
		top := &doubt[a]
		if sum += max(0, 1-float64(top.top)); i > 0 && sum > most {
			break
		}
		if !excluded(d.profit[int(a)*d.m+top.col]) {
			g.decide(d, int(a), top.col)
		}
	}
	return len(g.order) > 0
}
