package ged

import (
	"cmp"
	"slices"

	"github.com/greedgraph/greed/internal/clock"
)

// triangles tightens the relaxation where graphs have triangles, which the linear program maps
// inconsistently: it matches all three edges of one with edges that form none. Its program is
// that of [linear] and more variables and constraints. Let T be a triangle of the rows, and call
// two half-edges matched if the pair of them earns something. For what a map makes of T there are
// two kinds of variables:
//
//	z[T, S]       all three edges of T are matched, with those of triangle S of the columns;
//	z[T, a, f, g] of its edges only the two at row a are, with half-edges f and g at one column.
//
// At most one of them is 1. A map so fulfils, for every row a of T with its half-edges e and e' in
// T, every column b, every edge e of T and every half-edge f,
//
//	Σ_{f at b} (y[e, f] + y[e', f]) ≤ x[a, b] + Σ_{T to S, a to b} z + Σ_{at a, of f and g at b} z
//	Σ_{e to f} z ≤ y[e, f]
//
// and the same holds for triangles of the columns, with the same z[T, S].
//
// Lagrange multipliers of these constraints change the profits of nodes and edges, and give each
// z one. If that of no z is above 0, a map earns at most its changed profits, so these can take
// the place of the others in the search; see [triangles.lift]. So nothing rests on the first-order
// steps that look for multipliers, as in [linear]. The constraints are those of the second level
// of Adams and Johnson's hierarchy for the edges of triangles alone.
type triangles struct {
	x        *relaxation
	row, col corners
	number   []int32     // [n, m] the variable of a pair of nodes, or -1
	pair     []int32     // [half-edges of rows, of columns] that of a pair of half-edges, or -1
	entries  []entry     // the constraints, variable by variable in turn
	first    int         // variables before the first z
	ours     int         // constraints before the first of triangles
	rows     int         // constraints
	profit   []float32   // by variable, over scale
	scale    float64     // grains
	sides    int         // constraints whose right side is 1: the first ones
	by       [2]incident // of variables, and of constraints

	value, value0, far []float32
	width              []float32
	dual, dual0, last  []float32
	dualWidth          []float32
	restarts

	tied       []bool // whether a constraint of an edge has its y
	held       int64  // bytes that the program takes
	multiplier []int  // by constraint of triangles, in grains
}

// entry is a coefficient of a program, 1 or -1.
type entry struct {
	constraint, variable int32
	minus                bool
}

// incident lists the constraints of each variable, or the variables of each constraint: those of i with coefficient
// 1 are start[2i] to start[2i+1], and then come those with -1.
type incident struct {
	start, list []int32
}

// setup reports whether there was time.
func (c *incident) setup(n int, entries []entry, clock *clock.Clock, of func(entry) (at, to int32)) bool {
	c.start = resize(c.start, 2*n+2)
	clear(c.start)
	c.list = resize(c.list, len(entries))
	slot := func(at int32, e entry) int32 {
		if e.minus {
			return 2*at + 1
		}
		return 2 * at
	}
	for _, e := range entries {
		if clock.Spend(8) {
			return false
		}
		at, _ := of(e)
		c.start[slot(at, e)+1]++
	}
	for i := 1; i < len(c.start); i++ {
		c.start[i] += c.start[i-1]
	}
	next := append([]int32(nil), c.start...)
	for _, e := range entries {
		if clock.Spend(16) {
			return false
		}
		at, to := of(e)
		k := slot(at, e)
		c.list[next[k]] = to
		next[k]++
	}
	return true
}

// of returns what is incident with i, by coefficient.
func (c *incident) of(i int) (plus, minus []int32) {
	s := c.start[2*i : 2*i+3]
	return c.list[s[0]:s[1]], c.list[s[1]:s[2]]
}

func sumOf[T int | float32](values []T, plus, minus []int32) (sum T) {
	for _, i := range plus {
		sum += values[i]
	}
	for _, i := range minus {
		sum -= values[i]
	}
	return sum
}

// triangle is three nodes of one side. Half-edge i leads from node i to the next.
type triangle [3]int32

