package chem

import (
	"slices"
	"sort"
)

// centre is an atom for which the SMILES gives the arrangement of its neighbours.
type centre struct {
	atom int32
	// around are the neighbours as written, [noAtom] for an implicit hydrogen. Seen from the
	// first, the others follow clockwise or anticlockwise.
	around    []int32
	clockwise bool
}

// noAtom is an implicit hydrogen.
const noAtom = -1

// slope is a bond written / or \ in SMILES: the other atom is above the first, or below it.
type slope struct {
	at, other int32
	above     bool
}

// centreOf begins the centre of the last atom read; before is the previous atom, or noAtom.
func (p *Parser) centreOf(before int32, hydrogens uint8, clockwise bool) {
	c := centre{atom: p.last, clockwise: clockwise}
	if before != noAtom {
		c.around = append(c.around, before)
	}
	for range hydrogens {
		c.around = append(c.around, noAtom)
	}
	p.mol.centres = append(p.mol.centres, c)
}

// centre returns the centre of an atom, or nil.
func (p *Parser) centre(atom int32) *centre {
	list := p.mol.centres
	i := sort.Search(len(list), func(i int) bool { return list[i].atom >= atom })
	if i < len(list) && list[i].atom == atom {
		return &list[i]
	}
	return nil
}

// beside records that next is written after the previous neighbours of an atom. An open ring
// bond has a number instead, below [noAtom].
func (p *Parser) beside(atom, next int32) {
	if c := p.centre(atom); c != nil {
		c.around = append(c.around, next)
	}
}

// opened returns the placeholder for the other atom of an open ring bond.
func opened(number int32) int32 { return noAtom - 1 - number }

// closed replaces the placeholder by the atom at the other end of the ring bond.
func (p *Parser) closed(atom, number, other int32) {
	if c := p.centre(atom); c != nil {
		if i := slices.Index(c.around, opened(number)); i >= 0 {
			c.around[i] = other
		}
	}
}

// renumber applies a renumbering of atoms to the configuration. Atoms that have no new number
// become hydrogens; their own centres are removed.
func (m *Molecule) renumber(number []int32) {
	var centres []centre
	for _, c := range m.centres {
		if c.atom = number[c.atom]; c.atom < 0 {
			continue
		}
		around := make([]int32, len(c.around))
		for i, v := range c.around {
			around[i] = noAtom
			if v >= 0 {
				around[i] = max(noAtom, number[v])
			}
		}
		c.around = around
		centres = append(centres, c)
	}
	var slopes []slope
	for _, s := range m.slopes {
		at, other := max(noAtom, number[s.at]), int32(noAtom)
		if s.other >= 0 {
			other = max(noAtom, number[s.other])
		}
		switch {
		case at >= 0:
			slopes = append(slopes, slope{at, other, s.above})
		case other >= 0:
			slopes = append(slopes, slope{other, at, !s.above})
		}
	}
	m.centres, m.slopes = centres, slopes
}

// Drawn reports whether the configurations of m, which comes from a MOL block, are those of o, whose atoms have the
// same numbers: all that are stated of three or four neighbours and of double bonds.
func (m *Molecule) Drawn(o *Molecule) bool {
	count := 0
	for i := range o.centres {
		c := &o.centres[i]
		if len(c.around) < 3 || len(c.around) > 4 || o.Atoms[c.atom].Aromatic {
			continue
		}
		count++
		mine := m.centreAt(int(c.atom))
		if mine == nil {
			return false
		}
		if same, ok := mine.sameTurn(c); !ok || !same {
			return false
		}
	}
	if count != len(m.centres) {
		return false
	}
	bonds := func(list []doubleBond, of *Molecule) map[[2]int32]doubleBond {
		byEnds := make(map[[2]int32]doubleBond, len(list))
		for _, d := range list {
			b := of.Bonds[d.bond]
			if b.From > b.To {
				b.From, b.To = b.To, b.From
				d.beside[0], d.beside[1] = d.beside[1], d.beside[0]
			}
			byEnds[[2]int32{b.From, b.To}] = d
		}
		return byEnds
	}
	theirs, mine := bonds(o.doubleBonds(), o), bonds(m.doubleBonds(), m)
	if len(theirs) != len(mine) {
		return false
	}
	for ends, d := range theirs {
		e, ok := mine[ends]
		if !ok {
			return false
		}
		// Of two neighbours at an end, each may stand for the other, on the other side.
		same := d.same
		for i := range d.beside {
			same = same != (d.beside[i] != e.beside[i])
		}
		if same != e.same {
			return false
		}
	}
	return true
}
