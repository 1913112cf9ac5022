package chem

import "math"

// bracket reads the bracket atom that opens at offset i and returns the offset
// after it: isotope, symbol, chirality, hydrogens, charge and class, in this
// order, all but the symbol optional.
func (p *Parser) bracket(i int) (int, error) {
	open := i
	a := Atom{exact: true}
	i++
	isotope, i, ok := p.number(i, someIsotope-1)
	if !ok {
		return i, p.fail(open+1, "the isotope is too large")
	}
	if isotope > 0 {
		a.isotope = uint16(isotope)
		p.mol.Notes |= NoteIsotope
	}
	i, err := p.symbol(i, &a)
	if err != nil {
		return i, err
	}
	turn := i
	if i < len(p.text) && p.text[i] == '@' {
		i = p.chirality(i)
	}
	clockwise, tetrahedral := tetrahedron(p.text[turn:i])
	if i < len(p.text) && p.text[i] == 'H' {
		count, next, ok := p.number(i+1, math.MaxUint8)
		switch {
		case !ok:
			return i, p.fail(i, "the hydrogen count is too large")
		case next == i+1:
			count = 1
		}
		a.hydrogens = uint8(count)
		i = next
	}
	if i, err = p.charge(i, &a); err != nil {
		return i, err
	}
	if i < len(p.text) && p.text[i] == ':' {
		class, next, ok := p.number(i+1, math.MaxInt32)
		if !ok || next == i+1 {
			return i, p.fail(i+1, "found %s, expected the number of an atom class", p.found(i+1))
		}
		p.mol.Notes |= NoteClass
		if p.classes {
			a.class = int32(class)
		}
		i = next
	}
	if i >= len(p.text) || p.text[i] != ']' {
		return i, p.fail(i, "found %s in the bracket atom of column %d, expected ']'", p.found(i), open+1)
	}
	p.explicit = p.explicit || a.Element == hydrogen
	before := p.last
	p.atom(open, a)
	if tetrahedral && a.hydrogens < 2 {
		p.centreOf(before, a.hydrogens, clockwise)
	}
	return i + 1, nil
}

// tetrahedron returns what a chirality mark says about a tetrahedral centre, and whether it
// is for one.
func tetrahedron(mark []byte) (clockwise, ok bool) {
	switch string(mark) {
	case "@", "@TH1":
		return false, true
	case "@@", "@TH2":
		return true, true
	}
	return false, false
}

// number reads the digits at offset i and returns their value, 0 if there are
// none, the offset after them, and whether the value is at most limit.
func (p *Parser) number(i, limit int) (value, next int, ok bool) {
	for ; i < len(p.text) && p.text[i] >= '0' && p.text[i] <= '9'; i++ {
		value = value*10 + int(p.text[i]-'0')
		if value > limit {
			return value, i, false
		}
	}
	return value, i, true
}

// symbol reads the element of a bracket atom.
func (p *Parser) symbol(i int, a *Atom) (int, error) {
	at := func(k int) byte {
		if k < len(p.text) {
			return p.text[k]
		}
		return 0
	}
	c, d := at(i), at(i+1)
	switch {
	case c == '*':
		return i + 1, nil
	case c >= 'A' && c <= 'Z' && d >= 'a' && d <= 'z':
		e, ok := FindElement(string(p.text[i : i+2]))
		if !ok {
			return i, p.fail(i, "no element has the symbol %q", p.text[i:i+2])
		}
		a.Element = e
		return i + 2, nil
	case c >= 'A' && c <= 'Z':
		e, ok := oneLetter(c)
		if !ok {
			return i, p.fail(i, "no element has the symbol %q", p.text[i:i+1])
		}
		a.Element = e
		return i + 1, nil
	}
	p.aromatic, a.lower = true, true
	if e, ok := aromaticPairs[[2]byte{c, d}]; ok {
		a.Element = e
		return i + 2, nil
	}
	if a.Element = organicSubset[c]; a.Element != Any {
		return i + 1, nil
	}
	return i, p.fail(i, "found %s, expected the symbol of an element", p.found(i))
}

// aromaticPairs are the elements of two letters that may be written as aromatic.
var aromaticPairs = map[[2]byte]Element{{'s', 'e'}: selenium, {'a', 's'}: arsenic, {'t', 'e'}: tellurium,
	{'s', 'i'}: silicon}

func oneLetter(c byte) (Element, bool) {
	if e := organicSubset[c]; e != Any {
		return e, true
	}
	return FindElement(string(rune(c)))
}

// chirality skips @, @@ or @ with a class such as TH1 or OH12.
func (p *Parser) chirality(i int) int {
	p.mol.Notes |= NoteChirality
	i++
	if i < len(p.text) && p.text[i] == '@' {
		return i + 1
	}
	if i+2 < len(p.text) {
		switch string(p.text[i : i+2]) {
		case "TH", "AL", "SP", "TB", "OH":
			if _, next, ok := p.number(i+2, 99); ok && next > i+2 {
				return next
			}
		}
	}
	return i
}

// maxCharge is the greatest formal charge that SMILES and MOL blocks can state.
const maxCharge = 15

// charge reads +, -, a repetition of either, or one of them with a number.
func (p *Parser) charge(i int, a *Atom) (int, error) {
	if i >= len(p.text) || p.text[i] != '+' && p.text[i] != '-' {
		return i, nil
	}
	start, sign := i, p.text[i]
	i++
	value, next, ok := p.number(i, maxCharge)
	if next == i {
		value = 1
		for i < len(p.text) && p.text[i] == sign {
			value++
			i++
		}
		next = i
		ok = value <= maxCharge
	}
	if !ok {
		return start, p.fail(start, "the charge is too large")
	}
	if sign == '-' {
		value = -value
	}
	a.Charge = int8(value)
	return next, nil
}