// triangles lists the triangles of g, each once, in the order of their first two half-edges. It reports
// whether there are at most so many, and time for them.
func (g *arcs) triangles(most int64, clock *clock.Clock) (list []triangle, ok bool) {
	for e1 := range g.list {
		h := &g.list[e1]
		if h.from > h.to {
			continue
		}
		for e2 := g.start[h.to]; e2 < g.start[h.to+1]; e2++ {
			third := g.list[e2].to
			if third <= h.to {
				continue
			}
			if clock.Spend(8 + g.degree(third)) {
				return nil, false
			}
			if e3 := g.between(third, h.from); e3 >= 0 {
				list = append(list, triangle{int32(e1), e2, e3})
			}
		}
		if int64(len(list)) > most {
			return nil, false
		}
	}
	return list, true
}

// between returns the half-edge from v to w, or -1.
func (g *arcs) between(v, w int32) int32 {
	for e := g.start[v]; e < g.start[v+1]; e++ {
		if g.list[e].to == w {
			return e
		}
	}
	return -1
}

// worth reports whether there are so many triangles that a search may gain by them, but no more than there is
// memory and time for.
func (t *triangles) worth(x *relaxation, memory int64, clock *clock.Clock) bool {
	t.x = x
	t.row = corners{near: &x.row, far: &x.col, nearStep: x.m, farStep: 1, shareStep: x.col.len(), farEdge: 1}
	t.col = corners{near: &x.col, far: &x.row, nearStep: 1, farStep: x.m, shareStep: 1, farEdge: x.col.len()}
	for _, o := range []*corners{&t.row, &t.col} {
		list, ok := o.near.triangles(memory/(constraintBytes*int64(o.each())), clock)
		if !ok {
			return false
		}
		o.list = list
	}
	return 8*(len(t.row.list)+len(t.col.list)) > x.n+x.m && t.bytes() <= memory
}

const constraintBytes = 60

// bytes bounds the memory of the program, and is about the nanoseconds that it takes to make it.
func (t *triangles) bytes() int64 {
	x, rows, cols := t.x, int64(len(t.row.list)), int64(len(t.col.list))
	rowArcs, colArcs := int64(x.row.len()), int64(x.col.len())
	triples := 6*rows*cols + 3*(rows*x.col.bends()+cols*x.row.bends())
	constraints := rows*int64(t.row.each()) + cols*int64(t.col.each()) + rowArcs*int64(x.m) + colArcs*int64(x.n)
	return 160*triples + 120*rowArcs*colArcs + constraintBytes*constraints + 8*int64(x.n)*int64(x.m)
}

// bends counts the ordered pairs of half-edges at one node.
func (g *arcs) bends() (sum int64) {
	for v := range len(g.start) - 1 {
		d := int64(g.degree(int32(v)))
		sum += d * (d - 1)
	}
	return sum
}

// setup makes the program of what d has not excluded, once worth was asked. It reports whether there was time.
func (t *triangles) setup(x *relaxation, d *dual, clock *clock.Clock) bool {
	n, m, cols := x.n, x.m, x.col.len()
	t.number, t.pair = resize(t.number, n*m), resize(t.pair, x.row.len()*cols)
	t.profit, t.entries = t.profit[:0], slices.Grow(t.entries[:0], int(t.bytes()/40)) // about as many: growing takes long
	most := 1
	for _, w := range x.gain {
		most = max(most, w)
	}
	t.scale = float64(most)
	unit := float32(1 / t.scale)
	t.sides = n + m
	rowArc, colArc := t.sides, t.sides+x.row.len()*m
	t.ours = colArc + cols*n
	t.rows = t.ours
	for at := range t.number {
		t.number[at] = -1
		if !excluded(d.profit[at]) {
			v := t.variable(float32(x.node[at]) * unit)
			t.number[at] = v
			a, b := at/m, at%m
			t.add(a, v, false)
			t.add(n+b, v, false)
			for e := x.row.start[a]; e < x.row.start[a+1]; e++ {
				t.add(rowArc+int(e)*m+b, v, true)
			}
			for f := x.col.start[b]; f < x.col.start[b+1]; f++ {
				t.add(colArc+int(f)*n+a, v, true)
			}
		}
	}
	for e := range x.row.list {
		if clock.Spend(8 * cols) {
			return false
		}
		row := &x.row.list[e]
		for f := range x.col.list {
			col := &x.col.list[f]
			at := e*cols + f
			if back := int(row.rev)*cols + int(col.rev); back < at {
				t.pair[at] = t.pair[back]
			} else {
				t.pair[at] = -1
				if x.weight[at] <= 0 || d.share[at] == dead || t.number[int(row.from)*m+int(col.from)] < 0 || t.number[int(row.to)*m+int(col.to)] < 0 {
					continue
				}
				t.pair[at] = t.variable(float32(x.weight[at]) * unit)
			}
			if v := t.pair[at]; v >= 0 {
				t.add(rowArc+e*m+int(col.from), v, false)
				t.add(colArc+f*n+int(row.from), v, false)
			}
		}
	}
	t.first = len(t.profit)
	for _, o := range []*corners{&t.row, &t.col} {
		o.base = t.rows
		t.rows += len(o.list) * o.each()
	}
	t.tied = resize(t.tied, t.rows-t.ours)
	clear(t.tied)
	if !t.side(&t.row, &t.col, clock) || !t.side(&t.col, nil, clock) {
		return false
	}
	if !t.by[0].setup(len(t.profit), t.entries, clock, func(e entry) (at, to int32) { return e.variable, e.constraint }) ||
		!t.by[1].setup(t.rows, t.entries, clock, func(e entry) (at, to int32) { return e.constraint, e.variable }) {
		return false
	}
	t.begin()
	return true
}

