package chem

import "slices"

// normalise makes charge-separated forms of neutral hypervalent atoms, as
// RDKit's clean-up does before anything else:
//
//	nitrogen of valence 5: N(=O)=O to [N+](=O)[O-], N#N to [N+]=[N-]
//	phosphorus of valence 5 and three neighbours, C=P=O to C=[P+][O-]
//	Cl, Br or I of valence 3, 5 or 7 among oxygens: each =O to [O-]
func (w *workspace) normalise() {
	for v := range w.m.Atoms {
		a := &w.m.Atoms[v]
		if a.Charge != 0 {
			continue
		}
		switch a.Element {
		case nitrogen:
			w.normaliseNitrogen(int32(v))
		case phosphorus:
			w.normalisePhosphorus(int32(v))
		case chlorine, bromine, iodine:
			w.normaliseHalogen(int32(v))
		}
	}
}

func (w *workspace) normaliseNitrogen(v int32) {
	if w.writtenValence(v) != 5 {
		return
	}
	for _, a := range w.at(v) {
		b, other := &w.m.Bonds[a.bond], &w.m.Atoms[a.to]
		switch {
		case other.Charge != 0:
		case other.Element == oxygen && b.Order == Double:
			w.separate(v, a, Single)
			return
		case other.Element == nitrogen && b.Order == Triple:
			w.separate(v, a, Double)
			return
		}
	}
}

func (w *workspace) normalisePhosphorus(v int32) {
	arcs := w.at(v)
	if len(arcs) != 3 || w.writtenValence(v) != 5 {
		return
	}
	var oxo *arc
	ylide := false
	for i, a := range arcs {
		if w.m.Bonds[a.bond].Order != Double {
			continue
		}
		switch other := &w.m.Atoms[a.to]; {
		case other.Element == oxygen && other.Charge == 0:
			oxo = &arcs[i]
		case other.Element == carbon || other.Element == nitrogen:
			ylide = ylide || len(w.at(a.to)) >= 2
		}
	}
	if oxo != nil && ylide {
		w.separate(v, *oxo, Single)
	}
}

func (w *workspace) normaliseHalogen(v int32) {
	switch w.writtenValence(v) {
	case 3, 5, 7:
	default:
		return
	}
	for _, a := range w.at(v) {
		if w.m.Atoms[a.to].Element != oxygen {
			return
		}
	}
	for _, a := range w.at(v) {
		if w.m.Bonds[a.bond].Order == Double {
			w.separate(v, a, Single)
		}
	}
}

// separate lowers the order of a bond of v, raises the charge of v by one and sets that of
// the other atom to -1.
func (w *workspace) separate(v int32, a arc, order Order) {
	w.m.Bonds[a.bond].Order = order
	w.m.Atoms[v].Charge++
	w.m.Atoms[a.to].Charge = -1
	w.m.Notes |= NoteNormalised
}

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
