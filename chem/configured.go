package chem

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// place is where a MOL block has an atom.
type place [3]float64

func (p place) minus(q place) place { return place{p[0] - q[0], p[1] - q[1], p[2] - q[2]} }

func (p place) dot(q place) float64 { return p[0]*q[0] + p[1]*q[1] + p[2]*q[2] }

func (p place) cross(q place) place {
	return place{p[1]*q[2] - p[2]*q[1], p[2]*q[0] - p[0]*q[2], p[0]*q[1] - p[1]*q[0]}
}

// unit returns the direction of p, which is none if p is too short.
func (p place) unit() (place, bool) {
	length := math.Sqrt(p.dot(p))
	if length < 1e-3 {
		return place{}, false
	}
	return place{p[0] / length, p[1] / length, p[2] / length}, true
}

// addPlace takes the coordinates of the atom that was added last. Those that are no numbers are no places.
func (p *molParser) addPlace(x, y, z string) {
	var at place
	for i, text := range [3]string{x, y, z} {
		f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.Abs(f) > 1e9 || math.IsNaN(f) {
			f = 0
		}
		at[i] = f
	}
	p.places = append(p.places, at)
	p.mol.placed = p.mol.placed || at != place{}
}

// markBond takes what a drawing says of the bond that was added last, seen from its first atom.
func (p *molParser) markBond(m mark) {
	for len(p.marks) < len(p.mol.Bonds)-1 {
		p.marks = append(p.marks, plain)
	}
	p.marks = append(p.marks, m)
	if m == up || m == down {
		p.mol.Notes |= NoteChirality
	}
}

// configure reads the configurations of a drawing: of the centres that have wedges, or in space of all that could be
// centres, and of double bonds. Hydrogens may still be atoms. For a double bond there are two slopes, each from one of
// its atoms to a neighbour.
func (p *molParser) configure() {
	m := &p.mol
	if !m.placed || p.query != nil {
		return
	}
	for len(p.marks) < len(m.Bonds) {
		p.marks = append(p.marks, plain)
	}
	p.work.m = m
	p.work.link()
	spatial := slices.ContainsFunc(p.places, func(at place) bool { return at[2] != 0 })
	wedged := slices.ContainsFunc(p.marks, func(m mark) bool { return m == up || m == down })
	switch {
	case wedged:
		p.wedgedCentres()
	case spatial:
		p.spatialCentres()
		p.spatial = true
	}
	for i, b := range m.Bonds {
		if b.Order == Double && p.marks[i] != either {
			p.sides(b)
		}
	}
}

// wedgedCentres reads the atoms at which wedges begin.
func (p *molParser) wedgedCentres() {
	m := &p.mol
	at := make([]point, len(p.places))
	for v, q := range p.places {
		at[v] = point{q[0], q[1]}
	}
	for v := range int32(len(m.Atoms)) {
		var neighbours []int32
		var list []centre
		known := true
		for _, a := range p.work.at(v) {
			neighbours = append(neighbours, a.to)
			known = known && !(p.marks[a.bond] == either && m.Bonds[a.bond].From == v)
		}
		if !known || len(neighbours) < 3 || len(neighbours) > 4 {
			continue
		}
		for _, a := range p.work.at(v) {
			if k := p.marks[a.bond]; m.Bonds[a.bond].From == v && (k == up || k == down) {
				if c, ok := arrangement(at, v, neighbours, a.to, k); ok {
					list = append(list, c)
				}
			}
		}
		if len(list) == 0 {
			continue
		}
		agree := true
		for i := range list[1:] {
			same, ok := list[0].sameTurn(&list[i+1])
			agree = agree && same && ok
		}
		if !agree {
			m.Notes |= NoteWedges
			continue
		}
		m.centres = append(m.centres, list[0])
	}
}

// spatialCentres reads all atoms whose neighbours are not in a plane.
func (p *molParser) spatialCentres() {
	for v := range int32(len(p.mol.Atoms)) {
		arcs := p.work.at(v)
		if len(arcs) < 3 || len(arcs) > 4 {
			continue
		}
		c := centre{atom: v}
		var ways [4]place
		ok := true
		for i, a := range arcs {
			c.around = append(c.around, a.to)
			var far bool
			ways[i], far = p.places[a.to].minus(p.places[v]).unit()
			ok = ok && far
		}
		volume := ways[0].dot(ways[1].cross(ways[2]))
		if !ok || math.Abs(volume) < 2*flat {
			continue
		}
		c.clockwise = volume < 0
		p.mol.centres = append(p.mol.centres, c)
	}
}

