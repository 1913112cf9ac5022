package chem

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// TriposMolecule begins every molecule of a MOL2 file.
const TriposMolecule = "@<TRIPOS>MOLECULE"

// Mol2Parser reads molecules of MOL2 files, keeping its memory from one to the next. The
// zero Mol2Parser is ready for use; it must not be used concurrently. Molecules are valid
// until the next call.
type Mol2Parser struct {
	molParser
	types []string // [atoms]
}

// Parse reads a molecule of a Tripos MOL2 file, whose first line has the given
// number: the name, the sections ATOM and BOND; others are ignored, and so are
// coordinates and partial charges.
//
// MOL2 has atom types in place of formal charges. These are worked out: where the
// file has hydrogens, it has all of them, and an atom with one bond more or less
// than its element has in a neutral molecule is charged; carboxylates and their
// like (O.co2), guanidinium (C.cat) and ammonium (N.4) are by their types.
// Aromatic bonds of rings are read as those of MOL blocks, amide bonds as single.
// Errors are [*FormatError]s.
func (p *Mol2Parser) Parse(block []byte, line int) (*Molecule, error) {
	p.begin(block, line)
	p.number = make(map[int]int32)
	p.types = p.types[:0]
	if err := p.sections(); err != nil {
		return nil, err
	}
	if len(p.mol.Atoms) == 0 {
		return nil, p.fail("the molecule has no atoms")
	}
	p.settleTypes()
	atoms, bonds := slices.Clone(p.mol.Atoms), slices.Clone(p.mol.Bonds)
	atomLines, bondLines := slices.Clone(p.source.atoms), slices.Clone(p.source.bonds)
	err := p.perceive()
	var kekule *KekuleError
	for _, charge := range []func(v, degree int) bool{
		func(v, degree int) bool { return p.types[v] == "N.ar" && degree == 3 }, // pyridinium
		func(v, degree int) bool {
			return degree == 2 && (atoms[v].Element == oxygen || atoms[v].Element == sulfur)
		}, // pyrylium
	} {
		if !errors.As(err, &kekule) {
			break
		}
		if chargeAromatic(atoms, bonds, charge) {
			m := &p.mol
			m.Atoms, m.Bonds = append(m.Atoms[:0], atoms...), append(m.Bonds[:0], bonds...)
			p.source.atoms, p.source.bonds = append(p.source.atoms[:0], atomLines...), append(p.source.bonds[:0], bondLines...)
			err = p.perceive()
		}
	}
	if err != nil {
		return nil, err
	}
	return &p.mol, nil
}

func (p *Mol2Parser) sections() error {
	section, lines := "", 0
	for {
		line, ok := p.lines.next()
		if !ok {
			return nil
		}
		if bytes.HasPrefix(line, []byte("@<TRIPOS>")) {
			section, lines = strings.TrimSpace(string(line[len("@<TRIPOS>"):])), 0
			continue
		}
		lines++
		text := strings.TrimSpace(string(line))
		if section == "MOLECULE" && lines == 1 {
			if text != "****" { // stands for no name
				p.mol.Name = text
			}
			continue
		}
		if text == "" || text[0] == '#' {
			continue
		}
		var err error
		switch section {
		case "ATOM":
			err = p.atomLine(strings.Fields(text))
		case "BOND":
			err = p.bondLine(strings.Fields(text))
		}
		if err != nil {
			return err
		}
	}
}

// atomLine reads the number, name, coordinates and type of an atom.
func (p *Mol2Parser) atomLine(fields []string) error {
	if len(fields) < 6 {
		return p.fail("found %d fields, expected an atom: number, name, x, y, z and type", len(fields))
	}
	n, err := strconv.ParseInt(fields[0], 10, 32)
	if err != nil {
		return p.fail("found %q, expected the number of an atom", fields[0])
	}
	if _, ok := p.number[int(n)]; ok {
		return p.fail("atom %d is given twice", n)
	}
	kind := fields[5]
	symbol, _, _ := strings.Cut(kind, ".")
	switch symbol {
	case "Du", "Any", "Hal", "Het", "Hev":
		symbol = "*"
		p.mol.Notes |= NoteQuery
	}
	a, err := p.addAtom(symbol)
	if err != nil {
		return err
	}
	p.number[int(n)] = int32(len(p.mol.Atoms) - 1)
	a.Number = int32(n)
	p.types = append(p.types, kind)
	return nil
}

