package chem

import (
	"cmp"
	"math"
	"slices"
)

// The marks of bonds in drawings: towards the viewer or away from him seen from the first atom, and not known, which of
// a double bond is crossed.
type mark byte

const (
	plain mark = iota
	up
	down
	either
)

// depiction is a molecule as a MOL block has it: with places, and marks of its bonds that say its configuration.
type depiction struct {
	*Molecule
	orders []Order // [bonds] in Kekulé form
	at     []point // [atoms]
	marks  []mark  // [bonds] of a marked single bond, From is the centre
}

// depict lays m out and marks its bonds. Hydrogens become atoms where the side that they are on says what a double bond
// is.
func (m *Molecule) depict() *depiction {
	m = m.withSidedHydrogens()
	d := &depiction{Molecule: m, orders: m.kekuleOrders(), at: m.layOut(), marks: make([]mark, len(m.Bonds))}
	d.at = slices.Clone(d.at)
	d.crossBonds()
	d.wedgeBonds()
	return d
}

// withSidedHydrogens returns m, with an atom for each hydrogen that is the only neighbour for which a side of a double
// bond is stated.
func (m *Molecule) withSidedHydrogens() *Molecule {
	degree := make([]int, len(m.Atoms))
	for _, b := range m.Bonds {
		degree[b.From]++
		degree[b.To]++
	}
	alone := func(s slope) bool { return s.other == noAtom && degree[s.at] == 1 }
	if !slices.ContainsFunc(m.slopes, alone) {
		out := *m
		out.Bonds = slices.Clone(m.Bonds)
		return &out
	}
	out := *m
	out.Atoms, out.Bonds = slices.Clone(m.Atoms), slices.Clone(m.Bonds)
	out.kekule, out.slopes = slices.Clone(m.kekule), slices.Clone(m.slopes)
	for i, s := range out.slopes {
		if !alone(s) {
			continue
		}
		h := int32(len(out.Atoms))
		out.Atoms = append(out.Atoms, Atom{Element: hydrogen, exact: true})
		out.Bonds = append(out.Bonds, Bond{s.at, h, Single})
		if out.kekule != nil {
			out.kekule = append(out.kekule, Single)
		}
		if a := &out.Atoms[s.at]; a.hydrogens > 0 {
			a.hydrogens--
		}
		out.slopes[i].other = h
	}
	return &out
}

// crossBonds marks the double bonds that are E or Z, and for which neither is stated or can be drawn.
func (d *depiction) crossBonds() {
	p := newPriorities(d.Molecule)
	l := layout{orders: d.orders, at: d.at}
	l.m = d.Molecule
	l.link()
	drawn := make(map[int32]bool)
	for _, s := range d.doubleBonds() {
		if right, ok := l.asStated(s); right && ok {
			drawn[s.bond] = true
		}
	}
	for i, b := range d.Bonds {
		if b.Order != Double || drawn[int32(i)] || len(p.bonds[b.From]) < 2 || len(p.bonds[b.To]) < 2 ||
			p.cyclic(b.From, b.To, leastRing-1) {
			continue
		}
		if p.mayDiffer(b.From, b.To) && p.mayDiffer(b.To, b.From) {
			d.marks[i] = either
		}
	}
}

// mayDiffer reports whether what is at an atom of a double bond, beside its partner, differs or might in its
// configuration.
func (p *priorities) mayDiffer(atom, partner int32) bool {
	if p.twoSided(atom, partner) {
		return true
	}
	count := 0
	for _, n := range p.bonds[atom] {
		if n.to != partner && n.copies == 0 && len(p.bonds[n.to]) > 1 {
			count++
		}
	}
	return count == 2 && p.hydrogens[atom] == 0 && len(p.m.centres) > 0
}

