package ged

import "math"

// strongSearch is a depth-first branch and bound on the strong bound, for the
// pairs that the plain one does not settle quickly.
type strongSearch struct {
	s      *search
	x      relaxation
	ascent ascent
	duals  []*dual
}

// How long the bound of a state is improved: in blocks of steps, until as many
// blocks in a row as patience says have each brought less than a worthwhile
// part of what is missing.
const (
	blockSteps    = 9
	maxBlocks     = 100
	rootPatience  = 6
	childPatience = 1
	worthwhile    = 12
)

// run searches what l, the first state of the plain search, leaves open.
func (g *strongSearch) run(s *search, l *level) {
	g.s = s
	if len(g.duals) == 0 {
		g.duals = append(g.duals, new(dual))
	}
	d := g.duals[0]
	if !g.x.setup(s.p, l, d) {
		s.stopped = true
		return
	}
	if s.p.full && g.x.n < l.n {
		return
	}
	g.ascent.setup(&g.x, s.p.clock)
	g.ascent.touchAll(d)
	s.wander(firstWalk)
	open, stopped := g.improve(d, rootPatience)
	if stopped {
		g.stop(0)
		return
	}
	if !open {
		return
	}
	s.bound = min(s.bound, d.best/grain)
	s.wander(secondWalk)
	if g.large() {
		s.wanderOn(s.p.row.n * s.p.row.n / 2)
	}
	g.deepen()
}

// deepen searches below the root for ever lower profits, so that the bound
// falls step by step: the effort of a step grows with the distance between goal
// and bound of the root, and most of it is that of the last. A wide gap, of
// costs with a fine unit, is halved once and then closed in one step: there the
// steps before the last are not cheap.
func (g *strongSearch) deepen() {
	s := g.s
	lim := s.limits
	defer func() { s.limits = lim }()
	for halved := false; ; halved = true {
		worst := max(s.bestProfit, lim.atLeast-1)
		if s.bestProfit >= lim.enough || s.bound <= worst {
			return
		}
		goal := s.bound
		if gap := s.bound - worst; gap > narrowGap && !halved {
			goal -= gap / 2
		} else if gap > narrowGap || lim.enough != math.MaxInt {
			goal = worst + 1
		}
		s.limits = limits{goal, min(lim.enough, s.bound)}
		s.goal = goal
		if g.descend() {
			return
		}
		s.bound = max(s.bestProfit, goal-1)
	}
}

// narrowGap is the gap that deepen closes unit by unit.
const narrowGap = 6

// descend searches all of the root for the current goal and reports whether it
// was stopped.
func (g *strongSearch) descend() (stopped bool) {
	if len(g.duals) == 1 {
		g.duals = append(g.duals, new(dual))
	}
	if !g.duals[0].copyTo(g.duals[1], g.s.p.clock) {
		return g.stop(0)
	}
	return g.visit(1)
}

// How many rounds of local search go before the bound of the root, and how many
// before branching; and from how many rows on it goes on, until it has been idle for
// long, and then beside the search, since that seldom comes to better maps.
const (
	firstWalk  = 20
	secondWalk = 200
	largeRows  = 32
)

func (g *strongSearch) large() bool { return g.s.p.row.n >= largeRows }

// fits reports whether the strong search of p has the memory it needs, and the time
// to set it up.
func (g *strongSearch) fits(p *problem, b *budget) bool {
	need := strongBytes(p)
	return need <= b.memory/4 && b.Affords(need)
}

// strongBytes bounds the memory that one state of the strong search takes.
func strongBytes(p *problem) int64 {
	return 8 * (int64(len(p.row.arcs))*int64(len(p.col.arcs)) + int64(p.row.n)*int64(p.col.n))
}

func (g *strongSearch) need() int { return g.s.goal * grain }

// visit searches the state at depth k and reports whether it was stopped.
func (g *strongSearch) visit(k int) (stopped bool) {
	d := g.duals[k]
	for {
		open, stopped := g.improve(d, childPatience)
		if stopped {
			return g.stop(k)
		}
		if !open {
			return false
		}
		a, b := g.choose(d)
		if a < 0 {
			return false
		}
		if g.large() {
			g.s.wander(g.s.p.row.n / 8)
		}
		if int64(k+2)*strongBytes(g.s.p) > g.s.budget.memory-g.s.p.bytes() {
			return g.stop(k)
		}
		if k+1 == len(g.duals) {
			g.duals = append(g.duals, new(dual))
		}
		c := g.duals[k+1]
		if !d.copyTo(c, g.s.p.clock) {
			return g.stop(k)
		}
		g.decide(c, a, b)
		if g.visit(k + 1) {
			return true
		}
		if d.best < g.need() {
			return false
		}
		g.killTwins(d, a, b)
	}
}