// twisted is the cosine of the angle between the ends of a double bond, in space, below which it is neither E nor Z.
const twisted = 0.1

// sides reads a double bond both of whose atoms have one or two other neighbours.
func (p *molParser) sides(b Bond) {
	var slopes [2]slope
	var way [2]place
	for i, end := range [2][2]int32{{b.From, b.To}, {b.To, b.From}} {
		v, partner := end[0], end[1]
		others := 0
		beside := int32(noAtom)
		for _, a := range p.work.at(v) {
			if a.to == partner {
				continue
			}
			o := p.mol.Bonds[a.bond]
			if o.Order != Single || p.marks[a.bond] == either && o.From == v {
				return
			}
			others++
			if beside == noAtom || p.mol.Atoms[beside].Element == hydrogen { // which is not an atom later
				beside = a.to
			}
		}
		axis, ok := p.places[partner].minus(p.places[v]).unit()
		if others < 1 || others > 2 || !ok {
			return
		}
		out, ok := p.places[beside].minus(p.places[v]).unit()
		if !ok {
			return
		}
		along := out.dot(axis)
		out = out.minus(place{axis[0] * along, axis[1] * along, axis[2] * along})
		if out.dot(out) < flat*flat/2 {
			return // in a line
		}
		way[i], _ = out.unit()
		slopes[i] = slope{v, beside, true}
	}
	d := way[0].dot(way[1])
	if math.Abs(d) < twisted {
		return
	}
	slopes[1].above = d > 0
	p.mol.slopes = append(p.mol.slopes, slopes[0], slopes[1])
}

// settleConfigurations keeps of what [molParser.configure] read that which is a configuration, once hydrogens are
// counted and aromatic rings known.
func (p *molParser) settleConfigurations() {
	m := &p.mol
	if len(m.centres)+len(m.slopes) == 0 {
		return
	}
	ranks := newPriorities(m)
	centres := m.centres[:0]
	for _, c := range m.centres {
		if m.Atoms[c.atom].Aromatic || slices.Contains(c.around[1:], c.around[0]) && c.around[0] == noAtom {
			continue
		}
		n := 0
		for _, v := range c.around {
			if v == noAtom {
				n++
			}
		}
		if n < ranks.hydrogens[c.atom] && len(c.around) == 3 {
			c = c.withHydrogen()
			n++
		}
		if n != ranks.hydrogens[c.atom] || n > 1 {
			continue
		}
		centres = append(centres, c)
	}
	m.centres = centres
	if p.spatial {
		p.keepCentres(ranks)
	}
	pairs := slices.Clone(m.slopes)
	m.slopes = m.slopes[:0]
	var list []doubleBond
	bonds := make(map[[2]int32]int32, len(m.Bonds))
	for i, b := range m.Bonds {
		bonds[[2]int32{min(b.From, b.To), max(b.From, b.To)}] = int32(i)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		u, v := pairs[i], pairs[i+1]
		bond, ok := bonds[[2]int32{min(u.at, v.at), max(u.at, v.at)}]
		if !ok || m.Bonds[bond].Order != Double || !ranks.mayDiffer(u.at, v.at) || !ranks.mayDiffer(v.at, u.at) ||
			p.work.rings.inRing(bond) && ranks.cyclic(u.at, v.at, leastRing-1) {
			continue
		}
		if m.Bonds[bond].From != u.at {
			u, v = v, u
		}
		list = append(list, doubleBond{bond, [2]int32{u.other, v.other}, u.above == v.above})
	}
	p.avoidOthers(list, ranks)
	m.slope(list, ranks)
	if len(m.centres) > 0 {
		m.Notes |= NoteChirality
	}
	if len(m.slopes) > 0 {
		m.Notes |= NoteCisTrans
	}
}