func (t *triangles) variable(profit float32) int32 {
	t.profit = append(t.profit, profit)
	return int32(len(t.profit) - 1)
}

func (t *triangles) add(constraint int, variable int32, minus bool) {
	t.entries = append(t.entries, entry{int32(constraint), variable, minus})
}

// corners are the triangles of one side, and where the constraints and the variables are that they need.
type corners struct {
	near, far          *arcs
	nearStep, farStep  int // from one pair of nodes to the next
	shareStep, farEdge int // from one pair of half-edges to the next
	list               []triangle
	base               int // their first constraint
}

// each returns how many constraints a triangle has.
func (o *corners) each() int { return 3 * (len(o.far.start) - 1 + o.far.len()) }

// node returns the constraint of node i of triangle k and far node b.
func (o *corners) node(k, i int, b int32) int {
	return o.base + k*o.each() + i*(len(o.far.start)-1) + int(b)
}

// edge returns the constraint of half-edge i of triangle k and far half-edge f.
func (o *corners) edge(k, i int, f int32) int {
	return o.node(k, 3, 0) + i*o.far.len() + int(f)
}

// variable returns the place of a pair of half-edges among all.
func (o *corners) at(e, f int32) int { return int(e)*o.shareStep + int(f)*o.farEdge }

// side adds the constraints of the triangles of o and the variables of those of which only two edges are
// matched. With back, the triangles of the other side, it adds those of which all three are.
func (t *triangles) side(o, back *corners, clock *clock.Clock) bool {
	for k, corner := range o.list {
		for i, e1 := range corner {
			last := (i + 2) % 3
			a, e2, e3 := o.near.list[e1].from, o.near.list[corner[last]].rev, corner[(i+1)%3]
			for b := range int32(len(o.far.start) - 1) {
				if clock.Spend(64) {
					return false
				}
				x := t.number[int(a)*o.nearStep+int(b)*o.farStep]
				if x < 0 {
					continue
				}
				constraint := o.node(k, i, b)
				t.add(constraint, x, true)
				f0, f1 := o.far.start[b], o.far.start[b+1]
				for f := f0; f < f1; f++ {
					for _, e := range []int32{e1, e2} {
						if y := t.pair[o.at(e, f)]; y >= 0 {
							t.add(constraint, y, false)
						}
					}
				}
				for f := f0; f < f1; f++ {
					if t.pair[o.at(e1, f)] < 0 {
						continue
					}
					if clock.Spend(int(f1-f0) * (128 + 4*o.far.degree(o.far.list[f].to))) {
						return false
					}
					for g := f0; g < f1; g++ {
						if g == f || t.pair[o.at(e2, g)] < 0 {
							continue
						}
						second, third := o.far.list[f].to, o.far.list[g].to
						if h := o.far.between(second, third); h < 0 || t.pair[o.at(e3, h)] < 0 {
							z := t.variable(0)
							t.add(constraint, z, true)
							t.tie(o, k, i, f, z)
							t.tie(o, k, last, o.far.list[g].rev, z)
						} else if i == 0 && back != nil {
							z := t.variable(0)
							t.whole(o, k, [3]int32{b, second, third}, z)
							s, images := back.find([3]int32{b, second, third}, [3]int32{a, o.near.list[e1].to, o.near.list[e2].to})
							t.whole(back, s, images, z)
						}
					}
				}
			}
		}
	}
	return true
}

