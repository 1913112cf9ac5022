package ged

import "math"

// strongSearch is a depth-first branch and bound on the bound of [relaxation]. It
// takes the pairs that the plain search does not solve quickly: it needs far fewer
// states, and each costs far more.
type strongSearch struct {
	*climber
	wander *wanderer
	anneal *annealing
	orbits *orbits

	x      relaxation
	ascent ascent
	duals  []*dual
	// The linear programs of the states, unless there is no memory for them. Then
	// sweeps have to do.
	programs  []*linear
	linear    bool
	rounded   level   // the point of a program as an assignment
	owed      int     // nanoseconds spent on bounds since the last local search
	doubt     []doubt // scratch of choose, as is edgeDoubt
	edgeDoubt []float64
	failures  failures
	triangles triangles
	sift      sift
	idle      int // local searches since the last that improved the best map
	diving    int // nanoseconds that may still be spent on dives

	// Scratch of dive.
	below        dual
	programBelow linear
	order        []int32
}

// run searches the pairs that l, the root of the plain search, has not excluded.
func (g *strongSearch) run(l *level) {
	g.linear = false
	g.failures.forget(g.p.row.n)
	g.idle, g.diving, g.triangles.held = 0, 0, 0
	if len(g.duals) == 0 {
		g.duals = append(g.duals, new(dual))
	}
	d := g.duals[0]
	if !g.x.setup(g.p, l, d) {
		g.stopped = true
		return
	}
	if g.p.full && g.x.n < l.n {
		return // a row that must be mapped has no pair left: nothing reaches the goal
	}
	g.p.findSymmetries(true)
	program := linearBytes(g.p) <= g.budget.memory/8
	g.ascent.setup(&g.x, g.p.clock, program)
	g.ascent.touchAll()
	// Few pairs of a search are nearer than its limit, and the root excludes most others.
	late := g.bestProfit < g.limits.atLeast && g.limits.enough == math.MaxInt
	if !late {
		g.firstMaps()
	}
	if !g.tighten(0, false) {
		return
	}
	g.owed = starWork * g.x.row.len() * g.x.col.len()
	if !late {
		g.localSearch(0, true)
	}
	g.linear = program && g.budget.Affords(linearBytes(g.p))
	if g.linear && !g.program(0).setup(&g.x, d, &g.ascent) {
		g.stop(0)
		return
	}
	open, stopped := g.improve(0, rootEffort)
	if stopped {
		g.stop(0)
		return
	}
	if !open {
		return
	}
	g.bound = min(g.bound, d.best/grain)
	if late {
		g.firstMaps()
	}
	g.dive(0)
	g.diving = 0
	g.wander.run(secondWalk)
	g.localSearch(0, false)
	if open, stopped = g.lift(); stopped {
		g.stop(0)
		return
	}
	if !open {
		return
	}
	if !g.sift.setup(&g.x, d, &g.ascent.assign) {
		g.stop(0)
		return
	}
	g.deepen()
}

// starWork is about how many nanoseconds the first bound takes for a pair of half-edges.
const starWork = 40

// visit searches the state at depth k. It returns how much of the gap between the bound above it
// and the goal it closed before it branched, 1 if it was pruned at once, and reports whether it was
// stopped.
func (g *strongSearch) visit(k int) (closed float64, stopped bool) {
	d := g.duals[k]
	above := d.best
	for first := true; ; first = false {
		open, stopped := g.improve(k, childEffort)
		switch {
		case stopped:
			return 0, g.stop(k)
		case first && open:
			closed = float64(above-d.best) / float64(above-g.need()+1)
		case first:
			closed = 1
		}
		if !open {
			return closed, false
		}
		a, b := g.choose(k)
		if a < 0 {
			return closed, false
		}
		g.localSearch(k, false)
		if int64(k+5)*g.stateBytes() > g.budget.memory-g.p.bytes()-g.triangles.held {
			g.budget.halt(StopMemory)
			return 0, g.stop(k)
		}
		if !g.inherit(k + 1) {
			return 0, g.stop(k)
		}
		g.decide(g.duals[k+1], a, b)
		if !g.inheritProgram(k + 1) {
			return 0, g.stop(k)
		}
		below, stopped := g.visit(k + 1)
		if stopped {
			return 0, true
		}
		g.failures.learn(d.rowID[a], below)
		if d.best < g.need() {
			return closed, false
		}
		g.killImages(d, a, b)
	}
}

// killImages is [plainSearch.excludeImages] for duals, whose rows and columns stay when they are
// decided.
func (g *strongSearch) killImages(d *dual, a, b int) {
	p, o := g.p, g.orbits
	o.clear(p)
	for y, j := range d.colID {
		o.colAt[j] = int32(y)
	}
	for x, i := range d.rowID {
		if y := d.decided[x]; y < 0 {
			o.rowAt[i] = int32(x)
		} else {
			o.colAt[d.colID[y]] = -1
		}
	}
	o.of(p, d.rowID[a], d.colID[b])
	for _, i := range o.rows {
		for _, j := range o.cols {
			if x, y := int(o.rowAt[i]), int(o.colAt[j]); !excluded(d.profit[x*d.m+y]) {
				g.ascent.kill(d, x, y)
			}
		}
	}
}

// decide fixes the pair (a, b) and marks its row, so that choose skips it.
func (g *strongSearch) decide(d *dual, a, b int) {
	g.ascent.fix(d, a, b)
	d.decided[a] = int32(b)
}

// stop is [plainSearch.stop] for duals.
func (g *strongSearch) stop(k int) bool {
	open := (g.goal - 1) * grain
	for _, d := range g.duals[:k+1] {
		open = max(open, d.best)
	}
	g.stopAt(open / grain)
	return true
}
