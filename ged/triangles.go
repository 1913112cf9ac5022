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
	number   []int32   // [n, m] the variable of a pair of nodes, or -1
	pair     []int32   // [half-edges of rows, of columns] that of a pair of half-edges, or -1
	first    int       // variables before the first z
	ours     int       // constraints before the first of triangles
	rows     int       // constraints
	profit   []float32 // by variable, over scale, but for those of bends
	scale    float64   // grains
	sides    int       // constraints whose right side is 1: the first ones
	entries  []entry   // of variables, in turn
	of       incident  // of variables
	bends    []bend
	second   []int32 // by variable of a bend: the constraint of its second edge

	value, value0, width               []float32 // by variable, those of bends last
	dual, dual0, last, load, dualWidth []float32 // by constraint
	restarts

	tied       []bool // whether a constraint of an edge has its y
	held       int64  // bytes that the program takes
	multiplier []int  // by constraint, in grains: 0 for those that are not of triangles
}

// entry is a coefficient of a program, 1 or -1.
type entry struct {
	constraint, variable int32
	minus                bool
}

// bend is the variables z[T, a, f, g] of one f. All are in two constraints, that of node a with coefficient -1 and
// that of the edge matched with f, and each in one more of an edge.
type bend struct {
	node, edge int32
	end        int32 // where the next begins
}

// incident lists the constraints of each variable: those of i with coefficient 1 are start[2i] to start[2i+1], and then
// come those with -1.
type incident struct {
	start, list []int32
}

// setup reports whether there was time.
func (c *incident) setup(n int, entries []entry, clock *clock.Clock) bool {
	c.start = resize(c.start, 2*n+2)
	clear(c.start)
	c.list = resize(c.list, len(entries))
	slot := func(e entry) int32 {
		if e.minus {
			return 2*e.variable + 1
		}
		return 2 * e.variable
	}
	for _, e := range entries {
		if clock.Spend(4) {
			return false
		}
		c.start[slot(e)+1]++
	}
	for i := 1; i < len(c.start); i++ {
		c.start[i] += c.start[i-1]
	}
	next := append([]int32(nil), c.start...)
	for _, e := range entries {
		if clock.Spend(8) {
			return false
		}
		k := slot(e)
		c.list[next[k]] = e.constraint
		next[k]++
	}
	return true
}

// at returns the constraints of variable i, by coefficient.
func (c *incident) at(i int) (plus, minus []int32) {
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

const constraintBytes = 100

// bytes bounds the memory of the program, and is about the nanoseconds that it takes to make it.
func (t *triangles) bytes() int64 {
	x, rows, cols := t.x, int64(len(t.row.list)), int64(len(t.col.list))
	rowArcs, colArcs := int64(x.row.len()), int64(x.col.len())
	whole, bends := 6*rows*cols, 3*(rows*x.col.bends()+cols*x.row.bends())
	constraints := rows*int64(t.row.each()) + cols*int64(t.col.each()) + rowArcs*int64(x.m) + colArcs*int64(x.n)
	return 400*whole + 30*bends + 120*rowArcs*colArcs + constraintBytes*constraints + 8*int64(x.n)*int64(x.m)
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
	t.profit, t.entries, t.bends, t.second = t.profit[:0], t.entries[:0], t.bends[:0], t.second[:0]
	most := 1
	for _, w := range x.gain {
		most = max(most, w)
	}
	t.scale = float64(most)
	unit := float32(1 / t.scale)
	t.sides = n + m
	t.ours = t.colArc(int32(cols), 0)
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
				t.add(t.rowArc(e, int32(b)), v, true)
			}
			for f := x.col.start[b]; f < x.col.start[b+1]; f++ {
				t.add(t.colArc(f, int32(a)), v, true)
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
				if x.weight[at] <= 0 || d.share[at] == dead || t.number[int(row.from)*m+int(col.from)] < 0 ||
					t.number[int(row.to)*m+int(col.to)] < 0 {
					continue
				}
				t.pair[at] = t.variable(float32(x.weight[at]) * unit)
			}
			if v := t.pair[at]; v >= 0 {
				t.add(t.rowArc(int32(e), col.from), v, false)
				t.add(t.colArc(int32(f), row.from), v, false)
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
	if !t.of.setup(len(t.profit), t.entries, clock) {
		return false
	}
	t.begin()
	return !clock.Ended()
}

// rowArc returns the constraint of a half-edge of the rows and a column, and colArc that of one of the columns and a
// row.
func (t *triangles) rowArc(e, b int32) int { return t.sides + int(e)*t.x.m + int(b) }

func (t *triangles) colArc(f, a int32) int {
	return t.sides + t.x.row.len()*t.x.m + int(f)*t.x.n + int(a)
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
					first := len(t.second)
					for g := f0; g < f1; g++ {
						if g == f || t.pair[o.at(e2, g)] < 0 {
							continue
						}
						second, third := o.far.list[f].to, o.far.list[g].to
						if h := o.far.between(second, third); h < 0 || t.pair[o.at(e3, h)] < 0 {
							t.second = append(t.second, int32(t.tie(o, k, last, o.far.list[g].rev)))
						} else if i == 0 && back != nil {
							z := t.variable(0)
							t.whole(o, k, [3]int32{b, second, third}, z)
							s, images := back.find([3]int32{b, second, third},
								[3]int32{a, o.near.list[e1].to, o.near.list[e2].to})
							t.whole(back, s, images, z)
						}
					}
					if len(t.second) > first {
						t.bends = append(t.bends, bend{int32(constraint), int32(t.tie(o, k, i, f)),
							int32(len(t.second))})
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
		t.add(t.tie(o, k, i, o.far.between(b, images[(i+1)%3])), z, false)
	}
}

// tie returns the constraint of half-edge i of triangle k matched with f, which it gives its y.
func (t *triangles) tie(o *corners, k, i int, f int32) int {
	constraint := o.edge(k, i, f)
	if at := constraint - t.ours; !t.tied[at] {
		t.tied[at] = true
		t.add(constraint, t.pair[o.at(o.list[k][i], f)], true)
	}
	return constraint
}
