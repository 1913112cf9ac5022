package chem

import "strings"

// parseV2000 reads atoms, bonds and properties after the counts line.
func (p *molParser) parseV2000(counts []byte) error {
	atoms, err := p.integer(counts, 0, 3, "the number of atoms")
	if err != nil {
		return err
	}
	bonds, err := p.integer(counts, 3, 6, "the number of bonds")
	if err != nil {
		return err
	}
	if version := strings.TrimSpace(column(counts, 33, 39)); version != "" && version != "V2000" {
		return p.fail("found the version %q, expected V2000 or V3000", version)
	}
	if atoms < 0 || bonds < 0 {
		return p.fail("found %d atoms and %d bonds, expected counts of 0 to 999", atoms, bonds)
	}
	for i := range atoms {
		line, err := p.need("an atom line")
		if err != nil {
			return err
		}
		if err := p.atomLine(line, i); err != nil {
			return err
		}
	}
	for range bonds {
		line, err := p.need("a bond line")
		if err != nil {
			return err
		}
		if err := p.bondLine(line); err != nil {
			return err
		}
	}
	return p.propertiesBlock()
}

// atomLine reads xxxxx.xxxxyyyyy.yyyyzzzzz.zzzz aaaddcccssshhhbbbvvv…
func (p *molParser) atomLine(line []byte, i int) error {
	symbol := strings.TrimSpace(column(line, 31, 34))
	if symbol == "" {
		return p.fail("columns 32 to 34 of the line of atom %d are blank, expected the symbol of an element", i+1)
	}
	a, err := p.addAtom(symbol)
	if err != nil {
		return err
	}
	mass, err := p.integer(line, 34, 36, "a mass difference")
	if err != nil {
		return err
	}
	switch {
	case mass == 0:
	case a.Element == hydrogen && mass > 0:
		p.setIsotope(a, 1+mass)
	default:
		p.setIsotope(a, someIsotope)
	}
	code, err := p.integer(line, 36, 39, "a charge code")
	if err != nil {
		return err
	}
	switch {
	case code == 4:
		if err := p.setRadical(a, 2); err != nil {
			return err
		}
	case code >= 1 && code <= 7:
		a.Charge = int8(4 - code)
	case code != 0:
		return p.fail("columns 37 to 39: found %d, expected a charge code of 0 to 7", code)
	}
	valence, err := p.integer(line, 48, 51, "a valence")
	if err != nil {
		return err
	}
	switch {
	case valence == 15:
		p.valence[i] = 0
	case valence > 0 && valence < 15:
		p.valence[i] = int8(valence)
	}
	return nil
}

// setIsotope marks an isotope other than the natural mixture.
func (p *molParser) setIsotope(a *Atom, isotope int) {
	a.isotope = uint16(min(isotope, someIsotope))
	p.mol.Notes |= NoteIsotope
}

// bondLine reads 111222tttsss…
func (p *molParser) bondLine(line []byte) error {
	var n [4]int
	for i, what := range [4]string{"the number of an atom", "the number of an atom", "a bond type", "a stereo code"} {
		var err error
		if n[i], err = p.integer(line, 3*i, 3*i+3, what); err != nil {
			return err
		}
	}
	for _, v := range n[:2] {
		if v < 1 || v > len(p.mol.Atoms) {
			return p.fail("found atom %d, but the atoms are 1 to %d", v, len(p.mol.Atoms))
		}
	}
	if n[2] == 1 && n[3] != 0 {
		p.mol.Notes |= NoteChirality
	}
	return p.addBond(int32(n[0]-1), int32(n[1]-1), n[2])
}

