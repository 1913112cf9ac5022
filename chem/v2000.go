package chem

import (
	"bytes"
	"strings"
)

// parseV2000 reads atoms, bonds and properties after the counts line.
func (p *molParser) parseV2000(counts []byte) {
	atoms, bonds := p.integer(counts, 0, 3, "the number of atoms"), p.integer(counts, 3, 6, "the number of bonds")
	if version := strings.TrimSpace(column(counts, 33, 39)); version != "" && version != "V2000" {
		p.fail("found the version %q, expected V2000 or V3000", version)
	}
	if atoms < 0 || bonds < 0 {
		p.fail("found %d atoms and %d bonds, expected counts of 0 to 999", atoms, bonds)
	}
	for i := 0; i < atoms && p.err == nil; i++ {
		p.atomLine(p.need("an atom line"), i)
	}
	for i := 0; i < bonds && p.err == nil; i++ {
		p.bondLine(p.need("a bond line"))
	}
	p.propertiesBlock()
}

// atomLine reads xxxxx.xxxxyyyyy.yyyyzzzzz.zzzz aaaddcccssshhhbbbvvv…
func (p *molParser) atomLine(line []byte, i int) {
	symbol := strings.TrimSpace(column(line, 31, 34))
	if symbol == "" {
		p.fail("columns 32 to 34 of the line of atom %d are blank, expected the symbol of an element", i+1)
		return
	}
	a := p.addAtom(symbol)
	if a == nil {
		return
	}
	p.addPlace(column(line, 0, 10), column(line, 10, 20), column(line, 20, 30))
	switch mass := p.integer(line, 34, 36, "a mass difference"); {
	case mass == 0:
	case a.Element == hydrogen && mass > 0:
		p.setIsotope(a, 1+mass)
	default:
		p.setIsotope(a, someIsotope)
	}
	switch code := p.integer(line, 36, 39, "a charge code"); {
	case code == 4:
		p.setRadical(a, 2)
	case code >= 1 && code <= 7:
		a.Charge = int8(4 - code)
	case code != 0:
		p.fail("columns 37 to 39: found %d, expected a charge code of 0 to 7", code)
	}
	if n := p.integer(line, 42, 45, "a number of hydrogens"); n > 0 {
		p.askHydrogens(i, n-1)
	}
	switch valence := p.integer(line, 48, 51, "a valence"); {
	case valence == 15:
		p.setValence(i, 0)
	case valence > 0 && valence < 15:
		p.setValence(i, valence)
	}
}

// setIsotope marks an isotope other than the natural mixture.
func (p *molParser) setIsotope(a *Atom, isotope int) {
	a.isotope = uint16(min(isotope, someIsotope))
	p.mol.Notes |= NoteIsotope
}

// setValence states a total valence, which a query asks for.
func (p *molParser) setValence(v, valence int) {
	p.valence[v] = int8(valence)
	if p.query != nil {
		p.ask(v, "v%d", valence)
	}
}

// bondLine reads 111222tttsssxxxrrr…
func (p *molParser) bondLine(line []byte) {
	var n [4]int
	for i, what := range [4]string{"the number of an atom", "the number of an atom", "a bond type", "a stereo code"} {
		n[i] = p.integer(line, 3*i, 3*i+3, what)
	}
	if p.atomNumber(n[0]) && p.atomNumber(n[1]) {
		p.addBond(int32(n[0]-1), int32(n[1]-1), n[2])
		switch {
		case n[2] == 1 && n[3] == 1:
			p.markBond(up)
		case n[2] == 1 && n[3] == 6:
			p.markBond(down)
		case n[2] == 1 && n[3] == 4, n[2] == 2 && n[3] == 3:
			p.markBond(either)
		}
		p.askBond(int32(n[0]-1), int32(n[1]-1), n[2], p.integer(line, 15, 18, "a topology"))
	}
}

// atomNumber reports whether there is an atom with a number, from 1.
func (p *molParser) atomNumber(v int) bool {
	if v < 1 || v > len(p.mol.Atoms) {
		p.fail("found atom %d, but the atoms are 1 to %d", v, len(p.mol.Atoms))
	}
	return p.err == nil
}