// killTwins is [search.excludeTwins] for duals; rows that are decided are no
// twins any more.
func (g *strongSearch) killTwins(d *dual, a, b int) {
	row, col := g.s.p.row.twin, g.s.p.col.twin
	i, j := row[d.rowID[a]], col[d.colID[b]]
	for x, k := range d.rowID {
		if row[k] != i || d.forced[x] {
			continue
		}
		for y, h := range d.colID {
			if col[h] == j && !excluded(d.profit[x*d.m+y]) {
				g.ascent.kill(d, x, y)
			}
		}
	}
}

// improve lowers the bound of d until patience blocks in a row were idle. It reports whether the state stays open, and
// whether the search has to stop.
func (g *strongSearch) improve(d *dual, patience int) (open, stopped bool) {
	s := g.s
	s.states++
	for block, idle := 0, 0; idle < patience && block < maxBlocks; block++ {
		before := d.best
		for range blockSteps {
			if !g.bound(d) {
				return false, false
			}
			if s.budget.spent(s.states) {
				return true, true
			}
			g.ascent.step(d, g.need()-grain/2)
		}
		if !g.bound(d) {
			return false, false
		}
		if s.budget.Ended() {
			return true, true
		}
		if block == 0 {
			s.note(s.p.profit(s.trial) + s.climb())
		}
		if !g.ascent.sweep(d, g.need(), block%2 == 0) {
			return false, false
		}
		// A block that brings less than a fraction of what is missing is idle.
		idle++
		if (before-d.best)*worthwhile > d.best-g.need() {
			idle = 0
		} else {
			d.pace = max(minPace, d.pace*3/4)
		}
	}
	return g.bound(d), s.budget.Ended()
}

// bound brings d up to date and reports whether it may still hold something
// better. If time ends before that, it leaves d.best as it was.
func (g *strongSearch) bound(d *dual) bool {
	if !g.ascent.flush(d) {
		return true
	}
	if !g.ascent.assign.solve(&d.level, g.need()) {
		return false
	}
	d.best = min(d.best, d.bound)
	g.s.price(&d.level)
	if d.best < g.need() {
		return false
	}
	g.ascent.eliminate(d, g.need())
	return true
}

// choose returns the matched pair of the undecided row with the fewest pairs
// left, or -1 if every row is decided: then what is left is one node map.
func (g *strongSearch) choose(d *dual) (row, col int) {
	row, col = -1, -1
	fewest := d.m + 1
	for a := range d.n {
		if d.forced[a] {
			continue
		}
		left, first := 0, -1
		for b := range d.m {
			if !excluded(d.profit[a*d.m+b]) {
				left++
				if first < 0 {
					first = b
				}
			}
		}
		switch {
		case left == 0:
			if g.s.p.full {
				return -1, -1
			}
		case left == 1 && g.s.p.full && d.alone(a, first):
			// Mapping it cannot hurt.
		case left < fewest:
			fewest, row, col = left, a, first
			if b := d.rowMatch[a]; b >= 0 {
				col = int(b)
			}
		}
	}
	if row < 0 {
		g.priceRest(d)
	}
	return row, col
}

// alone reports whether column b has no pair but that with row a.
func (d *dual) alone(a, b int) bool {
	for c := range d.n {
		if c != a && !excluded(d.profit[c*d.m+b]) {
			return false
		}
	}
	return true
}

// priceRest evaluates the node map of all pairs that are left, one a row.
func (g *strongSearch) priceRest(d *dual) {
	for a := range d.n {
		d.rowMatch[a] = -1
	}
	for at, p := range d.profit {
		if !excluded(p) {
			d.rowMatch[at/d.m] = int32(at % d.m)
		}
	}
	g.s.price(&d.level)
}

// decide fixes the pair (a, b).
func (g *strongSearch) decide(d *dual, a, b int) {
	g.ascent.fix(d, a, b)
	d.forced[a] = true
}

func (g *strongSearch) stop(k int) bool {
	s := g.s
	s.stopped = true
	bound := (s.goal - 1) * grain
	for _, d := range g.duals[:k+1] {
		bound = max(bound, d.best)
	}
	s.bound = min(s.bound, max(s.bestProfit, bound/grain))
	return true
}
