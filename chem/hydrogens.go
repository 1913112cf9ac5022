package chem

import "slices"

// foldHydrogens removes every hydrogen atom that is no more than a hydrogen of its neighbour,
// and counts it there. It keeps hydrogens with an isotope, without a neighbour or with
// several, and those bonded to another hydrogen or to a wildcard. These are RDKit's rules,
// with one exception: a hydrogen with a cis/trans mark is not kept, because the mark is
// dropped.
func (w *workspace) foldHydrogens(m *Molecule, src *source) {
	degree := resize(w.seen, len(m.Atoms))
	clear(degree)
	for _, b := range m.Bonds {
		degree[b.From]++
		degree[b.To]++
	}
	folds := func(v, neighbour int32) bool {
		a, b := &m.Atoms[v], &m.Atoms[neighbour]
		return a.Element == hydrogen && a.isotope == 0 && degree[v] == 1 &&
			b.Element != hydrogen && b.Element != Any
	}
	const gone = -1
	number := degree // of the atoms that stay, once the degrees have been used
	fold := make([]bool, len(m.Atoms))
	i := 0
	src.bonds = slices.DeleteFunc(src.bonds, func(int32) bool {
		b := m.Bonds[i]
		i++
		return folds(b.From, b.To) || folds(b.To, b.From)
	})
	m.Bonds = slices.DeleteFunc(m.Bonds, func(b Bond) bool {
		if folds(b.To, b.From) {
			b.From, b.To = b.To, b.From
		} else if !folds(b.From, b.To) {
			return false
		}
		fold[b.From] = true
		if a := &m.Atoms[b.To]; a.hydrogens < 255 {
			a.hydrogens++
		}
		return true
	})
	next := int32(0)
	for v := range m.Atoms {
		if fold[v] {
			number[v] = gone
			continue
		}
		number[v] = next
		m.Atoms[next] = m.Atoms[v]
		src.atoms[next] = src.atoms[v]
		next++
	}
	m.Atoms = m.Atoms[:next]
	src.atoms = src.atoms[:next]
	for i := range m.Bonds {
		m.Bonds[i].From = number[m.Bonds[i].From]
		m.Bonds[i].To = number[m.Bonds[i].To]
	}
	if len(m.centres)+len(m.slopes) > 0 {
		m.renumber(number)
	}
	w.seen = degree
}