// propertiesBlock reads lines up to "M  END".
func (p *molParser) propertiesBlock() error {
	first := true
	for {
		line, err := p.need(`a property line or "M  END"`)
		if err != nil {
			return err
		}
		text := string(line)
		switch {
		case strings.HasPrefix(text, "M  END"):
			return nil
		case strings.HasPrefix(text, "M  CHG"), strings.HasPrefix(text, "M  RAD"):
			if first { // such a line replaces all charges of the atom block
				first = false
				for i := range p.mol.Atoms {
					p.mol.Atoms[i].Charge, p.mol.Atoms[i].unpaired = 0, 0
				}
			}
			err = p.pairs(line, func(a *Atom, value int) error {
				if text[3] == 'C' {
					return p.setCharge(a, value)
				}
				return p.setRadical(a, value)
			})
		case strings.HasPrefix(text, "M  ISO"):
			err = p.pairs(line, func(a *Atom, value int) error {
				if value > 0 {
					p.setIsotope(a, value)
				}
				return nil
			})
		case strings.HasPrefix(text, "M  ALS"):
			err = p.atomList(line)
		case strings.HasPrefix(text, "M  ZBO"):
			err = p.entries(line, "bond", len(p.mol.Bonds), func(b, order int) error {
				if order == 0 {
					p.mol.Bonds[b].Order = dative
					p.mol.Notes |= NoteDative
				}
				return nil
			})
		case strings.HasPrefix(text, "M  ZCH"):
			err = p.pairs(line, p.setCharge)
		case strings.HasPrefix(text, "M  HYD"):
			err = p.pairs(line, func(a *Atom, value int) error {
				a.hydrogens, a.exact = uint8(min(max(value, 0), 255)), true
				return nil
			})
		case isFeature(text):
			p.mol.Notes |= NoteFeatures
		case strings.HasPrefix(text, "A  "), strings.HasPrefix(text, "G  "):
			_, err = p.need("the text of the line before")
		}
		if err != nil {
			return err
		}
	}
}

// isFeature reports whether a property line says of the molecule what a graph
// cannot: S-groups, attachment points, link atoms, R group logic, and what a
// query asks of substituents, unsaturation and rings.
func isFeature(text string) bool {
	if !strings.HasPrefix(text, "M  ") || len(text) < 6 {
		return false
	}
	switch text[3:6] {
	case "STY", "APO", "LIN", "LOG", "SUB", "UNS", "RBC":
		return true
	}
	return false
}

// atomList makes an atom that may be one of several elements any atom.
func (p *molParser) atomList(line []byte) error {
	v, err := p.integer(line, 6, 10, "the number of an atom")
	if err != nil {
		return err
	}
	if v < 1 || v > len(p.mol.Atoms) {
		return p.fail("found atom %d, but the atoms are 1 to %d", v, len(p.mol.Atoms))
	}
	a := &p.mol.Atoms[v-1]
	a.Element, a.exact = Any, true
	p.mol.Notes |= NoteQuery
	return nil
}

// pairs reads nn8 aaa vvv aaa vvv… after the key of a property line, and calls
// set for every pair of an atom and a value.
func (p *molParser) pairs(line []byte, set func(*Atom, int) error) error {
	return p.entries(line, "atom", len(p.mol.Atoms), func(v, value int) error { return set(&p.mol.Atoms[v], value) })
}

// entries is pairs for anything that is numbered from 1 to n; set gets numbers
// from 0.
func (p *molParser) entries(line []byte, what string, n int, set func(at, value int) error) error {
	count, err := p.integer(line, 6, 9, "the number of entries")
	if err != nil {
		return err
	}
	for i := range count {
		at := 9 + 8*i
		if at >= len(line) {
			return p.fail("found %d entries, expected %d", i, count)
		}
		v, err := p.integer(line, at, at+4, "the number of the "+what)
		if err != nil {
			return err
		}
		value, err := p.integer(line, at+4, at+8, "a value")
		if err != nil {
			return err
		}
		if v < 1 || v > n {
			return p.fail("found %s %d, but the %ss are 1 to %d", what, v, what, n)
		}
		if err := set(v-1, value); err != nil {
			return err
		}
	}
	return nil
}
