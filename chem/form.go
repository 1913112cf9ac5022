package chem

// form is how an atom of a graph, which has no hydrogens and usually no charges, is written
// so that it reads back with the same bonds.
type form struct {
	charge   int8
	unpaired int8 // hydrogens fewer than the valence asks for
	double   bool // has a double bond in its aromatic ring
	lower    bool // is written as aromatic
	// stated hydrogens are given, and not derived from the bonds.
	stated    bool
	hydrogens uint8
	bracket   bool // is written in brackets in any case
}

// forms chooses a form for every atom. Aromatic rings get as many double bonds as possible,
// so that few atoms need hydrogens or charges.
func (d *drawn) forms() []form {
	forms := make([]form, len(d.atoms))
	var k matcher
	k.begin(len(d.atoms))
	k.start, k.arcs = d.start, d.arcs
	k.allowed = func(b int32) bool { return d.aromatic(b) }
	var last []int32 // atoms that take a double bond only if they must
	for v := range int32(len(d.atoms)) {
		a := &d.atoms[v]
		forms[v].charge = a.Charge
		if !d.inAromaticRing(v) {
			continue
		}
		forms[v].lower = hasLowerCase(a.Element)
		room := a.usual() - d.sigma(v)
		switch {
		case a.Element == Any, room > 0 && a.Element != carbon:
			k.add(v, true)
		case room > 0:
			k.add(v, a.Charge != 0)
		case room == 0 && !d.charged:
			last = append(last, v)
		}
	}
	d.doubles(&k, last)
	for v := range forms {
		forms[v].double = k.mate[v] >= 0
		switch {
		case d.charged || !forms[v].lower || d.atoms[v].Element == Any:
		case k.in[v] && !forms[v].double && !k.optional[v]:
			forms[v].charge = -1
		case forms[v].double && d.atoms[v].Element.valence() == d.sigma(int32(v)):
			forms[v].charge = 1
		}
	}
	if !d.charged {
		d.balance(forms)
	}
	return forms
}

// balance charges atoms with more bonds than a neutral atom can have, so that other programs
// accept them, too: N with four bonds is N+. In compensation, oxygens bonded to such an atom
// by their only bond, a single one, become O-.
func (d *drawn) balance(forms []form) {
	for v := range int32(len(d.atoms)) {
		if f := &forms[v]; !f.lower {
			f.charge = d.chargeFor(v)
		}
	}
	for v := range int32(len(d.atoms)) {
		left := forms[v].charge
		for _, a := range d.at(v) {
			if left > 0 && d.atoms[a.to].Element == oxygen && d.bonds[a.bond].Order == Single && len(d.at(a.to)) == 1 {
				forms[a.to].charge = -1
				left--
			}
		}
	}
}

// chargeFor returns the charge with which atom v, outside aromatic rings, can have its bonds:
// 0 if a neutral atom can, or if there is none.
func (d *drawn) chargeFor(v int32) int8 {
	e, sigma := d.atoms[v].Element, d.sigma(v)
	switch {
	case elements[e].anyValence():
		return 0
	case (e == chlorine || e == bromine) && sigma <= 4: // +3 in perchlorate
		return int8(max(sigma-1, 0))
	}
	for _, charge := range []int8{0, 1, -1} {
		a := Atom{Element: e, Charge: charge}
		valences, shift := a.valences()
		if last := valences[len(valences)-1]; last >= 0 && sigma <= int(last)+shift {
			return charge
		}
	}
	return 0
}

// doubles matches the atoms that get double bonds: first those that need one, then as many
// others as possible, and finally those still left with atoms that need a charge for it.
func (d *drawn) doubles(k *matcher, last []int32) {
	var left []int32
	for v := range int32(len(d.atoms)) {
		if k.alone(v, false) {
			k.matchGreedily(v)
		}
	}
	for v := range int32(len(d.atoms)) {
		if k.alone(v, false) && !k.augment(v, true) {
			left = append(left, v)
		}
	}
	for v := range int32(len(d.atoms)) {
		if k.alone(v, true) && d.atoms[v].Element != Any {
			k.augment(v, false)
		}
	}
	for _, v := range last {
		k.add(v, true)
	}
	for _, v := range left {
		if k.mate[v] < 0 {
			k.augment(v, true)
		}
	}
}

// aromatic reports whether a bond is aromatic and in a ring.
func (d *drawn) aromatic(bond int32) bool {
	return d.bonds[bond].Order == Aromatic && d.rings.inRing(bond)
}

func (d *drawn) inAromaticRing(v int32) bool {
	for _, a := range d.at(v) {
		if d.aromatic(a.bond) {
			return true
		}
	}
	return false
}

// sigma returns the sum of the orders of v's bonds, counting aromatic ones as single.
func (d *drawn) sigma(v int32) int {
	sum := 0
	for _, a := range d.at(v) {
		if o := d.bonds[a.bond].Order; o == Aromatic {
			sum++
		} else {
			sum += halves(o) / 2
		}
	}
	return sum
}

// hydrogens returns the number of hydrogens of atom v in the given form.
func (d *drawn) hydrogens(v int32, f form) int {
	if f.stated {
		return int(f.hydrogens)
	}
	a := Atom{Element: d.atoms[v].Element, Charge: f.charge}
	if a.Element == Any || a.Element == hydrogen || a.Element.valence() < 0 {
		return 0
	}
	used := d.sigma(v) + int(f.unpaired)
	if f.double {
		used++
	}
	if f.lower {
		return max(a.usual()-used, 0)
	}
	return roomLeft(&a, used)
}

// hasLowerCase reports whether an element can be written as aromatic.
func hasLowerCase(e Element) bool {
	switch e {
	case boron, carbon, nitrogen, oxygen, phosphorus, sulfur, silicon, arsenic, selenium, tellurium, Any:
		return true
	}
	return false
}

// inOrganicSubset reports whether an element can be written without brackets.
func inOrganicSubset(e Element) bool {
	switch e {
	case Any, boron, carbon, nitrogen, oxygen, fluorine, phosphorus, sulfur, chlorine, bromine, iodine:
		return true
	}
	return false
}

// bare reports whether atom v, written without brackets, reads back in the given form.
func (d *drawn) bare(v int32, f form) bool {
	e := d.atoms[v].Element
	switch {
	case !inOrganicSubset(e), f.charge != 0, f.unpaired != 0, f.bracket, d.atoms[v].isotope != 0, d.atoms[v].class != 0:
		return false
	case f.stated && !f.lower && e != Any:
		a := Atom{Element: e}
		return int(f.hydrogens) == roomLeft(&a, d.sigma(v))
	case e == Any || !f.lower:
		return true
	case e == carbon:
		return d.hydrogens(v, f) == max(3-d.sigma(v), 0)
	}
	return d.hydrogens(v, f) == 0
}
