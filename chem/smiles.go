package chem

// MaxSMILES is the length in bytes of the longest SMILES that a [Parser] reads
// unless told otherwise.
const MaxSMILES = 1 << 16

// ParseSMILES reads a molecule written in SMILES (OpenSMILES specification 1.0,
// opensmiles.org): all of the grammar but the reaction arrow, which is not part
// of it, and with the bond ~ of any order, which is an addition. Text that
// cannot be read gives a [*SyntaxError]; a ring that is written as aromatic but
// has no alternation of single and double bonds, a [*KekuleError].
//
// To read many molecules use a [Parser].
func ParseSMILES(s string) (*Molecule, error) {
	return new(Parser).Parse(s)
}

// Parser reads SMILES. It keeps its memory from one molecule to the next. The
// zero Parser is ready for use; a Parser must not be used concurrently.
type Parser struct {
	// MaxLength bounds the length of a SMILES in bytes; 0 means [MaxSMILES].
	// It bounds memory, and with [MaxRings] the time of ring perception.
	// Branches may nest as deep as the length allows: none costs stack.
	MaxLength int

	text     []byte
	mol      Molecule
	work     workspace
	source   source
	branches []branch
	rings    []openRing
	closures int
	aromatic bool // some atom or bond is written as aromatic
	explicit bool // some hydrogen is an atom

	last    int32 // atom that the next one is bonded to, -1 for none
	pending pendingBond
}

// branch remembers the atom before an open parenthesis.
type branch struct {
	atom, at int32
}

// openRing is a ring bond that waits for its other end.
type openRing struct {
	number, atom, at int32
	bond             byte // its symbol, 0 if none
}

// pendingBond is the bond symbol before the next atom or ring bond.
type pendingBond struct {
	symbol byte // 0 if none
	at     int32
}

// Parse reads a molecule as [ParseSMILES] does. The molecule is valid until the
// next call.
func (p *Parser) Parse(s string) (*Molecule, error) {
	if limit := p.limit(); len(s) > limit {
		p.text = p.text[:0]
		return nil, p.fail(limit, "the SMILES has %d bytes, at most %d are allowed", len(s), limit)
	}
	p.text = append(p.text[:0], s...)
	return p.parse()
}

// ParseBytes is [Parser.Parse] for a slice of bytes, which it does not keep.
func (p *Parser) ParseBytes(s []byte) (*Molecule, error) {
	if limit := p.limit(); len(s) > limit {
		p.text = p.text[:0]
		return nil, p.fail(limit, "the SMILES has %d bytes, at most %d are allowed", len(s), limit)
	}
	p.text = append(p.text[:0], s...)
	return p.parse()
}

func (p *Parser) limit() int {
	if p.MaxLength > 0 {
		return p.MaxLength
	}
	return MaxSMILES
}

func (p *Parser) parse() (*Molecule, error) {
	p.reset()
	if err := p.chain(); err != nil {
		return nil, err
	}
	if err := p.finish(); err != nil {
		return nil, err
	}
	m := &p.mol
	if p.explicit {
		p.work.foldHydrogens(m, &p.source)
	}
	if err := p.work.perceive(m, p.closures > 0, p.aromatic); err != nil {
		return nil, p.locate(err)
	}
	return m, nil
}

func (p *Parser) reset() {
	p.mol = Molecule{Atoms: p.mol.Atoms[:0], Bonds: p.mol.Bonds[:0]}
	p.source.atoms = p.source.atoms[:0]
	p.source.bonds = p.source.bonds[:0]
	p.branches = p.branches[:0]
	p.rings = p.rings[:0]
	p.closures = 0
	p.aromatic = false
	p.explicit = false
	p.last = -1
	p.pending = pendingBond{}
}