// avoidOthers replaces neighbours that are atoms of double bonds whose configuration is not known: a mark on the bond
// to them would state it.
func (p *molParser) avoidOthers(list []doubleBond, ranks *priorities) {
	m := &p.mol
	known := make(map[int32]bool)
	for _, d := range list {
		known[d.bond] = true
	}
	open := make(map[int32]bool) // atoms
	for i, b := range m.Bonds {
		if b.Order == Double && !known[int32(i)] && ranks.mayDiffer(b.From, b.To) && ranks.mayDiffer(b.To, b.From) {
			open[b.From], open[b.To] = true, true
		}
	}
	if len(open) == 0 {
		return
	}
	for i := range list {
		d := &list[i]
		b := m.Bonds[d.bond]
		for k, end := range [2][2]int32{{b.From, b.To}, {b.To, b.From}} {
			if !open[d.beside[k]] {
				continue
			}
			instead := int32(noAtom)
			for _, n := range ranks.bonds[end[0]] {
				if n.to != end[1] && n.to != d.beside[k] {
					instead = n.to
				}
			}
			if instead != noAtom || ranks.hydrogens[end[0]] > 0 {
				d.beside[k], d.same = instead, !d.same
			}
		}
	}
}

// keepCentres keeps of the atoms of a molecule in space those whose neighbours differ, and those of rings in which
// there are several that would be centres if both ways around the ring differed.
func (p *molParser) keepCentres(ranks *priorities) {
	m := &p.mol
	block := func(c centre) int32 { // of the ring whose ways are alike, or -1
		for i, v := range c.around {
			for _, u := range c.around[:i] {
				if u == noAtom || v == noAtom {
					continue
				}
				root := ranks.root(c.atom)
				if ranks.compare(ranks.add(root, u), ranks.add(root, v), rules) != 0 {
					continue
				}
				for _, a := range p.work.at(c.atom) {
					if a.to == u {
						return p.work.rings.of[a.bond]
					}
				}
			}
		}
		return -1
	}
	alike := make(map[int32]int)
	blocks := make([]int32, len(m.centres))
	for i := range m.centres {
		blocks[i] = -1
		if ranks.chirality(&m.centres[i]) == 0 {
			if blocks[i] = block(m.centres[i]); blocks[i] >= 0 {
				alike[blocks[i]]++
			}
		} else {
			blocks[i] = -2 // a centre
		}
	}
	kept := m.centres[:0]
	for i, c := range m.centres {
		if blocks[i] == -2 || blocks[i] >= 0 && alike[blocks[i]] > 1 {
			kept = append(kept, c)
		}
	}
	m.centres = kept
}

// slope marks bonds so that double bonds have configurations: at each of their atoms one, which may be that of
// another double bond. Around a ring of alternating bonds there may be no such marks; these double bonds stay without.
func (m *Molecule) slope(list []doubleBond, ranks *priorities) {
	type mark struct{ at, other int32 } // from the lower number, or a hydrogen at an atom
	key := func(at, other int32) (mark, bool) {
		if other != noAtom && other < at {
			return mark{other, at}, true
		}
		return mark{at, other}, false
	}
	parent := make(map[mark]mark)
	odd := make(map[mark]bool)   // against the parent
	clash := make(map[mark]bool) // of roots
	find := func(k mark) (mark, bool) {
		against := false
		for parent[k] != k {
			against = against != odd[k]
			k = parent[k]
		}
		return k, against
	}
	link := func(x, y mark, differ bool) { // the marks, each from its lower number
		rx, ax := find(x)
		ry, ay := find(y)
		if rx != ry {
			parent[rx], odd[rx] = ry, differ != (ax != ay)
			clash[ry] = clash[ry] || clash[rx]
		} else if differ != (ax != ay) {
			clash[rx] = true
		}
	}
	var order []mark
	for _, d := range list {
		b := m.Bonds[d.bond]
		x, flipX := key(b.From, d.beside[0])
		y, flipY := key(b.To, d.beside[1])
		for _, k := range [2]mark{x, y} {
			if _, ok := parent[k]; !ok {
				parent[k] = k
				order = append(order, k)
			}
		}
		link(x, y, d.same == (flipX != flipY))
	}
	for _, d := range list { // both neighbours of an atom may have marks
		b := m.Bonds[d.bond]
		for i, end := range [2][2]int32{{b.From, b.To}, {b.To, b.From}} {
			x, flipX := key(end[0], d.beside[i])
			for _, n := range ranks.bonds[end[0]] {
				y, flipY := key(end[0], n.to)
				if _, marked := parent[y]; marked && n.to != end[1] && y != x {
					link(x, y, flipX == flipY)
				}
			}
		}
	}
	for _, k := range order {
		if root, against := find(k); !clash[root] {
			m.slopes = append(m.slopes, slope{k.at, k.other, !against})
		}
	}
	slices.SortStableFunc(m.slopes, func(a, b slope) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.other, b.other))
	})
}
