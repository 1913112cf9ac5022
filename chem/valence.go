package chem

// halves returns twice what a bond adds to the valence of its atoms.
func halves(o Order) int { return int(orderHalves[o]) }

var orderHalves = [...]int8{AnyOrder: 2, Single: 2, Double: 4, Triple: 6, Quadruple: 8, Aromatic: 3, dative: 0}

// writtenValence returns the valence of atom v by its bonds and stated
// hydrogens, before aromatic bonds are given Kekulé orders: each counts 1.5, and
// the sum is rounded up.
//
// Three aromatic bonds, or two and a single one, can add up to more than the
// default valence of an aromatic atom; the valence is then taken to be the
// largest allowed one, if it is no more than 1.5 below.
func (w *workspace) writtenValence(v int32) int {
	a := &w.m.Atoms[v]
	sum := 2 * int(a.hydrogens)
	aromatic := a.lower
	for _, arc := range w.at(v) {
		o := w.m.Bonds[arc.bond].Order
		sum += halves(o)
		aromatic = aromatic || o == Aromatic
	}
	valences := elements[a.like()].valences
	base := int(valences[0])
	if !aromatic || sum <= 2*base {
		return (sum + 1) / 2
	}
	for _, allowed := range valences {
		if allowed < 0 || 2*int(allowed) > sum {
			break
		}
		base = int(allowed)
	}
	if sum-2*base <= 3 {
		return base
	}
	return (sum + 1) / 2
}

// checkValences makes a note if an atom has a valence that its element, with the
// charge, does not allow.
func (w *workspace) checkValences() {
	w.sum = resize(w.sum, len(w.m.Atoms))
	for v := range w.m.Atoms {
		w.sum[v] = 2 * int32(w.m.Atoms[v].hydrogens)
	}
	for _, b := range w.m.Bonds {
		h := int32(halves(b.Order))
		w.sum[b.From] += h
		w.sum[b.To] += h
	}
	for v := range w.m.Atoms {
		a := &w.m.Atoms[v]
		valences, shift := a.valences()
		last := valences[len(valences)-1]
		if last < 0 || elements[a.Element].anyValence() {
			continue
		}
		most := int(last) + shift
		if a.Element == hydrogen && a.Charge == -1 {
			most = 2 // as RDKit still has it
		}
		if int(w.sum[v]) > 2*most && w.writtenValence(int32(v)) > most {
			w.m.Notes |= NoteValence
		}
	}
}

// implicitHydrogens returns how many hydrogens atom v has beyond those stated,
// given its valence without them.
func (w *workspace) implicitHydrogens(v int32, valence int) int {
	a := &w.m.Atoms[v]
	if a.exact || a.Element.valence() < 0 {
		return 0
	}
	valence += int(a.unpaired)
	if w.isAromatic(v) {
		return max(a.usual()-valence, 0)
	}
	return roomLeft(a, valence)
}

// roomLeft returns how much the least allowed valence that is large enough
// exceeds the given one, or 0.
func roomLeft(a *Atom, valence int) int {
	valences, shift := a.valences()
	for _, allowed := range valences {
		if left := int(allowed) + shift - valence; allowed >= 0 && left >= 0 {
			return left
		}
	}
	return 0
}

// isAromatic reports whether atom v is written as aromatic or has a bond that is.
func (w *workspace) isAromatic(v int32) bool {
	if w.m.Atoms[v].lower {
		return true
	}
	for _, arc := range w.at(v) {
		if w.m.Bonds[arc.bond].Order == Aromatic {
			return true
		}
	}
	return false
}

// like returns the element whose valences an atom has: that of a neutral atom with as many
// electrons. Those of most metals depend on no charge.
func (a *Atom) like() Element {
	if a.Element.valence() < 0 {
		return a.Element
	}
	return Element(min(max(int(a.Element)-int(a.Charge), 0), maxElement))
}

// valences returns the valences that an atom may have with its charge, the default first; shift is
// to be added to each, and -1 allows any. Anions of phosphorus, sulfur, arsenic and selenium have
// more than the halogens and noble gases with as many electrons: PF6- does, SF5-.
func (a *Atom) valences() (list []int8, shift int) {
	like := a.like()
	switch a.Element {
	case phosphorus, sulfur, arsenic, selenium:
		halogen := chlorine
		if a.Element >= arsenic {
			halogen = bromine
		}
		if like >= halogen {
			return elements[a.Element].valences, int(a.Charge)
		}
	}
	return elements[like].valences, 0
}

// usual returns the default valence of an atom with its charge, less than 0 if it has none.
func (a *Atom) usual() int {
	valences, shift := a.valences()
	return int(valences[0]) + shift
}

// valenceShift returns how much its charge adds to the valences of an atom that is written as
// aromatic: N+ takes four bonds, but B- does too, and C+ three as C- does.
func valenceShift(a *Atom) int {
	charge := int(a.Charge)
	if a.Element.early() || a.Element == carbon && charge > 0 {
		return -charge
	}
	return charge
}

// radicals returns the number of unpaired electrons of an atom with the given
// valence. Only atoms whose hydrogens are stated can have any that are not
// stated themselves.
func radicals(a *Atom, valence int) int {
	if !a.exact || a.Element == Any {
		return int(a.unpaired)
	}
	e := &elements[a.Element]
	outer, charge := int(e.outer), int(a.Charge)
	if len(e.valences) == 1 && e.valences[0] == -1 {
		return 0 // no ring atom of such an element is ever aromatic
	}
	shell := 8
	if a.Element <= helium {
		shell = 2
	}
	n := shell - outer - valence + charge
	if n < 0 {
		n = 0
		if len(e.valences) > 1 {
			for _, allowed := range e.valences {
				if left := int(allowed) - valence + charge; left >= 0 {
					n = left
					break
				}
			}
		}
	}
	if left := outer - valence - charge; left >= 0 {
		n = min(n, left)
	}
	return n
}