// chain reads the text into atoms and bonds.
func (p *Parser) chain() error {
	text := p.text
	for i := 0; i < len(text); {
		var err error
		switch c := text[i]; c {
		case 'C':
			if i+1 < len(text) && text[i+1] == 'l' {
				p.atom(i, Atom{Element: chlorine})
				i += 2
				continue
			}
			p.atom(i, Atom{Element: carbon})
			i++
		case 'B':
			if i+1 < len(text) && text[i+1] == 'r' {
				p.atom(i, Atom{Element: bromine})
				i += 2
				continue
			}
			p.atom(i, Atom{Element: boron})
			i++
		case 'N', 'O', 'P', 'S', 'F', 'I':
			p.atom(i, Atom{Element: organic(c)})
			i++
		case 'b', 'c', 'n', 'o', 'p', 's':
			p.aromatic = true
			p.atom(i, Atom{Element: organic(c - 'a' + 'A'), lower: true})
			i++
		case '*':
			p.atom(i, Atom{Element: Any, exact: true})
			i++
		case '[':
			i, err = p.bracket(i)
		case '-', '=', '#', '$', ':', '~', '/', '\\':
			err = p.bond(i)
			i++
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

// organic returns the element of a one-letter symbol of the organic subset.
func organic(c byte) Element {
	switch c {
	case 'B':
		return boron
	case 'C':
		return carbon
	case 'N':
		return nitrogen
	case 'O':
		return oxygen
	case 'P':
		return phosphorus
	case 'S':
		return sulfur
	case 'F':
		return fluorine
	}
	return iodine
}

// atom adds an atom that begins at offset i, bonded to the one before it.
func (p *Parser) atom(i int, a Atom) {
	n := int32(len(p.mol.Atoms))
	p.mol.Atoms = append(p.mol.Atoms, a)
	p.source.atoms = append(p.source.atoms, int32(i))
	if p.last >= 0 {
		p.join(p.last, n, p.pending.symbol, i)
		p.pending.symbol = 0
	}
	p.last = n
}

// join adds the bond between two atoms; symbol is 0 if none is written.
func (p *Parser) join(u, v int32, symbol byte, at int) {
	order := Single
	switch symbol {
	case 0:
		a, b := &p.mol.Atoms[u], &p.mol.Atoms[v]
		if a.lower && b.lower {
			order = Aromatic
		}
	case '/', '\\':
		p.mol.Notes |= NoteCisTrans
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

func (p *Parser) bond(i int) error {
	if p.last < 0 {
		return p.fail(i, "found the bond %s, expected an atom before it", p.found(i))
	}
	if p.pending.symbol != 0 {
		return p.fail(i, "found the bond %s, expected an atom after the bond %q", p.found(i), p.pending.symbol)
	}
	if p.text[i] == '-' && i+1 < len(p.text) && p.text[i+1] == '>' {
		return p.fail(i, `found "->": dative bonds are not part of SMILES`)
	}
	p.pending = pendingBond{p.text[i], int32(i)}
	return nil
}

func (p *Parser) open(i int) error {
	switch {
	case p.last < 0:
		return p.fail(i, "found '(', expected an atom before it")
	case p.pending.symbol != 0:
		return p.fail(i, "found '(', expected an atom after the bond %q", p.pending.symbol)
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
	case p.pending.symbol != 0:
		return p.fail(i, "found ')', expected an atom after the bond %q", p.pending.symbol)
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
	case p.pending.symbol != 0:
		return p.fail(i, "found '.', expected an atom after the bond %q", p.pending.symbol)
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
	case p.pending.symbol != 0:
		return p.fail(len(p.text), "found the end, expected an atom after the bond %q", p.pending.symbol)
	case len(p.branches) > 0:
		at := p.branches[len(p.branches)-1].at
		return p.fail(int(at), "the branch that opens here is not closed")
	case p.last < 0:
		return p.fail(len(p.text), "found the end, expected an atom after the dot")
	case len(p.rings) > 0:
		r := p.rings[0]
		return p.fail(int(r.at), "ring bond %d is not closed", r.number)
	}
	return nil
}

// locate adds columns to an error of the perception.
func (p *Parser) locate(err error) error {
	switch e := err.(type) {
	case *repeatedBond:
		return p.fail(int(p.source.bonds[e.bond]), "this bond joins two atoms that are bonded already")
	case *KekuleError:
		e.Where = "column"
		for i, v := range e.Atoms {
			e.Atoms[i] = int(p.source.atoms[v]) + 1
		}
	}
	return err
}
