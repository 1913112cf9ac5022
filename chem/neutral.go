package chem

// neutralise writes a molecule without the charges that hydrogens or a double bond can take up, and reports whether
// there were any:
//
//	S+, Se+, Te+, P+ or As+ with a single bond to O-, S- or Se-, which has no other: a double bond, as in sulfoxides
//	N+, P+, O+, S+, Se+ with a hydrogen: without it
//	O-, S-, Se-, Te-, N-, P- and halides: with a hydrogen
//
// Charges beside an opposite one stay, as in nitro groups, N-oxides and azides, and so do quaternary nitrogens, metals
// and what has several charges: the molecule need not become neutral as a whole. Each change depends on an atom and its
// neighbours alone, so it does not depend on how the molecule is written.
func (m *Molecule) neutralise() bool {
	charged := false
	for v := range m.Atoms {
		charged = charged || m.Atoms[v].Charge != 0
	}
	if !charged {
		return false
	}
	changed := m.joinCharges()
	hydrogens := m.Hydrogens()
	beside := make([]bool, len(m.Atoms)) // an opposite charge
	for _, b := range m.Bonds {
		if from, to := m.Atoms[b.From].Charge, m.Atoms[b.To].Charge; from > 0 && to < 0 || from < 0 && to > 0 {
			beside[b.From], beside[b.To] = true, true
		}
	}
	for v := range m.Atoms {
		a := &m.Atoms[v]
		change := 0
		switch {
		case beside[v]:
		case a.Charge == 1 && hydrogens[v] > 0 && losesHydrogen(a.Element):
			change = -1
		case a.Charge == -1 && takesHydrogen(a.Element):
			change = 1
		}
		if change != 0 {
			a.Charge, changed = 0, true
			a.hydrogens, a.exact = uint8(hydrogens[v]+change), true
		}
	}
	return changed
}

// joinCharges makes double bonds of single ones between opposite charges, as in sulfoxides.
func (m *Molecule) joinCharges() (changed bool) {
	degree := make([]int, len(m.Atoms))
	for _, b := range m.Bonds {
		degree[b.From]++
		degree[b.To]++
	}
	for i, b := range m.Bonds {
		plus, minus := b.From, b.To
		if m.Atoms[plus].Charge < 0 {
			plus, minus = minus, plus
		}
		p, n := &m.Atoms[plus], &m.Atoms[minus]
		if b.Order != Single || p.Charge != 1 || n.Charge != -1 || degree[minus] != 1 || p.Aromatic {
			continue
		}
		switch p.Element {
		case sulfur, selenium, tellurium, phosphorus, arsenic:
		default:
			continue
		}
		switch n.Element {
		case oxygen, sulfur, selenium:
			m.Bonds[i].Order, p.Charge, n.Charge, changed = Double, 0, 0, true
			if m.kekule != nil {
				m.kekule[i] = Double
			}
		}
	}
	return changed
}

func losesHydrogen(e Element) bool {
	switch e {
	case nitrogen, phosphorus, oxygen, sulfur, selenium:
		return true
	}
	return false
}

func takesHydrogen(e Element) bool {
	switch e {
	case nitrogen, phosphorus, oxygen, sulfur, selenium, tellurium, fluorine, chlorine, bromine, iodine:
		return true
	}
	return false
}