// wedgeBonds chooses a bond for every centre, each another, and marks it.
func (d *depiction) wedgeBonds() {
	bondsAt := make(map[int32][]int32) // of centres
	centres := make(map[int32]*centre)
	for i := range d.centres {
		c := &d.centres[i]
		centres[c.atom] = c
	}
	for i, b := range d.Bonds {
		for _, v := range [2]int32{b.From, b.To} {
			if centres[v] != nil {
				bondsAt[v] = append(bondsAt[v], int32(i))
			}
		}
	}
	rings := d.RingBonds()
	degree := make([]int, len(d.Atoms))
	for _, b := range d.Bonds {
		degree[b.From]++
		degree[b.To]++
	}
	owner := make(map[int32]int32) // the centre that has a bond
	choices := make(map[int32][]int32)
	beside := func(v int32) (list []int32) {
		for _, bond := range bondsAt[v] {
			list = append(list, d.other(bond, v))
		}
		return list
	}
	cost := func(v, bond int32) (sum int) {
		w := d.other(bond, v)
		if centres[w] != nil {
			sum += 8
		}
		if rings[bond] {
			sum += 4
		}
		if degree[w] > 1 {
			sum += 2
		}
		if between(d.at, v, beside(v), w) {
			sum += 16
		}
		return sum
	}
	for v, bonds := range bondsAt {
		for _, bond := range bonds {
			if d.orders[bond] == Single {
				choices[v] = append(choices[v], bond)
			}
		}
		slices.SortStableFunc(choices[v], func(a, b int32) int { return cmp.Compare(cost(v, a), cost(v, b)) })
	}
	var take func(v int32, seen map[int32]bool) bool
	take = func(v int32, seen map[int32]bool) bool {
		for _, bond := range choices[v] {
			if _, taken := owner[bond]; !taken {
				owner[bond] = v
				return true
			}
		}
		for _, bond := range choices[v] {
			if !seen[bond] {
				seen[bond] = true
				if take(owner[bond], seen) {
					owner[bond] = v
					return true
				}
			}
		}
		return false
	}
	for i := range d.centres {
		take(d.centres[i].atom, make(map[int32]bool))
	}
	for bond, v := range owner {
		w := d.other(bond, v)
		drawn, ok := arrangement(d.at, v, beside(v), w, up)
		if !ok {
			continue
		}
		c := centres[v]
		if len(c.around) == 4 && len(drawn.around) == 3 {
			drawn = drawn.withHydrogen()
		}
		same, ok := c.sameTurn(&drawn)
		if !ok {
			continue
		}
		d.marks[bond] = down
		if same {
			d.marks[bond] = up
		}
		d.Bonds[bond].From, d.Bonds[bond].To = v, w
	}
}

func (d *depiction) other(bond, v int32) int32 { return d.Bonds[bond].From + d.Bonds[bond].To - v }

// between reports whether w is in the middle of the three neighbours of v, which are all on one side: readers of
// drawings disagree about a wedge there.
func between(at []point, v int32, neighbours []int32, w int32) bool {
	if len(neighbours) != 3 {
		return false
	}
	sorted := anticlockwise(at, v, neighbours, w)
	a, b := at[sorted[1]].minus(at[v]), at[sorted[2]].minus(at[v])
	return a.cross(b) < 2*flat*a.length()*b.length()
}

// anticlockwise returns the neighbours of v in the order of their directions, beginning with w.
func anticlockwise(at []point, v int32, neighbours []int32, w int32) []int32 {
	first := at[w].minus(at[v]).angle()
	turn := func(u int32) float64 {
		if u == w {
			return 0
		}
		return math.Mod(at[u].minus(at[v]).angle()-first+2*math.Pi, 2*math.Pi)
	}
	sorted := slices.Clone(neighbours)
	slices.SortStableFunc(sorted, func(a, b int32) int { return cmp.Compare(turn(a), turn(b)) })
	if i := slices.Index(sorted, w); i > 0 { // another in the same direction
		sorted[0], sorted[i] = sorted[i], sorted[0]
	}
	return sorted
}

// arrangement returns what a wedge from v to w says about the arrangement of the neighbours of v, three or four. Those
// of three are seen with the fourth, a hydrogen or a pair of electrons, behind the last.
func arrangement(at []point, v int32, neighbours []int32, w int32, m mark) (c centre, ok bool) {
	direction := func(u int32) point { return at[u].minus(at[v]) }
	for _, u := range neighbours {
		if direction(u).length() < 1e-3 {
			return c, false
		}
	}
	sorted := anticlockwise(at, v, neighbours, w)
	c = centre{atom: v, around: sorted, clockwise: m == down}
	switch len(sorted) {
	case 3:
		// If both others are within half a turn that w is in the middle of, it is in front of them.
		a, b := direction(sorted[1]), direction(sorted[2])
		if s := a.cross(b) / (a.length() * b.length()); s < -flat {
			c.clockwise = !c.clockwise
		}
		return c, true
	case 4:
		return c, true
	}
	return c, false
}

// withHydrogen returns the arrangement of three neighbours, the fourth being a hydrogen.
func (c centre) withHydrogen() centre {
	c.around = append([]int32{noAtom}, c.around...)
	c.clockwise = !c.clockwise
	return c
}

// sameTurn reports whether two arrangements of the same neighbours are the same, and whether they have these.
func (c *centre) sameTurn(o *centre) (same, ok bool) {
	if len(c.around) != len(o.around) || len(c.around) < 3 || len(c.around) > 4 {
		return false, false
	}
	odd := false
	for i, v := range c.around {
		p := slices.Index(o.around, v)
		if p < 0 || slices.Index(c.around, v) != i {
			return false, false
		}
		for _, u := range c.around[:i] {
			odd = odd != (slices.Index(o.around, u) > p)
		}
	}
	return (c.clockwise == o.clockwise) != odd, true
}
