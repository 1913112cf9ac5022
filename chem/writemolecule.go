package chem

import (
	"fmt"
	"slices"
)

// SMILES returns a SMILES of m, with its charges, hydrogens, isotopes and
// configurations, and the atom of m that each atom of the text is. [ParseSMILES]
// reads it as the same atoms and bonds. If none is found that it does, the error
// wraps [ErrNotWritable].
func (m *Molecule) SMILES() (text string, order []int32, err error) {
	return new(SMILESWriter).Write(m)
}

// SMILESWriter writes the SMILES of many molecules, keeping memory from one to
// the next. The zero SMILESWriter is ready for use; it must not be used
// concurrently.
type SMILESWriter struct {
	parser Parser // reads what was written
}

// Write returns what [Molecule.SMILES] does.
func (w *SMILESWriter) Write(m *Molecule) (text string, order []int32, err error) {
	d := &drawn{atoms: m.Atoms, bonds: slices.Clone(m.Bonds), charged: true, centres: m.centres, slopes: m.slopes}
	orders := m.kekuleOrders()
	for i, o := range orders {
		if o == dative {
			d.bonds[i].Order = dative
		}
	}
	d.link()
	used := m.usedValences(orders)
	forms := make([]form, len(m.Atoms))
	for v := range m.Atoms {
		a := &m.Atoms[v]
		forms[v] = form{
			charge: a.Charge, lower: d.inAromaticRing(int32(v)) && hasLowerCase(a.Element),
			stated: true, hydrogens: uint8(min(m.hydrogensOf(v, used[v]), 255)),
		}
	}
	for _, c := range m.centres {
		forms[c.atom].bracket = d.atoms[c.atom].Element != Any
	}
	r := newReading(d, forms, &w.parser)
	wrong := r.try()
	if wrong > 0 {
		// Brackets say of every atom what the rules would work out otherwise.
		for v := range forms {
			forms[v].bracket = d.atoms[v].Element != Any
		}
		wrong = r.try()
	}
	if wrong > 0 {
		return "", nil, fmt.Errorf("chem: the closest SMILES, %q, differs in %d bonds or atoms: %w", r.text, wrong,
			ErrNotWritable)
	}
	return string(r.text), r.order, nil
}
