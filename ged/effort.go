package ged

// effort says how long the bound of a state is improved: in blocks of steps, until
// several blocks in a row were idle. A block is idle if it closes less than
// 1/worthwhile of the gap between bound and goal.
type effort struct {
	steps, patience, worthwhile int
}

// The root gets more, since every state below it starts from its program. Others go on
// only while a block closes a sixth of the gap.
var (
	rootEffort  = effort{80, 3, 40}
	childEffort = effort{80, 1, 6}
)

// maxBlocks is the greatest number of blocks at one state.
const maxBlocks = 100

// improve lowers the bound of the state at depth k until so many blocks in a row were
// idle as the effort allows. It reports whether the state can still reach the goal, and
// whether the search has to stop.
func (g *strongSearch) improve(k int, e effort) (open, stopped bool) {
	d := g.duals[k]
	if !g.budget.pay(1) {
		return true, true
	}
	for block, idle := 0, 0; idle < e.patience && block < maxBlocks; block++ {
		before := d.best
		hopeless := false
		if g.linear {
			l := g.program(k)
			if !l.shrink(l, d, &g.ascent) {
				return true, true
			}
			l.steps(e.steps, &g.ascent)
			l.share(d)
			g.owed += e.steps*l.work() + 40*(len(l.pairs)+l.constraints())
			g.ascent.touchAll()
			hopeless = block < maxHopeless && float64(d.fixed)+l.value() < float64(g.need())
		}
		if !g.tighten(k, false) || !g.propagate(d) {
			return false, false
		}
		if g.budget.spent() {
			return true, true
		}
		if block == 0 {
			g.climbOff()
		}
		if g.linear && (k == 0 || block == 0) {
			g.program(k).round(d, &g.rounded, &g.ascent.assign)
			g.price(&g.rounded)
			if k == 0 {
				g.climbOff()
			}
		}
		if !g.ascent.sweep(d, g.need(), block%2 == 0) || !g.tighten(k, g.linear) {
			return false, false
		}
		if k == 0 {
			g.bound = min(g.bound, d.best/grain)
			g.localSearch(0, true)
		}
		// The program predicts whether more steps will prune the state.
		idle++
		if hopeless || (before-d.best)*e.worthwhile > d.best-g.need() {
			idle = 0
		}
	}
	return true, g.budget.Ended()
}

// maxHopeless is the number of blocks that the state gets for which the program
// predicts that its bound will fall below the goal.
const maxHopeless = 8

// tighten solves the assignment problem at depth k for its current shares and reports
// whether the state can still reach the goal. If time ends first, d.best stays. With trees, it
// excludes by [ascent.eliminateByTree], too.
func (g *strongSearch) tighten(k int, trees bool) bool {
	d := g.duals[k]
	if !g.ascent.flush(d) {
		return true
	}
	if !g.ascent.assign.solve(&d.level, g.need()) {
		return false
	}
	d.best = min(d.best, d.bound)
	g.price(&d.level)
	if d.best < g.need() {
		return false
	}
	g.ascent.eliminate(d, g.need())
	if trees {
		g.ascent.eliminateByTree(d, g.need())
	}
	if g.linear {
		g.ascent.eliminatePairs(d, g.program(k), g.need())
	}
	return true
}