// find returns the triangle of the given nodes and, for each of its own nodes, the image of it.
func (o *corners) find(nodes, images [3]int32) (k int, in [3]int32) {
	sorted := nodes
	slices.Sort(sorted[:])
	first, second := o.near.between(sorted[0], sorted[1]), o.near.between(sorted[1], sorted[2])
	k, found := slices.BinarySearchFunc(o.list, triangle{first, second}, func(a, b triangle) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	if !found {
		panic("ged: no such triangle")
	}
	for i, v := range sorted {
		in[i] = images[slices.Index(nodes[:], v)]
	}
	return k, in
}

// whole adds z, which maps triangle k of o to the given far nodes.
func (t *triangles) whole(o *corners, k int, images [3]int32, z int32) {
	for i, b := range images {
		t.add(o.node(k, i, b), z, true)
		t.tie(o, k, i, o.far.between(b, images[(i+1)%3]), z)
	}
}

// tie adds z, in which half-edge i of triangle k is matched with f, to their constraint.
func (t *triangles) tie(o *corners, k, i int, f, z int32) {
	constraint := o.edge(k, i, f)
	t.add(constraint, z, false)
	if at := constraint - t.ours; !t.tied[at] {
		t.tied[at] = true
		t.add(constraint, t.pair[o.at(o.list[k][i], f)], true)
	}
}

// begin starts at 0.
func (t *triangles) begin() {
	for _, v := range []*[]float32{&t.value, &t.value0, &t.far} {
		reset(v, len(t.profit), 0)
	}
	for _, v := range []*[]float32{&t.dual, &t.dual0, &t.last} {
		reset(v, t.rows, 0)
	}
	t.width, t.dualWidth = t.by[0].widths(t.width), t.by[1].widths(t.dualWidth)
	t.restarts = restarts{weight: startWeight}
}

// widths returns the lengths of steps: one over the number of what is incident (Pock and Chambolle, 2011).
func (c *incident) widths(dst []float32) []float32 {
	dst = resize(dst, len(c.start)/2-1)
	for i := range dst {
		dst[i] = 1 / float32(max(1, c.start[2*i+2]-c.start[2*i]))
	}
	return dst
}

// step makes one step, as those of [linear], and returns its residual.
func (t *triangles) step() float64 {
	keep := float32(t.since+1) / float32(t.since+2)
	pace, long := float32(1/t.weight), float32(t.weight)
	far, wide := 0.0, 0.0
	for i, v := range t.value {
		plus, minus := t.by[0].of(i)
		w := min(1, max(0, v+pace*t.width[i]*(t.profit[i]-sumOf(t.dual, plus, minus))))
		far += float64((w - v) * (w - v) / t.width[i])
		t.far[i] = 2*w - v
		t.value[i] = keep*(2*w-v) + (1-keep)*t.value0[i]
	}
	for i, v := range t.dual {
		plus, minus := t.by[1].of(i)
		load := sumOf(t.far, plus, minus)
		if i < t.sides {
			load--
		}
		w := max(0, v+long*t.dualWidth[i]*load)
		wide += float64((w - v) * (w - v) / t.dualWidth[i])
		t.last[i] = w
		t.dual[i] = keep*(2*w-v) + (1-keep)*t.dual0[i]
	}
	return far*t.weight + wide/t.weight
}

func (t *triangles) restart() {
	far, wide := 0.0, 0.0
	for i, v := range t.value {
		far += float64((v - t.value0[i]) * (v - t.value0[i]) / t.width[i])
	}
	for i, v := range t.dual {
		wide += float64((v - t.dual0[i]) * (v - t.dual0[i]) / t.dualWidth[i])
	}
	t.balance(far, wide)
	setAnchor(t.value0, t.value)
	setAnchor(t.dual0, t.dual)
	t.since = 0
}

// steps makes count steps, or as many as there is time for. It reports whether it made them all.
func (t *triangles) steps(count int, clock *clock.Clock) bool {
	for range count {
		if work := t.work(); clock.Spend(work) || work > longStep && !clock.Affords(int64(work)) {
			return false
		}
		if t.due(t.step()) {
			t.restart()
		}
	}
	return true
}

// work is what a step takes, in nanoseconds.
func (t *triangles) work() int { return 3*len(t.entries) + 4*(len(t.profit)+t.rows) }

// multipliers sets the multipliers of the constraints of triangles to the dual values, and raises those of edges
// until no z earns anything.
func (t *triangles) multipliers() {
	t.multiplier = resize(t.multiplier, t.rows)
	clear(t.multiplier[:t.ours])
	for i := t.ours; i < t.rows; i++ {
		t.multiplier[i] = min(max(0, int(float64(t.last[i])*t.scale)), 4*int(t.scale))
	}
	for z := t.first; z < len(t.profit); z++ {
		plus, minus := t.by[0].of(z)
		if over := -sumOf(t.multiplier, plus, minus); over > 0 {
			each := (over + len(plus) - 1) / len(plus)
			for _, i := range plus {
				t.multiplier[i] += each
			}
		}
	}
}

// lift sets the profits of x to what the multipliers leave of the first ones, and the shares of d to what the
// dual values ask for.
func (t *triangles) lift(d *dual) {
	t.multipliers()
	x := t.x
	n, m, cols := x.n, x.m, x.col.len()
	for at, v := range t.number {
		x.node[at] = x.own[at] * grain
		if v >= 0 {
			plus, minus := t.by[0].of(int(v))
			x.node[at] -= sumOf(t.multiplier, plus, minus)
		}
	}
	rowArc, colArc := t.sides, t.sides+x.row.len()*m
	half := t.scale / 2
	for e := range x.row.list {
		row := &x.row.list[e]
		for f := range x.col.list {
			col := &x.col.list[f]
			at, rev := e*cols+f, int(row.rev)*cols+int(col.rev)
			v := t.pair[at]
			if v < 0 || rev < at {
				continue
			}
			plus, minus := t.by[0].of(int(v))
			w := x.gain[int(row.typ)*x.types+int(col.typ)] - sumOf(t.multiplier, plus, minus)
			x.weight[at], x.weight[rev] = w, w
			if d.share[at] == dead {
				continue
			}
			ends := t.last[rowArc+e*m+int(col.from)] + t.last[colArc+f*n+int(row.from)] -
				t.last[rowArc+int(row.rev)*m+int(col.to)] - t.last[colArc+int(col.rev)*n+int(row.to)]
			d.share[at] = w/2 + int(float64(ends)*half)
			d.share[rev] = w - d.share[at]
		}
	}
}

// bounded reports whether no sum of changed profits can leave the range of an int: each constraint of
// triangles counts at most twice in what a map or an assignment earns.
func (t *triangles) bounded() bool {
	return float64(t.rows-t.ours)*2*mostMultiplier*t.scale < 1<<60
}

// mostMultiplier bounds a multiplier over scale: 4, and what the three nodes of a z raise it by.
const mostMultiplier = 16

// lift lowers the bound of the root by triangles if it is far from the goal and they may help. It reports
// whether the root can still reach the goal, and whether the search has to stop.
func (g *strongSearch) lift() (open, stopped bool) {
	// The clock of the problem is nil where this program alone takes long.
	t, x, d, clock := &g.triangles, &g.x, g.duals[0], &g.budget.Clock
	least := g.goal - 1
	gap := g.bound - least
	if !g.linear || liftedGap*gap*g.p.scale < g.p.worst-least*g.p.scale || gap*grain <= liftedEdges*slices.Max(x.gain) ||
		!t.worth(x, g.budget.memory/4, clock) {
		return true, g.budget.spent()
	}
	need := t.bytes()
	if !g.budget.Affords(need) {
		return true, false
	}
	t.held = need
	if !t.setup(x, d, clock) {
		return true, true
	}
	for idle := 0; idle < 2 && t.bounded(); {
		whole := t.steps(liftSteps, clock)
		if g.budget.spent() {
			return true, true
		}
		if !whole {
			break
		}
		g.owed += liftSteps * t.work()
		before := d.best
		t.lift(d)
		g.ascent.touchAll(d)
		if !g.tighten(0, true) {
			return false, false
		}
		g.bound = min(g.bound, d.best/grain)
		g.localSearch(0, false)
		if idle++; (before-d.best)*rootEffort.worthwhile > d.best-g.need() {
			idle = 0
		}
	}
	if !g.program(0).setup(x, d, &g.ascent) {
		return true, true
	}
	return g.improve(0, rootEffort)
}

const (
	// Bounds within one part in liftedGap, or within what so many matched edges earn, are left to the search.
	liftedGap   = 50
	liftedEdges = 5

	liftSteps = 100
)
