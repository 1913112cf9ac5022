package chem

import (
	"math/bits"
	"slices"
)

// Attachment is an end of a part of a molecule where it is cut off.
type Attachment struct {
	Atom  int // the atom of the molecule that is cut off from another
	Bond  int // the bond that is cut
	Class int // what the place is called
}

// Piece returns the part of m with the given atoms and the bonds between them, and for every attachment an atom * of
// its class. Atoms keep their hydrogens. An attachment has the order of the bond that is cut. Where an aromatic ring
// is cut, the bonds that are left of it are single and double, as few of those that are cut double as can be: of a
// naphthalene without one of its rings stays [*:1]C=CC=C[*:2]. There may be several choices of these, which are all
// returned.
func (m *Molecule) Piece(atoms []int, at []Attachment) []*Molecule {
	f := &Molecule{Atoms: make([]Atom, 0, len(atoms)+len(at))}
	number := make(map[int32]int32, len(atoms))
	hydrogens := m.Hydrogens()
	for i, v := range atoms {
		number[int32(v)] = int32(i)
		a := m.Atoms[v]
		a.hydrogens, a.exact, a.Aromatic, a.lower = uint8(min(hydrogens[v], 255)), true, false, false
		f.Atoms = append(f.Atoms, a)
	}
	orders := m.kekuleOrders()
	var bonds []int // of m
	for i, b := range m.Bonds {
		from, ok := number[b.From]
		to, also := number[b.To]
		if ok && also {
			f.Bonds = append(f.Bonds, Bond{from, to, orders[i]})
			bonds = append(bonds, i)
		}
	}
	var cut []int // aromatic attachments
	for i, x := range at {
		star := int32(len(atoms) + i)
		f.Atoms = append(f.Atoms, Atom{exact: true, class: int32(x.Class)})
		f.Bonds = append(f.Bonds, Bond{number[int32(x.Atom)], star, orders[x.Bond]})
		bonds = append(bonds, x.Bond)
		if m.Bonds[x.Bond].Order == Aromatic {
			cut = append(cut, int(star))
		}
	}
	list := []*Molecule{f}
	if len(cut) > 0 {
		if paired := m.pairings(f, bonds, cut); len(paired) > 0 {
			list = paired
		}
	}
	for _, f := range list {
		if err := new(workspace).perceive(f, true, false); err != nil {
			panic("chem: a part of a molecule has a bond twice: " + err.Error())
		}
	}
	return list
}

// mostPairings is among how many attachments of aromatic bonds those are chosen that are double.
const mostPairings = 10

// pairings returns forms of f in which the bonds that were aromatic in m, and those that are cut, are single and
// double.
func (m *Molecule) pairings(f *Molecule, bonds, cut []int) (list []*Molecule) {
	if len(cut) > mostPairings {
		return nil
	}
	for double := 0; double <= len(cut) && len(list) == 0; double++ {
		for set := range 1 << len(cut) {
			if bits.OnesCount(uint(set)) != double {
				continue
			}
			var with []int
			for i, star := range cut {
				if set>>i&1 == 1 {
					with = append(with, star)
				}
			}
			if one := m.paired(f, bonds, with); one != nil {
				list = append(list, one)
			}
		}
	}
	return list
}

// paired returns the form in which these attachments are double, or nil if there is none.
func (m *Molecule) paired(f *Molecule, bonds, double []int) *Molecule {
	orders := m.kekuleOrders()
	start, arcs := adjacency(nil, nil, len(f.Atoms), f.Bonds)
	var k matcher
	k.begin(len(f.Atoms))
	for v := range f.Atoms {
		for _, a := range arcs[start[v]:start[v+1]] {
			if b := bonds[a.bond]; m.Bonds[b].Order == Aromatic &&
				(orders[b] == Double && f.Atoms[v].class == 0 || slices.Contains(double, v)) {
				k.add(int32(v), false)
			}
		}
	}
	if k.match(start, arcs, func(b int32) bool { return m.Bonds[bonds[b]].Order == Aromatic }) >= 0 {
		return nil
	}
	out := &Molecule{Atoms: slices.Clone(f.Atoms), Bonds: slices.Clone(f.Bonds)}
	for i := range out.Bonds {
		b := &out.Bonds[i]
		if m.Bonds[bonds[i]].Order != Aromatic {
			continue
		}
		if b.Order = Single; k.mate[b.From] == b.To {
			b.Order = Double
		}
	}
	return out
}
