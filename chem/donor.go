package chem

// donor is the contribution of an atom to the π electrons of a ring.
type donor uint8

const (
	unknown  donor = iota
	excluded       // cannot be part of an aromatic ring
	vacant         // none, but has an empty orbital
	one
	two
	oneOrTwo // a wildcard
)

// electrons returns the least and the greatest number of electrons.
func (d donor) electrons() (least, most int) {
	switch d {
	case one:
		return 1, 1
	case two:
		return 2, 2
	case oneOrTwo:
		return 1, 2
	}
	return 0, 0
}

// donorOf classifies ring atom v by the Kekulé orders of its bonds, with the
// rules of RDKit's default model.
func (w *workspace) donorOf(v int32) donor {
	a := &w.m.Atoms[v]
	arcs := w.at(v)
	stated := int(a.hydrogens)
	valence := stated
	bonded := stated         // bonds and stated hydrogens
	multiple := 0            // double and triple bonds
	cyclic := false          // one of them in a ring
	outside := Element(0xff) // atom at the end of one that is in no ring
	for _, arc := range arcs {
		o := w.order[arc.bond]
		valence += halves(o) / 2
		if o != dative {
			bonded++
		}
		if o < Double || o > Quadruple {
			continue
		}
		if o != Quadruple {
			multiple++
		}
		if w.rings.inRing(arc.bond) {
			cyclic = true
		} else if outside == 0xff {
			outside = w.m.Atoms[arc.to].Element
		}
	}
	if a.Element == Any {
		switch {
		case multiple > 1:
			return excluded
		case cyclic:
			return one
		}
		return oneOrTwo
	}
	if a.Element > argon && a.Element != selenium && a.Element != tellurium {
		return excluded
	}
	usual := a.Element.valence()
	if usual <= 1 {
		return excluded
	}
	implicit := w.kekuleHydrogens(v, valence)
	degree := bonded + implicit
	if degree > 3 || w.overloaded(a, valence+implicit) || multiple > 1 {
		return excluded
	}
	unpaired := radicals(a, valence)
	if unpaired > 0 && (a.Element != carbon || a.Charge != 0) {
		return excluded
	}
	lone := max(int(elements[a.Element].outer)-usual-int(a.Charge), 0)
	available := usual - degree + lone - unpaired
	if available > 1 && valence-len(arcs) > 1 {
		available = 1
	}
	steals := outside != 0xff && moreElectronegative(outside, a.Element)
	switch {
	case available < 0:
		return excluded
	case available == 0 && outside != 0xff:
		return vacant
	case available == 0 && cyclic:
		return one
	case available == 0:
		return excluded
	case available == 1 && steals:
		return vacant
	case available == 1 && (outside != 0xff || valence != bonded):
		return one
	case available == 1 && a.Charge == 1:
		return vacant
	case available == 1:
		return excluded
	case steals:
		available--
	}
	if available%2 == 1 {
		return one
	}
	return two
}

// macrocycle is the size from which on oxygen and sulfur between single bonds contribute no
// electrons to a ring, as in RDKit since 2026.09.
const macrocycle = 9

// bridges reports whether v is an oxygen or sulfur that contributes two electrons to small
// rings, as in furan, and none to macrocycles.
func (w *workspace) bridges(v int32) bool {
	a, arcs := &w.m.Atoms[v], w.at(v)
	if w.donors[v] != two || a.Charge != 0 || a.Element != oxygen && a.Element != sulfur || len(arcs) != 2 {
		return false
	}
	for _, arc := range arcs {
		if o := w.order[arc.bond]; o == Double || o == Triple {
			return false
		}
	}
	return true
}

// kekuleHydrogens returns the number of hydrogens of v that are not stated.
func (w *workspace) kekuleHydrogens(v int32, valence int) int {
	a := &w.m.Atoms[v]
	switch {
	case a.exact:
		return 0
	case w.aromatic:
		return int(w.implicit[v])
	}
	return roomLeft(a, valence+int(a.unpaired))
}

// overloaded reports whether the valence of an atom exceeds the usual one of the neutral
// element with as many electrons.
func (w *workspace) overloaded(a *Atom, valence int) bool {
	like := int(a.Element) - int(a.Charge)
	if like < 0 || like > maxElement {
		return true
	}
	return valence > Element(like).valence()
}