// bondLine reads the number, the two atoms and the type of a bond.
func (p *Mol2Parser) bondLine(fields []string) error {
	if len(fields) < 4 {
		return p.fail("found %d fields, expected a bond: number, two atoms and type", len(fields))
	}
	var ends [2]int32
	for i, f := range fields[1:3] {
		n, err := strconv.Atoi(f)
		if err != nil {
			return p.fail("found %q, expected the number of an atom", f)
		}
		v, ok := p.number[n]
		if !ok {
			return p.fail("found atom %d, which is not in the section of atoms", n)
		}
		ends[i] = v
	}
	kind := 0
	switch fields[3] {
	case "1", "2", "3":
		kind = int(fields[3][0] - '0')
	case "am":
		kind = 1
	case "ar":
		kind = 4
	case "du", "un":
		kind = 8
		p.mol.Notes |= NoteQuery
	case "nc": // not connected
		return nil
	default:
		return p.fail("found the bond type %.10q, expected 1, 2, 3, am, ar, du, un or nc", fields[3])
	}
	return p.addBond(ends[0], ends[1], kind)
}

// settleTypes turns what types tell into charges and orders.
func (p *Mol2Parser) settleTypes() {
	m, w := &p.mol, &p.work
	w.m = m
	w.link()
	explicit := slices.ContainsFunc(m.Atoms, func(a Atom) bool { return a.Element == hydrogen })
	for v := range int32(len(m.Atoms)) {
		p.settleOxygens(v)
		if p.types[v] == "C.cat" {
			p.settleCation(v)
		}
	}
	for v := range int32(len(m.Atoms)) {
		a := &m.Atoms[v]
		// Too many bonds are too many with hydrogens or without.
		if c := p.chargeByBonds(v); a.Charge == 0 && (explicit || c > 0 || len(w.at(v)) == 0) {
			a.Charge = c
		}
		a.exact = explicit
	}
}

// settleOxygens gives the oxygens of type O.co2 at atom v, which share a charge,
// one each: as many as the element allows have a double bond.
func (p *Mol2Parser) settleOxygens(v int32) {
	m := &p.mol
	left := 1 // double bonds
	if m.Atoms[v].Element == sulfur {
		left = 2
	}
	for _, a := range p.work.at(v) {
		b := &m.Bonds[a.bond]
		if p.types[a.to] != "O.co2" && b.Order == Double {
			left--
		}
	}
	for _, a := range p.work.at(v) {
		b := &m.Bonds[a.bond]
		if p.types[a.to] != "O.co2" || len(p.work.at(a.to)) != 1 {
			continue
		}
		if b.Order == Aromatic {
			b.Order = Single
			if left > 0 {
				b.Order = Double
				left--
			}
		}
		if b.Order == Single {
			m.Atoms[a.to].Charge = -1
		}
	}
}

// settleCation gives the first nitrogen with an aromatic bond to the carbon of a
// guanidinium the double bond and the charge.
func (p *Mol2Parser) settleCation(v int32) {
	left := true
	for _, a := range p.work.at(v) {
		b := &p.mol.Bonds[a.bond]
		if b.Order != Aromatic || p.mol.Atoms[a.to].Element != nitrogen {
			continue
		}
		b.Order = Single
		if left {
			b.Order = Double
			p.mol.Atoms[a.to].Charge = 1
			left = false
		}
	}
}

// chargeByBonds returns the charge of an atom all of whose bonds, those to
// hydrogens included, are in the file.
func (p *Mol2Parser) chargeByBonds(v int32) int8 {
	sum, strongest := 0, int32(-1)
	for _, a := range p.work.at(v) {
		o := p.mol.Bonds[a.bond].Order
		if o == Aromatic || o == AnyOrder {
			return 0 // left to the perception of rings
		}
		sum += halves(o) / 2
		if o == Triple {
			strongest = a.to
		}
	}
	switch e := p.mol.Atoms[v].Element; {
	case sum == 0:
		switch e {
		case fluorine, chlorine, bromine, iodine:
			return -1
		case 3, 11, 19, 37, 55, 47: // alkali metals and silver
			return 1
		case 12, 20, 38, 56, 30: // alkaline earths and zinc
			return 2
		}
	case e == nitrogen && sum == 4, e == oxygen && sum == 3, e == sulfur && sum == 3, e == phosphorus && sum == 4 && len(p.work.at(v)) == 4:
		return 1
	case e == nitrogen && sum == 2, e == oxygen && sum == 1, e == sulfur && sum == 1, e == boron && sum == 4:
		return -1
	case e == carbon && sum == 3 && strongest >= 0 && p.mol.Atoms[strongest].Element == nitrogen && len(p.work.at(strongest)) == 2:
		return -1 // isocyanide
	}
	return 0
}

// chargeAromatic gives a charge to neutral atoms with two aromatic bonds that
// which chooses by their number and degree, and reports whether there are any.
func chargeAromatic(atoms []Atom, bonds []Bond, which func(v, degree int) bool) bool {
	degree, aromatic := make([]int, len(atoms)), make([]int, len(atoms))
	for _, b := range bonds {
		for _, v := range [2]int32{b.From, b.To} {
			degree[v]++
			if b.Order == Aromatic {
				aromatic[v]++
			}
		}
	}
	any := false
	for v := range atoms {
		if atoms[v].Charge == 0 && aromatic[v] >= 2 && which(v, degree[v]) {
			atoms[v].Charge = 1
			any = true
		}
	}
	return any
}