// propertiesBlock reads lines up to "M  END".
func (p *molParser) propertiesBlock() {
	for first := true; p.err == nil; {
		line := p.need(`a property line or "M  END"`)
		switch key := column(line, 0, 6); key {
		case "M  END":
			return
		case "M  CHG", "M  RAD":
			if first { // such a line replaces all charges of the atom block
				first = false
				for i := range p.mol.Atoms {
					p.mol.Atoms[i].Charge, p.mol.Atoms[i].unpaired = 0, 0
				}
			}
			if key == "M  CHG" {
				p.pairs(line, p.setCharge)
			} else {
				p.pairs(line, p.setRadical)
			}
		case "M  ISO":
			p.pairs(line, func(a *Atom, value int) {
				if value > 0 {
					p.setIsotope(a, value)
				}
			})
		case "M  ALS":
			p.atomList(line)
		case "M  ZBO":
			p.entries(line, "bond", len(p.mol.Bonds), func(b, order int) {
				if order == 0 {
					p.mol.Bonds[b].Order = dative
					p.mol.Notes |= NoteDative
				}
			})
		case "M  ZCH":
			p.pairs(line, p.setCharge)
		case "M  HYD":
			p.pairs(line, func(a *Atom, value int) {
				a.hydrogens, a.exact = uint8(min(max(value, 0), 255)), true
			})
		case "M  SUB":
			p.entries(line, "atom", len(p.mol.Atoms), p.askSubstitution)
		case "M  UNS":
			p.entries(line, "atom", len(p.mol.Atoms), p.askUnsaturation)
		case "M  RBC":
			p.entries(line, "atom", len(p.mol.Atoms), p.askRingBonds)
		case "M  STY":
			p.groups(line)
		case "M  APO":
			p.feature("an attachment point")
		case "M  LIN":
			p.feature("a link atom")
		case "M  LOG":
			p.feature("the logic of R groups")
		case "M  RGP": // numbers of R groups
			p.mol.Notes |= NoteRGroup
			p.entries(line, "atom", len(p.mol.Atoms), p.askGroup)
		default:
			p.otherProperty(line)
		}
	}
}

// otherProperty takes a line of the properties block that does not concern atoms, bonds or
// their charges.
func (p *molParser) otherProperty(line []byte) {
	switch key := column(line, 0, 3); {
	case len(bytes.TrimSpace(line)) == 0:
	case key == "A  ", key == "G  ":
		p.mol.Notes |= NoteAlias
		if p.query != nil {
			p.fail("the alias of an atom cannot be part of a pattern: draw what it stands for")
		}
		p.need("the text of the line before")
	case key == "V  ":
		p.mol.Notes |= NoteUnread
	case key == "S  ": // S  SKP and a number of lines
		p.mol.Notes |= NoteUnread
		for range p.integer(line, 6, 9, "the number of lines to skip") {
			p.need("a line to skip")
		}
	case strings.HasPrefix(string(line), "M  S"):
		p.mol.Notes |= NoteFeatures
	case len(line) > 5 && (line[4] == 'T' || line[4] == 'F') && line[0] != 'M':
		p.oldList(line)
	default:
		p.mol.Notes |= NoteUnread
	}
}

// atomList makes an atom one of several elements: M  ALS aaannn e 11112222…
func (p *molParser) atomList(line []byte) {
	v := p.integer(line, 6, 10, "the number of an atom")
	if !p.atomNumber(v) {
		return
	}
	var symbols []string
	count := p.integer(line, 10, 13, "the number of symbols")
	for i := 0; i < count && 16+4*i < len(line); i++ {
		symbols = append(symbols, column(line, 16+4*i, 20+4*i))
	}
	p.askList(v-1, symbols, column(line, 14, 15) == "T")
}

// oldList reads what programs wrote before M  ALS: aaa k    n 111 222 333 444 555.
func (p *molParser) oldList(line []byte) {
	v := p.integer(line, 0, 3, "the number of an atom")
	if !p.atomNumber(v) {
		return
	}
	var symbols []string
	count := p.integer(line, 5, 10, "the number of elements")
	for i := 0; i < count; i++ {
		e := p.integer(line, 11+4*i, 14+4*i, "an atomic number")
		if e < 1 || e > maxElement {
			p.fail("found the atomic number %d, expected 1 to %d", e, maxElement)
			return
		}
		symbols = append(symbols, Element(e).Symbol())
	}
	p.askList(v-1, symbols, line[4] == 'T')
}

// groups reads the types of S-groups: nn8 sss ttt …. Abbreviations and data change nothing.
func (p *molParser) groups(line []byte) {
	p.mol.Notes |= NoteFeatures
	if p.query == nil {
		return
	}
	for _, kind := range strings.Fields(column(line, 9, len(line))) {
		if kind[0] >= 'A' && kind[0] <= 'Z' && kind != "SUP" && kind != "DAT" {
			p.feature("an S-group " + kind)
		}
	}
}

// pairs reads nn8 aaa vvv aaa vvv… after the key of a property line, and calls
// set for every pair of an atom and a value.
func (p *molParser) pairs(line []byte, set func(*Atom, int)) {
	p.entries(line, "atom", len(p.mol.Atoms), func(v, value int) { set(&p.mol.Atoms[v], value) })
}

// entries is pairs for anything that is numbered from 1 to n; set gets numbers
// from 0.
func (p *molParser) entries(line []byte, what string, n int, set func(at, value int)) {
	count := p.integer(line, 6, 9, "the number of entries")
	for i := 0; i < count && p.err == nil; i++ {
		at := 9 + 8*i
		if at >= len(line) {
			p.fail("found %d entries, expected %d", i, count)
		}
		v, value := p.integer(line, at, at+4, "the number of the "+what), p.integer(line, at+4, at+8, "a value")
		if v < 1 || v > n {
			p.fail("found %s %d, but the %ss are 1 to %d", what, v, what, n)
		}
		if p.err == nil {
			set(v-1, value)
		}
	}
}
