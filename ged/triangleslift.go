package ged

import (
	"slices"

	"github.com/greedgraph/greed/internal/clock"
)

// multipliers sets the multipliers of the constraints of triangles to the dual values, and raises those of edges
// until no z earns anything: to raise one leaves no other z more. It reports whether there was time.
func (t *triangles) multipliers(clock *clock.Clock) bool {
	if clock.Spend(8 * (t.rows + len(t.entries) + len(t.second))) {
		return false
	}
	t.multiplier = resize(t.multiplier, t.rows)
	clear(t.multiplier[:t.ours])
	for i := t.ours; i < t.rows; i++ {
		t.multiplier[i] = min(max(0, int(float64(t.last[i])*t.scale)), 4*int(t.scale))
	}
	for z := t.first; z < len(t.profit); z++ {
		plus, minus := t.of.at(z)
		if over := -sumOf(t.multiplier, plus, minus); over > 0 {
			each := (over + len(plus) - 1) / len(plus)
			for _, i := range plus {
				t.multiplier[i] += each
			}
		}
	}
	at := int32(0)
	for _, b := range t.bends {
		for ; at < b.end; at++ {
			first, second := &t.multiplier[b.edge], &t.multiplier[t.second[at]]
			if over := t.multiplier[b.node] - *first - *second; over > 0 {
				*first += (over + 1) / 2
				*second += over / 2
			}
		}
	}
	return true
}

// lift sets the profits of x to what the multipliers leave of the first ones, and the shares of d to what the
// dual values ask for. If it reports that there was no time, neither may be used.
func (t *triangles) lift(d *dual, clock *clock.Clock) bool {
	if !t.multipliers(clock) {
		return false
	}
	x := t.x
	cols := x.col.len()
	for at, v := range t.number {
		x.node[at] = x.own[at] * grain
		if v >= 0 {
			plus, minus := t.of.at(int(v))
			x.node[at] -= sumOf(t.multiplier, plus, minus)
		}
	}
	half := t.scale / 2
	for e := range x.row.list {
		if clock.Spend(32 * cols) {
			return false
		}
		row := &x.row.list[e]
		for f := range x.col.list {
			col := &x.col.list[f]
			at, rev := e*cols+f, int(row.rev)*cols+int(col.rev)
			v := t.pair[at]
			if v < 0 || rev < at {
				continue
			}
			plus, minus := t.of.at(int(v))
			w := x.gain[int(row.typ)*x.types+int(col.typ)] - sumOf(t.multiplier, plus, minus)
			x.weight[at], x.weight[rev] = w, w
			if d.share[at] == dead {
				continue
			}
			ends := t.last[t.rowArc(int32(e), col.from)] + t.last[t.colArc(int32(f), row.from)] -
				t.last[t.rowArc(row.rev, col.to)] - t.last[t.colArc(col.rev, row.to)]
			d.share[at] = w/2 + int(float64(ends)*half)
			d.share[rev] = w - d.share[at]
		}
	}
	return true
}

// bounded reports whether no sum of changed profits can leave the range of an int: each constraint of
// triangles counts at most twice in what a map or an assignment earns.
func (t *triangles) bounded() bool {
	return float64(t.rows-t.ours)*2*mostMultiplier*t.scale < 1<<60
}

// mostMultiplier bounds a multiplier over scale. Those of nodes are at most 4. One of an edge is raised only if those
// of the edges of a z are less than those of its nodes in sum, of which there are at most six, and to at most that sum.
const mostMultiplier = 24

// lift lowers the bound of the root by triangles if it is far from the goal and they may help. It reports
// whether the root can still reach the goal, and whether the search has to stop. The steps count as the states
// that they take as long as.
func (g *strongSearch) lift() (open, stopped bool) {
	// The clock of the problem is nil where this program alone takes long.
	t, x, d, clock := &g.triangles, &g.x, g.duals[0], &g.budget.Clock
	least := g.goal - 1
	gap := g.bound - least
	if !g.linear || liftedGap*gap*g.p.scale < g.p.worst-least*g.p.scale ||
		gap*grain <= liftedEdges*slices.Max(x.gain) ||
		!t.worth(x, g.budget.memory/4, clock) {
		return true, g.budget.spent()
	}
	need := t.bytes()
	state := max(1, childEffort.steps*g.program(0).work())
	if !g.budget.Affords(need) || !g.budget.pay(int(need)/state) {
		return true, false
	}
	t.held = need
	if !t.setup(x, d, clock) {
		return true, true
	}
	t.from(g.program(0))
	for idle := 0; idle < 5 && t.bounded(); {
		work := liftSteps * t.work()
		if !g.budget.pay(work / state) {
			break
		}
		whole := t.steps(liftSteps, clock)
		if g.budget.spent() {
			return true, true
		}
		if !whole {
			break
		}
		g.owed += work
		before := d.best
		if !t.lift(d, clock) {
			return true, true
		}
		d.best = nothing * grain // the gain of blocks is that by these profits
		g.ascent.touchAll()
		if !g.tighten(0, true) {
			return false, false
		}
		open, stopped = true, true
		if l := g.program(0); l.setup(x, d, &g.ascent) {
			t.lead(l)
			open, stopped = g.improve(0, liftEffort)
		}
		if d.best = min(d.best, before); stopped || !open {
			return open, stopped
		}
		g.idle = min(g.idle, liftVain)
		g.localSearch(0, false)
		if idle++; (before-d.best)*liftWorthwhile > d.best-g.need() {
			idle = 0
		}
	}
	return g.improve(0, rootEffort)
}

// liftEffort is that of the linear program between two blocks of steps.
var liftEffort = effort{80, 1, 20}

const (
	// Bounds within one part in liftedGap, or within what so many matched edges earn, are left to the search.
	liftedGap   = 50
	liftedEdges = 5

	// Of calls of local search in vain at most so many count between two blocks: where a proof is out of reach,
	// a better map is what the time is for.
	liftVain = 4

	// A block of so many steps is idle if it closes less than one part in liftWorthwhile of the gap between bound and
	// goal.
	liftSteps      = 40
	liftWorthwhile = 100
)
