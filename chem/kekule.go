package chem

import (
	"fmt"
	"strings"
)

// KekuleError reports atoms that are written as aromatic but cannot be: they are in no ring,
// or no assignment of alternating single and double bonds satisfies their valences.
type KekuleError struct {
	// Where says what Atoms refers to: "column" for bytes of a SMILES, "atom" for numbers in
	// a MOL block; both start at 1.
	Where string
	// Atoms lists the atoms.
	Atoms []int
	// NotInRing says that the atoms are in no ring.
	NotInRing bool
}

func (e *KekuleError) Error() string {
	const most = 12
	var b strings.Builder
	b.WriteString(e.Where)
	if len(e.Atoms) > 1 {
		b.WriteByte('s')
	}
	for i, v := range e.Atoms {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(e.Atoms)-most)
			break
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %d", v)
	}
	if e.NotInRing {
		b.WriteString(": written as aromatic, but not in a ring")
	} else {
		b.WriteString(": no alternation of single and double bonds gives these aromatic atoms their valences (an " +
			"aromatic nitrogen that bears a hydrogen is written [nH])")
	}
	return b.String()
}

// kekulise gives every bond written as aromatic an order of 1 or 2 in w.order, such that
// every aromatic atom that can have a double bond has one, and as many wildcards among them
// as possible. Bonds written as aromatic outside rings are left as they are. Then it perceives aromaticity.
//
// Where several assignments do, bonds between aromatic rings that are in none are single if they can be, as
// in biphenylene; which bonds are double otherwise depends on the order of the atoms.
func (w *workspace) kekulise() error {
	m := w.m
	if err := w.checkInRings(); err != nil {
		return err
	}
	k := &w.kekule
	k.begin(len(m.Atoms))
	w.implicit = resize(w.implicit, len(m.Atoms))
	aromatic := w.aromaticBlocks()
	for v := range int32(len(m.Atoms)) {
		valence := w.writtenValence(v)
		implicit := w.implicitHydrogens(v, valence)
		w.implicit[v] = int32(implicit)
		switch {
		case m.Atoms[v].Element == Any:
			k.add(v, true)
		case (m.Atoms[v].lower || w.hasKekuleBond(v)) && w.takesDouble(v, valence, implicit):
			k.add(v, false)
		}
	}
	w.between = resize(w.between, len(m.Bonds))
	clear(w.between)
	allowed := func(bond int32) bool {
		b := m.Bonds[bond]
		return !w.between[bond] && w.rings.inRing(bond) && aromatic[w.rings.of[bond]] && (b.Order == Aromatic ||
			b.Order == Single && (m.Atoms[b.From].Element == Any || m.Atoms[b.To].Element == Any))
	}
	if alone := k.match(w.start, w.arcs, allowed); alone >= 0 {
		return w.kekuleError(alone)
	}
	w.written = append(w.written[:0], m.Bonds...)
	w.setOrders()
	w.perceiveAromaticity()
	found := false
	for i, b := range m.Bonds {
		w.between[i] = b.Order == Double && w.written[i].Order == Aromatic && m.Atoms[b.From].Aromatic &&
			m.Atoms[b.To].Aromatic
		found = found || w.between[i]
	}
	if !found {
		return nil
	}
	perceived := append([]Bond(nil), m.Bonds...)
	copy(m.Bonds, w.written)
	for v := range k.mate {
		k.mate[v] = -1
	}
	if k.match(w.start, w.arcs, allowed) >= 0 { // they cannot all be single
		copy(m.Bonds, perceived)
		return nil
	}
	for v := range m.Atoms {
		m.Atoms[v].Aromatic = false
	}
	w.setOrders()
	w.perceiveAromaticity()
	return nil
}

// setOrders gives the bonds written as aromatic the orders that the matching says.
func (w *workspace) setOrders() {
	for i, b := range w.m.Bonds {
		w.order[i] = b.Order
		switch {
		case w.kekule.mate[b.From] == b.To:
			w.order[i] = Double
		case w.kekuleBond(int32(i)):
			w.order[i] = Single
		}
	}
}

// kekuleBond reports whether a bond is written as aromatic and in a ring.
func (w *workspace) kekuleBond(bond int32) bool {
	return w.m.Bonds[bond].Order == Aromatic && w.rings.inRing(bond)
}

func (w *workspace) hasKekuleBond(v int32) bool {
	for _, a := range w.at(v) {
		if w.kekuleBond(a.bond) {
			return true
		}
	}
	return false
}

// aromaticBlocks reports for each block whether it has a bond written as aromatic.
// There, wildcards may have double bonds too.
func (w *workspace) aromaticBlocks() []bool {
	w.blocks = resize(w.blocks, w.rings.count())
	blocks := w.blocks
	clear(blocks)
	for i := range w.m.Bonds {
		if w.kekuleBond(int32(i)) {
			blocks[w.rings.of[i]] = true
		}
	}
	return blocks
}

// checkInRings makes single the unmarked bonds between rings, such as that of
// biphenyl, and returns an error for atoms written as aromatic in no ring.
func (w *workspace) checkInRings() error {
	bonds := w.m.Bonds
	for v := range int32(len(w.m.Atoms)) {
		if !w.m.Atoms[v].lower {
			continue
		}
		in := false
		for _, a := range w.at(v) {
			in = in || w.rings.inRing(a.bond)
		}
		if !in {
			return &KekuleError{Where: "atom", Atoms: []int{int(v)}, NotInRing: true}
		}
	}
	for i := range bonds {
		b := &bonds[i]
		if b.Order == Aromatic && !w.rings.inRing(int32(i)) && w.m.Atoms[b.From].lower && w.m.Atoms[b.To].lower {
			b.Order = Single
		}
	}
	return nil
}

// takesDouble reports whether atom v, which is written as aromatic, can have a double bond
// within its ring, given its valence as written and its implicit hydrogens.
func (w *workspace) takesDouble(v int32, written, implicit int) bool {
	a := &w.m.Atoms[v]
	sigma := int(a.hydrogens) + implicit // bonds, each aromatic one counted as single
	bonded := implicit                   // atoms, those of dative bonds left out
	for _, arc := range w.at(v) {
		o := w.m.Bonds[arc.bond].Order
		if o != dative {
			bonded++
		}
		switch o {
		case Aromatic:
			sigma++
		default:
			sigma += halves(o) / 2
		}
	}
	shift := valenceShift(a)
	room := a.Element.valence() + shift
	for _, allowed := range elements[a.Element].valences[1:] {
		if written+implicit <= room || allowed <= 0 {
			break
		}
		room = int(allowed) + shift
	}
	if bonded >= room {
		return false
	}
	return room == sigma+1 || a.exact && room == sigma+2
}

// kekuleError names the aromatic atoms connected to atom v.
func (w *workspace) kekuleError(v int32) error {
	var atoms []int
	w.seen = resize(w.seen, len(w.m.Atoms))
	clear(w.seen)
	stack := []int32{v}
	w.seen[v] = 1
	for len(stack) > 0 {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, a := range w.at(u) {
			if w.kekuleBond(a.bond) && w.seen[a.to] == 0 {
				w.seen[a.to] = 1
				stack = append(stack, a.to)
			}
		}
	}
	for u, in := range w.seen {
		if in != 0 {
			atoms = append(atoms, u)
		}
	}
	return &KekuleError{Where: "atom", Atoms: atoms}
}
