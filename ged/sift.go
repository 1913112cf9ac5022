package ged

import (
	"math"
	"slices"
)

// sift sets the node maps of a search apart by what their nodes earn. Profits of edges are
// multiples of step, so all maps whose nodes earn top, the most that they can, have the same
// rest. Others earn at most top − loss with their nodes. If these do not reach the goal, it
// rises to the next profit with that rest, and pairs of nodes that no map of top contains are
// excluded. Under chem2, where a node of the same label earns 20 and an edge 6 or 3, a state
// is pruned if its bound is less than 3 above the best map, and not only if less than 1.
//
// The bound of the others lowers the profit of every pair of nodes by a share of it, and adds
// that share of top − loss (a Lagrangian relaxation).
type sift struct {
	nodes      level // the profits of nodes alone, and duals that prove top
	top, loss  int
	step, rest int
	below      int  // maps that earn less than top with their nodes do not reach it
	only       bool // the search is only for maps of top
	vain       bool // the others are not known not to reach the goal

	lowered []int // scratch: profits of nodes
}

// setup computes what the nodes of the maps that d has not excluded can earn. It reports
// whether there was time for that.
func (s *sift) setup(x *relaxation, d *dual, assign *assigner) bool {
	l := &s.nodes
	l.shape(x.n, x.m, x.m, 1)
	clear(l.u)
	clear(l.v)
	l.bound = 0
	s.loss, s.step = 0, 0
	for b := range x.m {
		l.colMatch[b] = -1
	}
	for a := range x.n {
		if assign.clock.Spend(4 * x.m) {
			return false
		}
		l.rowMatch[a] = -1
		for at := a * x.m; at < a*x.m+x.m; at++ {
			l.profit[at] = forbidden
			if !excluded(d.profit[at]) {
				p := x.own[at]
				l.profit[at] = p
				l.u[a] = max(l.u[a], p)
				s.loss = gcd(s.loss, max(p, -p))
			}
		}
		l.bound += l.u[a]
	}
	for _, w := range x.gain {
		s.step = gcd(s.step, w/grain)
	}
	s.below = math.MaxInt
	s.vain = s.loss <= 1 || s.step == 0
	if s.vain {
		return true
	}
	assign.solve(l, math.MinInt/2)
	s.top = l.bound
	s.rest = s.top + d.fixed/grain
	return !assign.clock.Ended()
}

// up returns the least profit from x on that a map of top may have.
func (s *sift) up(x int) int { return x + mod(s.rest-x, s.step) }

// down returns the greatest profit up to x that a map of top may have.
func (s *sift) down(x int) int { return x - mod(x-s.rest, s.step) }

func mod(x, y int) int { return (x%y + y) % y }

// sifts reports whether only maps of top can reach the goal, as far as it can tell, and
// whether the search has to stop. It uses the state at depth 1.
func (g *strongSearch) sifts() (found, stopped bool) {
	s, x := &g.sift, &g.x
	if s.below <= g.goal {
		return true, false
	}
	least := g.duals[0].best - g.need() + grain // what lowered profits have to take away
	if least >= s.loss*grain {
		s.vain = true
		return false, false
	}
	if !g.inherit(1) {
		return false, true
	}
	d, share := g.duals[1], least/s.loss+1
	s.lowered = resize(s.lowered, len(x.node))
	for at, p := range x.node {
		s.lowered[at] = p - x.own[at]*share
	}
	x.node, s.lowered = s.lowered, x.node
	defer func() { x.node, s.lowered = s.lowered, x.node }()
	back := (s.top - s.loss) * share
	d.fixed, d.bound, d.best = d.fixed+back, d.bound+back, nothing*grain
	d.bound -= lower(d.u, s.nodes.u, share) + lower(d.v, s.nodes.v, share)
	g.ascent.touchAll()
	if !g.inheritProgram(1) {
		return false, true
	}
	if g.linear {
		l := g.program(1)
		unit := float32(float64(share) / l.scale)
		for k, by := range slices.Concat(s.nodes.u, s.nodes.v) {
			for _, duals := range [][]float32{l.point.Dual, l.point.Dual0} {
				dual := &duals[l.slots[k]]
				*dual -= min(*dual, float32(by)*unit)
			}
		}
	}
	open, stopped := g.improve(1, childEffort)
	if stopped {
		return false, true
	}
	s.vain = open
	if !open {
		s.below = min(s.below, g.goal)
	}
	return !open, false
}

// lower takes share of each of by from duals, as far as they are not below 0, and returns how
// much that was.
func lower(duals, by []int, share int) (sum int) {
	for k, v := range duals {
		less := min(v, by[k]*share)
		duals[k] -= less
		sum += less
	}
	return sum
}

// killMissed excludes the pairs of nodes that no map of top contains.
func (g *strongSearch) killMissed(d *dual) {
	l := &g.sift.nodes
	for at, p := range d.profit {
		if a, b := at/d.m, at%d.m; !excluded(p) && l.u[a]+l.v[b] > l.profit[at] {
			g.ascent.kill(d, a, b)
		}
	}
}
