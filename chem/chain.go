package chem

// chain reads the text into atoms and bonds.
func (p *Parser) chain() error {
	text := p.text
	for i := 0; i < len(text); {
		c, next := text[i], byte(0)
		if i+1 < len(text) {
			next = text[i+1]
		}
		if e, n := organic(c, next); n > 0 {
			lower := c >= 'a'
			p.aromatic = p.aromatic || lower
			p.atom(i, Atom{Element: e, lower: lower})
			i += n
			continue
		}
		var err error
		switch c {
		case '*':
			p.atom(i, Atom{Element: Any, exact: true})
			i++
		case '[':
			i, err = p.bracket(i)
		case '-', '=', '#', '$', ':', '~', '/', '\\', '<':
			i, err = p.bond(i)
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			err = p.ringBond(i, int32(c-'0'))
			i++
		case '%':
			i, err = p.longRingBond(i)
		case '(':
			err = p.open(i)
			i++
		case ')':
			err = p.close(i)
			i++
		case '.':
			err = p.dot(i)
			i++
		case '>':
			err = p.fail(i, "found '>': reactions are not supported")
		default:
			err = p.fail(i, "found %s, expected an atom, a bond, a ring bond, a parenthesis or a dot", p.found(i))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// organicSubset maps the letters that are atoms without brackets to their elements;
// lower-case ones are aromatic.
var organicSubset = [256]Element{
	'B': boron, 'C': carbon, 'N': nitrogen, 'O': oxygen, 'P': phosphorus, 'S': sulfur, 'F': fluorine, 'I': iodine,
	'b': boron, 'c': carbon, 'n': nitrogen, 'o': oxygen, 'p': phosphorus, 's': sulfur,
}

// organic returns the element of an atom written without brackets, from its first letter and
// the next one, and the length of its symbol, which is 0 if no such atom begins there.
func organic(c, next byte) (e Element, n int) {
	switch {
	case c == 'C' && next == 'l':
		return chlorine, 2
	case c == 'B' && next == 'r':
		return bromine, 2
	case organicSubset[c] == 0:
		return 0, 0
	}
	return organicSubset[c], 1
}

// atom adds an atom that begins at offset i, bonded to the one before it.
func (p *Parser) atom(i int, a Atom) {
	n := int32(len(p.mol.Atoms))
	p.mol.Atoms = append(p.mol.Atoms, a)
	p.source.atoms = append(p.source.atoms, int32(i))
	if p.last >= 0 {
		p.beside(p.last, n)
		p.join(p.last, n, p.pending, i)
		p.pending = 0
	}
	p.last = n
}

// join adds the bond between two atoms; symbol is 0 if none is written.
func (p *Parser) join(u, v int32, symbol byte, at int) {
	order := Single
	switch symbol {
	case 0, '/', '\\':
		if symbol != 0 {
			p.mol.Notes |= NoteCisTrans
			p.mol.slopes = append(p.mol.slopes, slope{u, v, symbol == '/'})
		}
		a, b := &p.mol.Atoms[u], &p.mol.Atoms[v]
		if a.lower && b.lower {
			order = Aromatic
		}
	case toDonor:
		u, v = v, u
		fallthrough
	case fromDonor:
		order = dative
		p.mol.Notes |= NoteDative
	case '=':
		order = Double
	case '#':
		order = Triple
	case '$':
		order = Quadruple
	case '~':
		order = AnyOrder
	case ':':
		order = Aromatic
		p.aromatic = true
	}
	p.mol.Bonds = append(p.mol.Bonds, Bond{u, v, order})
	p.source.bonds = append(p.source.bonds, int32(at))
}

// How the dative bonds -> and <- are represented.
const (
	fromDonor = '>'
	toDonor   = '<'
)

// bond reads the symbol of a bond and returns the offset after it.
func (p *Parser) bond(i int) (int, error) {
	symbol, next := p.text[i], byte(0)
	if i+1 < len(p.text) {
		next = p.text[i+1]
	}
	switch {
	case p.last < 0:
		return i, p.fail(i, "found the bond %s, expected an atom before it", p.found(i))
	case p.pending != 0:
		return i, p.fail(i, "found the bond %s, expected an atom after the bond %q", p.found(i), p.pending)
	case symbol == '-' && next == '>':
		p.pending = fromDonor
		return i + 2, nil
	case symbol == '<' && next == '-':
		p.pending = toDonor
		return i + 2, nil
	case symbol == '<':
		return i, p.fail(i, `found '<', expected "<-"`)
	case symbol == '\\' && next == '\\':
		// Programs that quote strings leave the backslash doubled.
		i++
	}
	p.pending = symbol
	return i + 1, nil
}

func (p *Parser) open(i int) error {
	switch {
	case p.last < 0:
		return p.fail(i, "found '(', expected an atom before it")
	case p.pending != 0:
		return p.fail(i, "found '(', expected an atom after the bond %q", p.pending)
	case p.text[i-1] == '(':
		return p.fail(i, "found '(', expected a bond or an atom at the start of the branch")
	}
	p.branches = append(p.branches, branch{p.last, int32(i)})
	return nil
}

func (p *Parser) close(i int) error {
	switch {
	case len(p.branches) == 0:
		return p.fail(i, "found ')', but no branch is open")
	case p.pending != 0:
		return p.fail(i, "found ')', expected an atom after the bond %q", p.pending)
	case p.text[i-1] == '(' || p.last < 0:
		return p.fail(i, "found ')', expected an atom before it")
	}
	top := len(p.branches) - 1
	p.last = p.branches[top].atom
	p.branches = p.branches[:top]
	return nil
}

func (p *Parser) dot(i int) error {
	switch {
	case p.pending != 0:
		return p.fail(i, "found '.', expected an atom after the bond %q", p.pending)
	case p.last < 0:
		return p.fail(i, "found '.', expected an atom before it")
	}
	p.last = -1
	return nil
}

// finish checks that nothing is left open at the end of the text.
func (p *Parser) finish() error {
	switch {
	case len(p.mol.Atoms) == 0:
		return p.fail(0, "found the end, expected an atom")
	case p.pending != 0:
		return p.fail(len(p.text), "found the end, expected an atom after the bond %q", p.pending)
	case len(p.branches) > 0:
		at := p.branches[len(p.branches)-1].at
		return p.fail(int(at), "the branch that opens here is not closed")
	case p.last < 0:
		return p.fail(len(p.text), "found the end, expected an atom after the dot")
	case p.rings.count > 0:
		r := p.rings.first()
		return p.fail(int(r.at), "ring bond %d is not closed", r.number)
	}
	return nil
}
