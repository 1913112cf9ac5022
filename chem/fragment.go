package chem

import "slices"

// Fragment returns the part of m with the given atoms, in this order, and the bonds between
// them. For every attachment it appends an atom * of class 1, 2, and so on, with a single
// bond to the atom at this position in atoms; at is -1 where the attachment replaces a
// hydrogen. If every cut bond is single and has an attachment, all atoms keep their
// hydrogens.
func (m *Molecule) Fragment(atoms, at []int) *Molecule {
	f := &Molecule{Atoms: make([]Atom, 0, len(atoms)+2*len(at))}
	number := slices.Repeat([]int32{-1}, len(m.Atoms))
	for i, v := range atoms {
		number[v] = int32(i)
		f.Atoms = append(f.Atoms, m.Atoms[v])
	}
	for i, b := range m.Bonds {
		if number[b.From] < 0 || number[b.To] < 0 {
			continue
		}
		f.Bonds = append(f.Bonds, Bond{number[b.From], number[b.To], b.Order})
		if m.kekule != nil {
			f.kekule = append(f.kekule, m.kekule[i])
		}
	}
	for i, v := range at {
		star := int32(len(f.Atoms))
		f.Atoms = append(f.Atoms, Atom{class: int32(i + 1)})
		if v < 0 {
			v = len(f.Atoms)
			f.Atoms = append(f.Atoms, Atom{Element: hydrogen, exact: true})
		}
		f.Bonds = append(f.Bonds, Bond{star, int32(v), Single})
		if m.kekule != nil {
			f.kekule = append(f.kekule, Single)
		}
	}
	return f
}

// Hydrogens returns the number of implicit hydrogens of every atom.
func (m *Molecule) Hydrogens() []int {
	used := m.usedValences(m.kekuleOrders())
	for v := range used {
		used[v] = m.hydrogensOf(v, used[v])
	}
	return used
}

// Part returns the part of m with the given atoms, in this order, and the bonds between them. All atoms keep their
// hydrogens. One of them may have lost a single bond, that at position at, unless at is -1: in place of what it led to
// there is an atom * of class 1, or, if capped, one more hydrogen.
func (m *Molecule) Part(atoms []int, at int, capped bool) *Molecule {
	f := &Molecule{Atoms: make([]Atom, 0, len(atoms)+1)}
	number := slices.Repeat([]int32{-1}, len(m.Atoms))
	hydrogens := m.Hydrogens()
	for i, v := range atoms {
		number[v] = int32(i)
		a := m.Atoms[v]
		if i == at && capped {
			hydrogens[v]++
		}
		a.hydrogens, a.exact = uint8(min(hydrogens[v], 255)), true
		f.Atoms = append(f.Atoms, a)
	}
	for i, b := range m.Bonds {
		if number[b.From] < 0 || number[b.To] < 0 {
			continue
		}
		f.Bonds = append(f.Bonds, Bond{number[b.From], number[b.To], b.Order})
		if m.kekule != nil {
			f.kekule = append(f.kekule, m.kekule[i])
		}
	}
	if at >= 0 && !capped {
		f.Bonds = append(f.Bonds, Bond{int32(len(f.Atoms)), int32(at), Single})
		f.Atoms = append(f.Atoms, Atom{class: 1, exact: true})
		if m.kekule != nil {
			f.kekule = append(f.kekule, Single)
		}
	}
	return f
}
